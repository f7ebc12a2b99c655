"use strict";

// The search: loads the index when the field is first used, ranks names before what is said of them.
(() => {
  const LIMIT = 30;
  const { root, index } = document.currentScript.dataset;
  const form = document.getElementById("search");
  const field = document.getElementById("query");
  const list = document.getElementById("results");
  const count = document.getElementById("count");
  let entries = null;
  let asked = false;

  // The index calls this with its rows: name, address, summary, other words of the page.
  window.searchIndex = (rows) => {
    entries = rows.map(([name, address, summary, words]) => ({
      name,
      address,
      summary,
      low: name.toLowerCase(),
      text: `${name} ${summary}`.toLowerCase(),
      all: `${name} ${summary} ${words ?? ""}`.toLowerCase(),
    }));
    show();
  };

  function load() {
    if (asked) return;
    asked = true;
    const script = document.createElement("script");
    script.src = index;
    document.head.append(script);
  }

  // Smaller is better; -1 is no match.
  function rank(entry, query, words) {
    if (entry.low === query) return 0;
    if (entry.low.startsWith(query)) return 1;
    if (entry.low.includes(query)) return 2;
    if (words.every((word) => entry.low.includes(word))) return 3;
    if (words.every((word) => entry.text.includes(word))) return 4;
    if (words.every((word) => entry.all.includes(word))) return 5;
    return -1;
  }

  function find(query) {
    // Words of one or two letters, and these, say nothing.
    const said = query.split(/\s+/).filter((word) => word.length > 2 && !["for", "the", "and", "with"].includes(word));
    const words = said.length > 0 ? said : query.split(/\s+/);
    return entries
      .map((entry) => ({ entry, rank: rank(entry, query, words) }))
      .filter((found) => found.rank >= 0)
      .sort((a, b) => a.rank - b.rank || a.entry.name.length - b.entry.name.length || (a.entry.name < b.entry.name ? -1 : 1))
      .map((found) => found.entry);
  }

  function show() {
    const query = field.value.trim().toLowerCase();
    list.replaceChildren();
    if (!query || entries === null) {
      count.textContent = query ? "Loading ..." : "";
      return;
    }
    const found = find(query);
    count.textContent = found.length > LIMIT ? `${found.length} found, the first ${LIMIT}:` : `${found.length} found`;
    for (const entry of found.slice(0, LIMIT)) {
      const name = document.createElement("code");
      name.textContent = entry.name;
      const summary = document.createElement("span");
      summary.textContent = entry.summary;
      const link = document.createElement("a");
      link.href = root + entry.address;
      link.append(name, summary);
      const item = document.createElement("li");
      item.append(link);
      list.append(item);
    }
  }

  function move(event) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const stops = [field, ...list.querySelectorAll("a")];
    const next = stops[stops.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1)];
    if (next) {
      event.preventDefault();
      next.focus();
    }
  }

  field.addEventListener("focus", load);
  field.addEventListener("input", () => {
    load();
    show();
  });
  form.addEventListener("keydown", move);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const first = list.querySelector("a");
    if (first) first.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
    }
  });
  form.hidden = false;
  if (location.hash.startsWith("#q=")) {
    field.value = decodeURIComponent(location.hash.slice(3));
    load();
  }
})();
