// Draws a kernel's control flow in the panel: laid out by dagre, blocks coloured by register pressure. A click on an
// instruction goes to its line.

import { Graph, layout } from "@dagrejs/dagre";
import type { Block, ControlFlow } from "../src/control-flow";

declare function acquireVsCodeApi(): { postMessage(message: object): void };

const editor = acquireVsCodeApi();
const header = document.querySelector("header") as HTMLElement;
const main = document.querySelector("main") as HTMLElement;

const LINE = 16;
const PADDING = 8;
const CHARACTER = 7.3;
const LONGEST = 64;
/** Instructions of a block that are shown; the middle of a longer one is left out. */
const SHOWN = 16;
/** A drawing is made smaller to fit the panel as long as it can be read; the wheel goes further. */
const READABLE = 0.6;
const SMALLEST = 0.1;
const LARGEST = 3;
const STEP = 1.15;

/** VGPRs that are far from limiting anything: a kernel that needs no more is nowhere hot. */
const HARMLESS = 8;

/** The share of the highest pressure up to which a colour goes. */
const HEAT: readonly (readonly [number, string])[] = [
  [0.25, "#4c9f70"],
  [0.5, "#98a53f"],
  [0.75, "#c98a2b"],
  [0.9, "#d0622f"],
  [1, "#c93c37"],
];
const KINDS: Readonly<Record<string, { readonly colour: string; readonly meaning: string }>> = {
  next: { colour: "#8a8f98", meaning: "goes on" },
  branch: { colour: "#3f8fd0", meaning: "branch" },
  back: { colour: "#d9534f", meaning: "loop back" },
  call: { colour: "#9a6dd0", meaning: "call" },
};

let flow: ControlFlow | undefined;
/** The drawing, its size before it is scaled, and how it is scaled. */
let picture = element("svg", {});
let natural = { width: 0, height: 0 };
let scale = 1;
/** The block with the cursor in it; none is when the cursor is elsewhere. */
let here = -1;

window.addEventListener("message", ({ data }) => {
  if (data.kind === "flow") {
    if (flow?.kernel !== data.flow.kernel) scale = 0; // another kernel, another size
    flow = data.flow;
    draw(data.flow);
  } else if (data.kind === "cursor") mark(data.line);
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
editor.postMessage({ kind: "ready" });

interface Row {
  readonly text: string;
  readonly line: number;
  readonly isWait: boolean;
}

function rows(block: Block): readonly Row[] {
  const all = block.instructions.map(({ text, line, isWait }) => ({ text: text.replace(/\s+/g, " "), line, isWait }));
  if (all.length <= SHOWN) return all;
  const half = (SHOWN - 2) / 2;
  const line = all[half]?.line ?? 0;
  return [...all.slice(0, half), { text: `… ${all.length - 2 * half} more`, line, isWait: false }, ...all.slice(-half)];
}

function title(block: Block): string {
  const first = (block.instructions[0]?.line ?? 0) + 1;
  const last = (block.instructions.at(-1)?.line ?? 0) + 1;
  const accumulators = block.agprs > 0 ? ` + ${block.agprs} A` : "";
  const waits = block.waits > 0 ? `, ${block.waits} wait${block.waits > 1 ? "s" : ""}` : "";
  const names = block.labels.length > 0 ? `${block.labels.join(", ")}: ` : "";
  return `${names}${first === last ? first : `${first}–${last}`}, ${block.vgprs}${accumulators} VGPRs, ${block.sgprs} SGPRs${waits}`;
}

function draw(drawn: ControlFlow): void {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 40, ranksep: 40, edgesep: 14, marginx: 24, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  drawn.blocks.forEach((block, number) => {
    const longest = Math.max(title(block).length, ...rows(block).map(({ text }) => text.length));
    const width = Math.min(longest, LONGEST) * CHARACTER + 2 * PADDING;
    graph.setNode(String(number), { width, height: (rows(block).length + 1) * LINE + 2 * PADDING });
  });
  drawn.edges.forEach((edge, number) => {
    if (edge.source === edge.target) return; // Drawn below: the layout would lead it far around other blocks.
    graph.setEdge(String(edge.source), String(edge.target), { kind: edge.kind }, String(number));
  });
  layout(graph);
  natural = graph.graph() as { width: number; height: number };
  if (scale === 0) scale = Math.max(READABLE, Math.min(1, document.documentElement.clientWidth / natural.width));
  picture = element("svg", { viewBox: `0 0 ${natural.width} ${natural.height}` });
  resize();
  picture.append(markers());
  for (const id of graph.edges()) {
    const { points, kind } = graph.edge(id) as { points: { x: number; y: number }[]; kind: string };
    const path = points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    picture.append(way(path, kind));
  }
  const highest = Math.max(...drawn.blocks.map((block) => block.vgprs));
  drawn.blocks.forEach((block, number) => {
    const { x, y, width, height } = graph.node(String(number)) as {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    picture.append(box(block, number, { x: x - width / 2, y: y - height / 2, width, height }, highest));
    for (const edge of drawn.edges.filter(({ source, target }) => source === number && target === number)) {
      const [right, top, bottom] = [x + width / 2, y - height / 2 + LINE, y + height / 2 - LINE];
      picture.append(way(`M${right} ${bottom}h${LINE}V${top}H${right + 2}`, edge.kind));
    }
  });
  main.replaceChildren(picture);
  header.replaceChildren(...head(drawn));
  here = -1;
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
}

function way(path: string, kind: string): SVGElement {
  const dashes = kind === "call" ? { "stroke-dasharray": "5 3" } : {};
  const colour = KINDS[kind]?.colour ?? "gray";
  return element("path", { class: "edge", d: path, stroke: colour, "marker-end": `url(#${kind})`, ...dashes });
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function box(block: Block, number: number, place: Place, highest: number): SVGElement {
  const colour = heat(block.vgprs, highest);
  const group = element("g", { class: "block", "data-number": number });
  group.append(element("rect", { ...place, rx: 5, class: "frame", stroke: colour }));
  group.append(element("rect", { ...place, height: LINE + PADDING, rx: 5, fill: colour }));
  const line = (text: string, row: number, kind: string, target: number) => {
    const written = element("text", { x: place.x + PADDING, y: place.y + (row + 1) * LINE, class: kind });
    written.textContent = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
    written.addEventListener("click", () => editor.postMessage({ kind: "line", line: target }));
    group.append(written);
  };
  line(title(block), 0, "title", block.instructions[0]?.line ?? 0);
  rows(block).forEach((row, index) => {
    line(row.text, index + 1.4, row.isWait ? "wait" : "", row.line);
  });
  return group;
}

function head(drawn: ControlFlow): Node[] {
  const parts: Node[] = [];
  if (drawn.kernels.length > 1) {
    const list = document.createElement("select");
    for (const name of drawn.kernels) list.add(new Option(name, name, false, name === drawn.kernel));
    list.addEventListener("change", () => editor.postMessage({ kind: "kernel", kernel: list.value }));
    parts.push(list);
  }
  for (const { colour, meaning } of Object.values(KINDS)) {
    const key = document.createElement("span");
    const sample = document.createElement("i");
    sample.style.background = colour;
    key.append(sample, meaning);
    parts.push(key);
  }
  const about = document.createElement("div");
  about.textContent = "The hotter a block, the more VGPRs are in use; waits are orange. Ctrl and the wheel zoom.";
  parts.push(about);
  return parts;
}

/** Frames the block in which the cursor is, and brings it into view when the cursor has come there from another. */
function mark(line: number): void {
  const found = flow?.blocks.findIndex((block) => block.instructions.some((each) => each.line === line)) ?? -1;
  if (found === here) return;
  here = found;
  document.querySelectorAll(".block").forEach((box) => {
    const isHere = box.getAttribute("data-number") === String(here);
    box.classList.toggle("here", isHere);
    if (isHere && !isInView(box)) box.scrollIntoView({ block: "center", inline: "center" });
  });
}

/** Whether the head of a block can be seen. */
function isInView(box: Element): boolean {
  const { left, right, top } = box.getBoundingClientRect();
  return top > header.offsetHeight && top < innerHeight - 2 * LINE && right > 0 && left < innerWidth - 2 * LINE;
}

function heat(value: number, highest: number): string {
  const share = value / Math.max(highest, HARMLESS);
  return HEAT.find(([limit]) => share <= limit)?.[1] ?? "gray";
}

function markers(): SVGElement {
  const all = element("defs", {});
  for (const [kind, { colour }] of Object.entries(KINDS)) {
    const size = { markerWidth: 7, markerHeight: 7, refX: 7, refY: 4, viewBox: "0 0 8 8", orient: "auto" };
    const marker = element("marker", { id: kind, ...size });
    marker.append(element("path", { d: "M0 0L8 4L0 8Z", fill: colour }));
    all.append(marker);
  }
  return all;
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}
