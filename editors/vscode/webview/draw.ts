// Shows a kernel's control flow, as the server draws it. A click on an instruction goes to its line, a click on what a
// long block leaves out shows it. Tab comes to one block, the arrow keys go through them, Enter goes to the line.

import type { Block, ControlFlow } from "../src/control-flow";

interface State {
  readonly uri?: string;
  readonly kernel?: string;
  readonly scale?: number;
  readonly opened?: readonly number[];
}

declare function acquireVsCodeApi(): {
  postMessage(message: object): void;
  getState(): State | undefined;
  setState(state: State): void;
};

const editor = acquireVsCodeApi();
const header = document.querySelector("header") as HTMLElement;
const main = document.querySelector("main") as HTMLElement;

/** A drawing is made smaller to fit the panel as long as it can be read; the wheel and "Fit" go further. */
const READABLE = 0.6;
const SMALLEST = 0.05;
const LARGEST = 3;
const STEP = 1.15;
/** Pixels of a block's head that must be in view. */
const MARGIN = 32;

let flow: ControlFlow | undefined;
/** The drawing, its size before it is scaled, and how it is scaled; 0: as it fits. */
let picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
let natural = picture.viewBox.baseVal;
let scale = editor.getState()?.scale ?? 0;
/** The line of the cursor, and the block with it; -1 when the cursor is elsewhere. */
let cursor = -1;
let here = -1;
/** Long blocks that are shown in full, by their first line. */
const opened = new Set<number>(editor.getState()?.opened ?? []);
/** What is searched for, the texts that have it, and which of them is in view. */
const search = document.createElement("input");
let matches: Element[] = [];
let match = -1;

/** The block that has the keyboard, or that Tab comes to. */
let focused = 0;

search.type = "search";
search.setAttribute("aria-label", "Find an instruction");
search.placeholder = "Find an instruction";
search.addEventListener("input", () => find());
search.addEventListener("keydown", ({ key, shiftKey }) => key === "Enter" && next(shiftKey ? -1 : 1));

window.addEventListener("message", ({ data }) => {
  if (data.kind === "flow") {
    const isOther = flow?.kernel !== data.flow.kernel;
    const isStale = flow !== undefined && isOther && opened.size > 0;
    if (flow && isOther) {
      scale = 0; // another kernel, another size
      opened.clear();
    }
    flow = data.flow as ControlFlow;
    keep({ uri: data.uri, kernel: flow.kernel });
    draw(flow);
    // The left edge of a wide drawing may be empty; the cursor may be outside of the kernel.
    if (isOther) picture.querySelector(".block")?.scrollIntoView({ block: "nearest", inline: "center" });
    if (isStale) redraw();
  } else if (data.kind === "cursor") mark(data.line, true);
});
window.addEventListener(
  "wheel",
  (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? STEP : 1 / STEP, event.clientX, event.clientY);
  },
  { passive: false },
);
window.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "f") {
    event.preventDefault();
    search.focus();
    search.select();
  }
});
main.addEventListener("click", ({ target }) => {
  const text = (target as Element).closest<SVGElement>("text");
  const line = Number(text?.dataset.line) - 1;
  if (text?.classList.contains("more")) toggle(line);
  else if (text) editor.postMessage({ kind: "line", line });
});
main.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  const boxes = picture.querySelectorAll<SVGElement>(".block");
  if (step !== undefined) focusBlock(step(focused, boxes.length - 1));
  else if (event.key === "Enter" || event.key === " ") {
    const block = flow?.blocks[focused];
    if (block) editor.postMessage({ kind: "line", line: firstLine(block) });
  } else return;
  event.preventDefault();
});
editor.postMessage({ kind: "ready", opened: [...opened] });

/** The block that a key leads to, from the number of the one before and that of the last. */
const STEPS: Record<string, (from: number, last: number) => number> = {
  ArrowDown: (from, last) => Math.min(from + 1, last),
  ArrowRight: (from, last) => Math.min(from + 1, last),
  ArrowUp: (from) => Math.max(from - 1, 0),
  ArrowLeft: (from) => Math.max(from - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/** Gives the keyboard to a block and brings it into view. */
function focusBlock(number: number): void {
  const boxes = picture.querySelectorAll<SVGElement>(".block");
  boxes[focused]?.setAttribute("tabindex", "-1");
  focused = number;
  const box = boxes[number];
  box?.setAttribute("tabindex", "0");
  box?.focus({ preventScroll: true });
  box?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Says to a screen reader what the drawing and its blocks are, and lets Tab come to one of them. */
function describe(drawn: ControlFlow): void {
  picture.setAttribute("role", "group");
  picture.setAttribute("aria-label", `Control flow of ${drawn.kernel}, ${drawn.blocks.length} blocks`);
  const boxes = picture.querySelectorAll<SVGElement>(".block");
  focused = Math.min(focused, Math.max(boxes.length - 1, 0));
  boxes.forEach((box, number) => {
    const instructions = drawn.blocks[number]?.instructions ?? [];
    const title = box.querySelector(".title")?.textContent ?? `block ${number + 1}`;
    const [first, last] = [instructions[0], instructions.at(-1)];
    const lines = first && last ? `, lines ${first.line + 1} to ${last.line + 1}, ends with ${last.text.trim()}` : "";
    box.setAttribute("role", "button");
    box.setAttribute("aria-label", `${title}, ${instructions.length} instructions${lines}`);
    box.setAttribute("tabindex", number === focused ? "0" : "-1");
  });
}

/** Keeps what a window that is loaded again should have. */
function keep(changed: State): void {
  editor.setState({ ...editor.getState(), scale, opened: [...opened], ...changed });
}

function firstLine(block: Block): number {
  return block.instructions[0]?.line ?? 0;
}

function draw(drawn: ControlFlow): void {
  const [left, top] = [scrollX, scrollY];
  const isSearching = document.activeElement === search;
  const isInDrawing = picture.contains(document.activeElement);
  main.innerHTML = drawn.svg;
  picture = main.querySelector("svg") as SVGSVGElement;
  natural = picture.viewBox.baseVal;
  if (scale === 0) scale = Math.max(READABLE, Math.min(1, innerWidth / natural.width));
  resize();
  describe(drawn);
  header.replaceChildren(...head(drawn));
  if (isSearching) search.focus();
  if (isInDrawing) focusBlock(focused);
  scrollTo(left, top);
  here = -1;
  mark(cursor, false);
  find();
}

/** Asks for the drawing again, with the blocks that are opened now. */
function redraw(): void {
  keep({});
  editor.postMessage({ kind: "opened", opened: [...opened] });
}

function resize(): void {
  picture.setAttribute("width", String(natural.width * scale));
  picture.setAttribute("height", String(natural.height * scale));
}

/** Scales the drawing; what is at a place of the window stays there. */
function zoom(factor: number, x: number, y: number): void {
  const before = picture.getBoundingClientRect();
  scale = Math.min(LARGEST, Math.max(SMALLEST, scale * factor));
  resize();
  const after = picture.getBoundingClientRect();
  const ratio = after.width / before.width;
  window.scrollBy(after.left + (x - before.left) * ratio - x, after.top + (y - before.top) * ratio - y);
  keep({});
}

/** Makes all of the drawing visible at once. */
function fit(): void {
  const room = innerHeight - header.offsetHeight;
  scale = Math.min(1, Math.max(SMALLEST, Math.min(innerWidth / natural.width, room / natural.height)));
  resize();
  scrollTo(0, 0);
  keep({});
}

/** Marks the texts with what is searched for; blocks that leave all of them out are opened. */
function find(): void {
  const wanted = search.value.trim().toLowerCase();
  if (wanted !== "" && flow) {
    const boxes = picture.querySelectorAll(".block");
    const hidden = flow.blocks.filter((block, number) => isHidden(block, boxes[number] as Element, wanted));
    if (hidden.length > 0) {
      for (const block of hidden) opened.add(firstLine(block));
      redraw();
      return;
    }
  }
  match = -1;
  matches = Array.from(picture.querySelectorAll(".block text")).filter((text) => {
    const isFound = wanted !== "" && (text.textContent ?? "").toLowerCase().includes(wanted);
    text.classList.toggle("found", isFound);
    text.classList.remove("current");
    return isFound;
  });
  search.title = wanted === "" ? "" : `${matches.length} found`;
  if (document.activeElement === search) next(1);
}

/** Whether only instructions that a closed block leaves out have a text. */
function isHidden(block: Block, box: Element, wanted: string): boolean {
  if (!box.querySelector(".more") || opened.has(firstLine(block))) return false;
  const has = (text: string | null) => text?.replace(/\s+/g, " ").toLowerCase().includes(wanted);
  const shown = Array.from(box.querySelectorAll("text"));
  return block.instructions.some(({ text }) => has(text)) && !shown.some(({ textContent }) => has(textContent));
}

/** Brings the next place that was found into view. */
function next(step: number): void {
  if (matches.length === 0) return;
  matches[match]?.classList.remove("current");
  match = (match + step + matches.length) % matches.length;
  const found = matches[match] as Element;
  found.classList.add("current");
  search.title = `${match + 1} of ${matches.length}`;
  found.scrollIntoView({ block: "center", inline: "center" });
}

/** The drawing as a file that looks the same anywhere: the colours of the theme are in a style of its own. */
function exported(): string {
  const copy = picture.cloneNode(true) as SVGElement;
  const fill = (selector: string) => {
    const found = picture.querySelector(selector);
    return found ? getComputedStyle(found).fill : "currentColor";
  };
  const background = getComputedStyle(document.body).getPropertyValue("--vscode-editor-background");
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = [
    `svg { background: ${background}; font: 12px monospace; }`,
    `.frame { fill: ${background}; }`,
    `text { fill: ${fill(".block text:not(.title):not(.wait)")}; }`,
    `.title { fill: ${fill(".block .title")}; font-weight: bold; }`,
    `.wait { fill: ${fill(".block .wait")}; }`,
    ".edge { fill: none; stroke-width: 1.5; }",
    ...(document.body.classList.contains("vscode-high-contrast") ? [`.head { fill: ${background}; }`] : []),
  ].join("\n");
  copy.prepend(style);
  copy.setAttribute("width", String(natural.width));
  copy.setAttribute("height", String(natural.height));
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}

/** Shows all of a long block, or less of it. */
function toggle(line: number): void {
  if (!opened.delete(line)) opened.add(line);
  redraw();
}

function head(drawn: ControlFlow): Node[] {
  const tools = document.createElement("div");
  if (drawn.kernels.length > 1) {
    const list = document.createElement("select");
    list.setAttribute("aria-label", "Kernel");
    for (const name of drawn.kernels) list.add(new Option(name, name, false, name === drawn.kernel));
    list.addEventListener("change", () => editor.postMessage({ kind: "kernel", kernel: list.value }));
    tools.append(list);
  }
  const zoomed = (factor: () => number) => () => zoom(factor(), innerWidth / 2, innerHeight / 2);
  tools.append(
    button("Fit", "All of the drawing", fit),
    button(
      "100%",
      "In its own size",
      zoomed(() => 1 / scale),
    ),
    button(
      "+",
      "Larger (Ctrl and the wheel)",
      zoomed(() => STEP * STEP),
    ),
    button(
      "−",
      "Smaller (Ctrl and the wheel)",
      zoomed(() => 1 / (STEP * STEP)),
    ),
    search,
    button("Save SVG", "The drawing as a file", () => editor.postMessage({ kind: "picture", svg: exported() })),
  );
  const key = document.createElement("div");
  key.innerHTML = drawn.legend;
  return [tools, key];
}

function button(text: string, meaning: string, click: () => void): HTMLElement {
  const made = document.createElement("button");
  made.textContent = text;
  made.title = meaning;
  made.setAttribute("aria-label", meaning);
  made.addEventListener("click", click);
  return made;
}

/** Frames the block in which the cursor is; `moved`: brings it into view when the cursor has come there from another. */
function mark(line: number, moved: boolean): void {
  cursor = line;
  const found = flow?.blocks.findIndex((block) => block.instructions.some((each) => each.line === line)) ?? -1;
  if (found === here) return;
  here = found;
  document.querySelectorAll(".block").forEach((box, number) => {
    const isHere = number === here;
    box.classList.toggle("here", isHere);
    if (isHere && moved && !isInView(box)) box.scrollIntoView({ block: "center", inline: "center" });
  });
}

/** Whether the head of a block can be seen. */
function isInView(box: Element): boolean {
  const { left, right, top } = box.getBoundingClientRect();
  return top > header.offsetHeight && top < innerHeight - MARGIN && right > 0 && left < innerWidth - MARGIN;
}
