// Find in the open document: the server looks through all lines, the view marks them and leads from hit to hit.

import { announce, iconButton, make } from "./dom.js";
import { oneLine } from "./words.js";

export class FindBar {
  /** `onHits` hears the hits and which of them is looked at. */
  constructor(reading, { onHits, onClose }) {
    this.reading = reading;
    this.onHits = onHits;
    this.have([], "", true);
    this.input = make("input", {
      type: "search",
      "aria-label": `Find in ${oneLine(reading.record.name)}`,
      placeholder: "Find in this document",
      spellcheck: "false",
      autocomplete: "off",
    });
    this.count = make("span", { class: "find-count" });
    this.root = make(
      "div",
      { class: "find", role: "search", "aria-label": "In this document" },
      this.input,
      this.count,
      iconButton("up", "Previous hit", () => this.move(-1)),
      iconButton("down", "Next hit", () => this.move(1)),
      iconButton("close", "Close find", () => onClose()),
    );
    this.input.addEventListener("input", () => this.later());
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") onClose();
      else if (event.key === "Enter" && event.target === this.input) this.move(event.shiftKey ? -1 : 1);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.search(), 180);
  }

  async search() {
    clearTimeout(this.timer);
    this.asked?.abort();
    const text = this.input.value.trim();
    if (text === this.searched) return;
    this.searched = text;
    if (!text) return this.have([], "");
    this.asked = new AbortController();
    try {
      const { hits, is_complete: isWhole } = await this.reading.find(text, this.asked.signal);
      this.have(hits, "No hit", isWhole);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      this.searched = null;
      this.have([], problem.title ?? "Failed");
    }
  }

  have(pieces, otherwise, isWhole = true) {
    this.pieces = pieces;
    this.hits = [...new Set(pieces.map((piece) => piece.hit))];
    this.isWhole = isWhole;
    this.current = 0;
    if (this.count) this.tell(otherwise);
  }

  async move(step) {
    if (this.input.value.trim() !== this.searched) return this.search();
    if (!this.hits.length) return;
    this.current = (this.current + step + this.hits.length) % this.hits.length;
    this.tell("");
  }

  tell(otherwise) {
    const current = this.hits[this.current];
    const many = `${this.hits.length.toLocaleString("en")}${this.isWhole ? "" : "+"}`;
    const said = this.hits.length ? `${this.current + 1} of ${many}` : otherwise;
    this.count.textContent = said;
    if (said) announce(this.hits.length ? `${said}: ${this.pieces.find((piece) => piece.hit === current).text}` : said);
    this.onHits(this.pieces, current);
  }

  close() {
    clearTimeout(this.timer);
    this.asked?.abort();
    this.onHits([], null);
    this.root.remove();
  }
}
