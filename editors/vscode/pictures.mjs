// Copies the pictures that the README and the walkthrough show from where the end-to-end tests leave them.
import { copyFile } from "node:fs/promises";

for (const name of [
  ...["findings", "hover", "completion", "expansion", "control-flow"],
  ...["report", "reinsert-waits", "new-kernel", "pick-target", "settings"],
]) {
  await copyFile(`e2e/out/${name}.png`, `images/${name}.png`);
}
