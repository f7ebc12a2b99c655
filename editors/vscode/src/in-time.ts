/** Milliseconds in which nobody types a character that opens a list, a value and Enter; a free server needs ten. */
export const AT_ONCE = 60;

/**
 * An answer if it comes in time, else nothing.
 *
 * VS Code leaves the list of before on the screen until it has the one that a trigger character asked for, and Enter
 * takes the old entry with all that was typed since: `offset:512` became `offset:`.
 */
export async function inTime<T>(answer: Promise<T> | T, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
