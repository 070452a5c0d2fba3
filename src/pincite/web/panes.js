// Which pane is seen where there is not room for all: tabs on a phone, the documents as a sheet at middle widths.

import { byId } from "./dom.js";

/** On a phone one pane is seen at a time, at middle widths the documents are a sheet; wide windows show all three. */
export function showPane(name) {
  document.body.dataset.pane = name;
  for (const tab of document.querySelectorAll("[data-shows]"))
    tab.setAttribute("aria-pressed", String(tab.dataset.shows === name));
  byId("sheet-toggle").setAttribute("aria-expanded", String(name === "documents"));
}

/** Whether the documents lie over the other panes. */
export const isSheet = () => document.body.dataset.pane === "documents" && byId("sheet-toggle").offsetParent !== null;

export function closeSheet() {
  showPane("ask");
  byId("sheet-toggle").focus();
}
