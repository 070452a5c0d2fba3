// Find in the document that is open: the server looks through all lines, the view marks them and leads from one to the next.

import { announce, iconButton, make } from "./dom.js";
import { oneLine } from "./words.js";

export class FindBar {
  /** `onHits` hears the hits and which of them is looked at. */
  constructor(reading, { onHits, onClose }) {
    this.reading = reading;
    this.onHits = onHits;
    this.hits = [];
    this.current = 0;
    this.input = make("input", { type: "search", "aria-label": `Find in ${oneLine(reading.record.name)}`, placeholder: "Find in this document", spellcheck: "false", autocomplete: "off" });
    this.count = make("span", { class: "find-count" });
    this.root = make("div", { class: "find", role: "search", "aria-label": "In this document" }, this.input, this.count,
      iconButton("up", "Previous hit", () => this.move(-1)), iconButton("down", "Next hit", () => this.move(1)),
      iconButton("close", "Close find", () => onClose()));
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
      this.have(await this.reading.find(text, this.asked.signal), "No hit");
    } catch (problem) {
      if (problem.name === "AbortError") return;
      this.searched = null;
      this.have([], problem.title ?? "Failed");
    }
  }

  have(hits, otherwise) {
    this.hits = hits;
    this.current = 0;
    this.tell(otherwise);
  }

  async move(step) {
    if (this.input.value.trim() !== this.searched) return this.search();
    if (!this.hits.length) return;
    this.current = (this.current + step + this.hits.length) % this.hits.length;
    this.tell("");
  }

  tell(otherwise) {
    const said = this.hits.length ? `${this.current + 1} of ${this.hits.length.toLocaleString("en")}` : otherwise;
    this.count.textContent = said;
    if (said) announce(this.hits.length ? `${said}: ${this.hits[this.current].text}` : said);
    this.onHits(this.hits, this.current);
  }

  close() {
    clearTimeout(this.timer);
    this.asked?.abort();
    this.onHits([], 0);
    this.root.remove();
  }
}
