// Shortcuts: single keys where nothing is typed, listed with `?`, and turned off for who speaks to the computer.

import { kept, make } from "./dom.js";
import { openDialog } from "./menu.js";

const typing = (element) => element.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");

export class Keys {
  /** `table` is a list of `[key, words, action]`. */
  constructor(table) {
    this.table = table;
    this.isOn = kept.get("shortcuts", true);
    addEventListener("keydown", (event) => this.press(event));
  }

  press(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (!(event.target instanceof Element) || typing(event.target) || document.querySelector("dialog[open], #menu"))
      return;
    if (!this.isOn && event.key !== "?") return;
    const found = this.table.find(([key]) => key === event.key);
    if (!found) return;
    event.preventDefault();
    found[2]();
  }

  help() {
    const box = make("input", {
      type: "checkbox",
      on: { change: () => kept.set("shortcuts", (this.isOn = box.checked)) },
    });
    box.checked = this.isOn;
    const names = { Escape: "Esc" };
    openDialog("Keyboard", [
      make(
        "dl",
        { class: "shortcuts" },
        this.table.map(([key, words]) => [make("dt", {}, make("kbd", {}, names[key] ?? key)), make("dd", {}, words)]),
        make("dt", {}, make("kbd", {}, "↑"), make("kbd", {}, "↓")),
        make("dd", {}, "Move in lists, contents and menus; ← → along a row"),
        make("dt", {}, make("kbd", {}, "Del")),
        make("dd", {}, "Delete the document that has the focus"),
      ),
      make("label", { class: "check" }, box, "Single keys work outside of text fields"),
    ]);
  }
}
