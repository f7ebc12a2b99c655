// Draws a kernel's control flow in the panel: laid out by dagre, blocks coloured by register pressure. A click on an
// instruction goes to its line, a click on what a long block leaves out shows it.

import { Graph, layout } from "@dagrejs/dagre";
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

const LINE = 16;
const PADDING = 8;
const LONGEST = 64;
const LONGEST_TITLE = 96;
/** Instructions of a block that are shown; the middle of a longer one is left out. */
const SHOWN = 16;
/** A drawing is made smaller to fit the panel as long as it can be read; the wheel and "Fit" go further. */
const READABLE = 0.6;
const SMALLEST = 0.05;
const LARGEST = 3;
const STEP = 1.15;

/** VGPRs that are far from limiting anything: a kernel that needs no more is nowhere hot. */
const HARMLESS = 8;

/** The share of the highest pressure up to which a colour goes; white text can be read on each. */
const HEAT: readonly (readonly [number, string])[] = [
  [0.25, "#3a7d57"],
  [0.5, "#667022"],
  [0.75, "#97631a"],
  [0.9, "#b3501f"],
  [1, "#b3302b"],
];
const KINDS: Readonly<Record<string, { readonly colour: string; readonly meaning: string }>> = {
  next: { colour: "#8a8f98", meaning: "falls through" },
  branch: { colour: "#3f8fd0", meaning: "branch" },
  back: { colour: "#d9534f", meaning: "loop back" },
  call: { colour: "#9a6dd0", meaning: "call" },
};

let flow: ControlFlow | undefined;
/** The drawing, its size before it is scaled, and how it is scaled; 0: as it fits. */
let picture = element("svg", {});
let natural = { width: 0, height: 0 };
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

search.type = "search";
search.placeholder = "Find an instruction";
search.addEventListener("input", () => find());
search.addEventListener("keydown", ({ key, shiftKey }) => key === "Enter" && next(shiftKey ? -1 : 1));

window.addEventListener("message", ({ data }) => {
  if (data.kind === "flow") {
    const isOther = flow?.kernel !== data.flow.kernel;
    if (flow && isOther) {
      scale = 0; // another kernel, another size
      opened.clear();
    }
    flow = data.flow as ControlFlow;
    keep({ uri: data.uri, kernel: flow.kernel });
    draw(flow);
    // Of a wide drawing the left edge may be empty; the cursor may be outside of the kernel.
    if (isOther) picture.querySelector(".block")?.scrollIntoView({ block: "nearest", inline: "center" });
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
editor.postMessage({ kind: "ready" });

/** Keeps what a window that is loaded again should have. */
function keep(changed: State): void {
  editor.setState({ ...editor.getState(), scale, opened: [...opened], ...changed });
}

/** A line of a block; opens: a click shows the whole block, or less of it again. */
interface Row {
  readonly text: string;
  readonly line: number;
  readonly isWait: boolean;
  readonly opens?: boolean;
}

function rows(block: Block): readonly Row[] {
  const all = block.instructions.map(({ text, line, isWait }) => ({ text: text.replace(/\s+/g, " "), line, isWait }));
  if (all.length <= SHOWN) return all;
  if (opened.has(firstLine(block))) return [...all, { text: "▴ show less", line: 0, isWait: false, opens: true }];
  const half = (SHOWN - 2) / 2;
  const text = `▾ ${all.length - 2 * half} more`;
  return [...all.slice(0, half), { text, line: 0, isWait: false, opens: true }, ...all.slice(-half)];
}

function firstLine(block: Block): number {
  return block.instructions[0]?.line ?? 0;
}

function title(block: Block): string {
  const first = firstLine(block) + 1;
  const last = (block.instructions.at(-1)?.line ?? 0) + 1;
  const accumulators = block.agprs > 0 ? `, ${block.agprs} AGPRs` : "";
  const waits = block.waits > 0 ? `, ${block.waits} wait${block.waits > 1 ? "s" : ""}` : "";
  const names = block.labels.length > 0 ? `${block.labels.join(", ")}: ` : "";
  const place = first === last ? `line ${first}` : `lines ${first}–${last}`;
  return `${names}${place}: ${block.vgprs} VGPRs${accumulators}, ${block.sgprs} SGPRs${waits}`;
}

const pen = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;

/** The width of a text in pixels, as it is drawn. */
function width(text: string, bold: boolean): number {
  const family = getComputedStyle(document.body).getPropertyValue("--vscode-editor-font-family") || "monospace";
  pen.font = `${bold ? "bold " : ""}12px ${family}`;
  return pen.measureText(text).width;
}

function short(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

function draw(drawn: ControlFlow): void {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 40, ranksep: 40, edgesep: 14, marginx: 24, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  drawn.blocks.forEach((block, number) => {
    const widths = rows(block).map(({ text }) => width(short(text, LONGEST), false));
    const widest = Math.max(width(short(title(block), LONGEST_TITLE), true), ...widths) + 2 * PADDING;
    graph.setNode(String(number), { width: widest, height: (rows(block).length + 1) * LINE + 2 * PADDING });
  });
  drawn.edges.forEach((edge, number) => {
    if (edge.source === edge.target) return; // Drawn below: the layout would lead it far around other blocks.
    graph.setEdge(String(edge.source), String(edge.target), { kind: edge.kind }, String(number));
  });
  layout(graph);
  natural = graph.graph() as { width: number; height: number };
  if (scale === 0) scale = Math.max(READABLE, Math.min(1, innerWidth / natural.width));
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
  const [left, top] = [scrollX, scrollY];
  const isSearching = document.activeElement === search;
  main.replaceChildren(picture);
  header.replaceChildren(...head(drawn));
  if (isSearching) search.focus();
  scrollTo(left, top);
  here = -1;
  mark(cursor, false);
  find();
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
    const hidden = flow.blocks.filter((block) => !opened.has(firstLine(block)) && isHidden(block, wanted));
    if (hidden.length > 0) {
      for (const block of hidden) opened.add(firstLine(block));
      draw(flow);
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

/** Whether only instructions that are left out have a text. */
function isHidden(block: Block, wanted: string): boolean {
  const has = (text: string) => text.replace(/\s+/g, " ").toLowerCase().includes(wanted);
  return !rows(block).some(({ text }) => has(text)) && block.instructions.some(({ text }) => has(text));
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
  const style = element("style", {});
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
  group.append(element("rect", { ...place, height: LINE + PADDING, rx: 5, class: "head", fill: colour }));
  const line = (text: string, row: number, kind: string, click: () => void) => {
    const written = element("text", { x: place.x + PADDING, y: place.y + (row + 1) * LINE, class: kind });
    written.textContent = text;
    written.addEventListener("click", click);
    group.append(written);
  };
  const goTo = (target: number) => () => editor.postMessage({ kind: "line", line: target });
  line(short(title(block), LONGEST_TITLE), 0, "title", goTo(firstLine(block)));
  rows(block).forEach((row, index) => {
    const kind = row.opens ? "more" : row.isWait ? "wait" : "";
    line(short(row.text, LONGEST), index + 1.4, kind, row.opens ? () => toggle(block) : goTo(row.line));
  });
  return group;
}

/** Shows all of a long block, or less of it. */
function toggle(block: Block): void {
  if (!opened.delete(firstLine(block))) opened.add(firstLine(block));
  keep({});
  if (flow) draw(flow);
}

function head(drawn: ControlFlow): Node[] {
  const tools = document.createElement("div");
  if (drawn.kernels.length > 1) {
    const list = document.createElement("select");
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
  for (const { colour, meaning } of Object.values(KINDS)) {
    const entry = document.createElement("span");
    const sample = document.createElement("i");
    sample.style.background = colour;
    entry.append(sample, meaning);
    key.append(entry);
  }
  const about = document.createElement("span");
  about.textContent = "Warmer blocks have more VGPRs in use; waits are orange.";
  key.append(about);
  return [tools, key];
}

function button(text: string, meaning: string, click: () => void): HTMLElement {
  const made = document.createElement("button");
  made.textContent = text;
  made.title = meaning;
  made.addEventListener("click", click);
  return made;
}

/** Frames the block in which the cursor is; `moved`: brings it into view when the cursor has come there from another. */
function mark(line: number, moved: boolean): void {
  cursor = line;
  const found = flow?.blocks.findIndex((block) => block.instructions.some((each) => each.line === line)) ?? -1;
  if (found === here) return;
  here = found;
  document.querySelectorAll(".block").forEach((box) => {
    const isHere = box.getAttribute("data-number") === String(here);
    box.classList.toggle("here", isHere);
    if (isHere && moved && !isInView(box)) box.scrollIntoView({ block: "center", inline: "center" });
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
