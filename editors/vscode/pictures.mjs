// Copies the pictures that the README shows from where the end-to-end tests leave them.
import { copyFile } from "node:fs/promises";

for (const name of ["findings", "hover", "completion", "expansion", "control-flow"]) {
  await copyFile(`e2e/out/${name}.png`, `images/${name}.png`);
}
