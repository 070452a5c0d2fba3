// The line view, for formats without pictures: numbered lines, rows of sheets in columns, the same highlights.

import { failure, make } from "./dom.js";
import { groupedByLine } from "./layers.js";
import { manyLines, oneLine, pageName } from "./words.js";

/** Lines that come and go together. */
const CHUNK = 100;
const LINE_PX = 24;

export class LinesView {
  /** `onPage` hears the number of the page at the top of the view. */
  constructor(reading, { onPage }) {
    this.reading = reading;
    this.onPage = onPage;
    this.target = null;
    this.hits = new Map();
    this.chunks = [];
    this.root = make("div", {
      class: "lines scroller",
      tabindex: "0",
      role: "region",
      "aria-label": `Lines of ${oneLine(reading.record.name)}`,
    });
    this.seen = new IntersectionObserver((entries) => entries.forEach((entry) => this.cross(entry)), {
      root: this.root,
      rootMargin: "100%",
    });
    for (let first = 1; first <= reading.record.n_lines; first += CHUNK) {
      const last = Math.min(reading.record.n_lines, first + CHUNK - 1);
      const box = make("div", { class: "chunk", dataset: { at: this.chunks.length } });
      box.style.minHeight = `${(last - first + 1) * LINE_PX}px`;
      this.chunks.push({ box, first, last, lines: null });
      this.root.append(box);
      this.seen.observe(box);
    }
    if (!this.chunks.length) this.root.append(make("p", { class: "dim centred" }, "This document has no lines."));
    this.root.addEventListener("scroll", () => this.tellPage(), { passive: true });
    this.root.dataset.kind = kindOf(reading.record.media_type);
  }

  close() {
    this.seen.disconnect();
  }

  cross({ target, isIntersecting }) {
    const chunk = this.chunks[target.dataset.at];
    chunk.isNear = isIntersecting;
    if (isIntersecting) this.load(chunk);
    else if (chunk.lines) this.unload(chunk);
  }

  /** Fetch and fill; what has flown past by then stays empty, unless it was asked for by name. */
  async load(chunk, { isWanted = false } = {}) {
    if (chunk.lines) return;
    chunk.asked ??= this.reading.linesBetween(chunk.first, chunk.last);
    try {
      const lines = await chunk.asked;
      if (chunk.lines || !(isWanted || chunk.isNear)) return;
      chunk.lines = lines;
      this.fill(chunk);
      this.tellPage();
    } catch (problem) {
      chunk.box.replaceChildren(failure(problem, () => this.load(chunk)));
    } finally {
      chunk.asked = null;
    }
  }

  /** What is far from the view keeps its height and nothing else. */
  unload(chunk) {
    chunk.box.style.minHeight = `${chunk.box.offsetHeight}px`;
    chunk.box.replaceChildren();
    chunk.lines = null;
  }

  fill(chunk) {
    const made = [];
    let rows = [];
    const flush = () => {
      if (rows.length) made.push(this.grid(rows));
      rows = [];
    };
    let before = chunk.first > 1 ? null : 0;
    for (const line of chunk.lines) {
      if (before !== line.page_num && this.reading.pages.length > 1 && line.line_num === 1) {
        flush();
        made.push(make("h3", { class: "page-head", dataset: { page: line.page_num } }, this.heading(line.page_num)));
      }
      before = line.page_num;
      if (line.layer === "hidden") continue;
      if (line.text.includes("\t")) rows.push(line);
      else {
        flush();
        made.push(this.row(line));
      }
    }
    flush();
    chunk.box.style.minHeight = "";
    chunk.box.replaceChildren(...made);
  }

  heading(pageNum) {
    const kind = { sheet: "Sheet", slide: "Slide" }[this.root.dataset.kind] ?? "Page";
    return `${kind} ${pageName(this.reading.page(pageNum))}`;
  }

  row(line) {
    return make(
      "div",
      { class: this.classOf(line, "line"), dataset: { line: line.line_id } },
      make("span", { class: "line-num", "aria-hidden": "true" }, String(line.line_num)),
      make("span", { class: `line-text ${line.role}`, dir: "auto" }, this.marked(line, 0, line.text.length)),
    );
  }

  /** Rows whose cells are parted by tabs, in columns. */
  grid(rows) {
    const n = Math.max(...rows.map((line) => line.text.split("\t").length));
    return make(
      "div",
      { class: "scroll" },
      make(
        "table",
        { class: "cells" },
        make(
          "tbody",
          {},
          rows.map((line) => {
            let start = 0;
            const cells = line.text.split("\t").map((text) => {
              const cell = make("td", { dir: "auto" }, this.marked(line, start, start + text.length));
              start += text.length + 1;
              return cell;
            });
            while (cells.length < n) cells.push(make("td"));
            return make(
              "tr",
              { class: this.classOf(line, "line"), dataset: { line: line.line_id } },
              make("th", { scope: "row", class: "line-num" }, String(line.line_num)),
              cells,
            );
          }),
        ),
      ),
    );
  }

  classOf(line, name) {
    const isCited = this.target && line.line_id >= this.target.first && line.line_id <= this.target.last;
    return isCited ? `${name} cited ${this.target.tint ?? ""}` : name;
  }

  /** Part of a line's text with the quote and what was searched for marked. */
  marked(line, from, to) {
    const spans = (this.hits.get(line.line_id) ?? []).map((hit) => ({
      start: hit.start,
      end: hit.end,
      kind: hit.current ? "hit current" : "hit",
    }));
    const quoted = this.target && quotedIn(this.target, line);
    if (quoted && !spans.length) spans.push({ ...quoted, kind: `quoted ${this.target.tint ?? ""}` });
    const parts = [];
    let at = from;
    for (const span of spans) {
      const [start, end] = [Math.max(span.start, at), Math.min(span.end, to)];
      if (start >= end) continue;
      parts.push(
        manyLines(line.text.slice(at, start)),
        make("mark", { class: span.kind }, manyLines(line.text.slice(start, end))),
      );
      at = end;
    }
    return [...parts, manyLines(line.text.slice(at, to))];
  }

  /** Show a place: `{page, first, last, quote}`, ids of lines; without lines the start of the page. */
  async show(target) {
    this.target = target.first ? target : null;
    for (const chunk of this.chunks) if (chunk.lines) this.fill(chunk);
    const first = target.first ?? (await this.reading.linesOf(target.page))[0]?.line_id ?? 1;
    await this.reveal(first, target.first ? "center" : "start");
  }

  /** Scroll to a line, once it and its neighbours are there: heights are known only then. */
  async reveal(lineId, block) {
    const at = Math.floor((lineId - 1) / CHUNK);
    const near = [at - 1, at, at + 1].map((index) => this.chunks[index]).filter(Boolean);
    await Promise.all(near.map((chunk) => this.load(chunk, { isWanted: true })));
    const line = this.root.querySelector(`[data-line="${lineId}"]`);
    line?.scrollIntoView({ block, inline: "nearest" });
  }

  async goto(pageNum) {
    const [line] = await this.reading.linesOf(pageNum);
    if (!line) return;
    await this.reveal(line.line_id, "start");
  }

  showHits(hits, current) {
    this.hits = groupedByLine(hits, current);
    for (const chunk of this.chunks) if (chunk.lines) this.fill(chunk);
    const hit = hits.find((one) => one.hit === current);
    if (hit) this.reveal(hit.line_id, "center");
  }

  /** Say which page is at the top of the view. */
  tellPage() {
    cancelAnimationFrame(this.telling);
    this.telling = requestAnimationFrame(() => {
      const top = this.root.getBoundingClientRect().top + 40;
      const below = (element) => element.getBoundingClientRect().bottom > top;
      const chunk = this.chunks.find(({ box }) => below(box));
      if (!chunk?.lines) return;
      const row = [...chunk.box.querySelectorAll("[data-line]")].find(below);
      const id = Number(row?.dataset.line ?? chunk.first);
      const page = chunk.lines.find((line) => line.line_id === id)?.page_num;
      if (page && page !== this.current) this.onPage((this.current = page));
    });
  }
}

/** Which part of a line a quote covers: all of the lines in between, the start and end of those at its ends. */
function quotedIn({ first, last, quote }, line) {
  if (!quote || line.line_id < first || line.line_id > last) return null;
  const parts = quote.split("\n");
  const part = parts.length === last - first + 1 ? parts[line.line_id - first] : first === last ? quote : null;
  if (part === null) return { start: 0, end: line.text.length };
  const start = line.text.indexOf(part);
  return start === -1 ? { start: 0, end: line.text.length } : { start, end: start + part.length };
}

function kindOf(mediaType) {
  if (/sheet|csv|excel/.test(mediaType)) return "sheet";
  if (/presentation/.test(mediaType)) return "slide";
  return /source-code|x-python|json|plain/.test(mediaType) ? "code" : "prose";
}
