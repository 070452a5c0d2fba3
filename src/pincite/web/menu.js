// Menus and dialogs: opened by a button, closed by Escape, and focus goes back to where it was.

import { button, byId, iconButton, make } from "./dom.js";

/** Open a menu below `anchor`; entries are `{label, run}` or `{label, href, name}` of a file. */
export function openMenu(anchor, entries) {
  byId("menu")?.remove();
  const close = () => {
    menu.remove();
    if (anchor.isConnected) anchor.focus();
  };
  const menu = make(
    "div",
    {
      id: "menu",
      class: "menu",
      role: "menu",
      popover: "auto",
      "aria-label": anchor.getAttribute("aria-label") ?? anchor.textContent,
    },
    entries.map(({ label, run, href, name = true }) =>
      href
        ? make(
            "a",
            { role: "menuitem", tabindex: "-1", href, download: name, on: { click: () => setTimeout(close) } },
            label,
          )
        : button(label, () => (close(), run()), { role: "menuitem", tabindex: "-1" }),
    ),
  );
  // Inside an open dialog the rest of the page is inert; else the menu belongs to the landmark of its button.
  (anchor.closest("dialog, main, aside") ?? document.body).append(menu);
  menu.showPopover();
  const at = anchor.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(at.left, innerWidth - menu.offsetWidth - 8))}px`;
  const below = at.bottom + 4 + menu.offsetHeight <= innerHeight - 8;
  menu.style.top = `${below ? at.bottom + 4 : Math.max(8, at.top - 4 - menu.offsetHeight)}px`;
  const items = [...menu.children];
  menu.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Tab" || event.key === "Escape") close();
    else if (step) items.at((items.indexOf(document.activeElement) + step) % items.length).focus();
    else if (event.key === "Home") items[0].focus();
    else if (event.key === "End") items.at(-1).focus();
    else return;
    event.preventDefault();
  });
  menu.addEventListener("toggle", (event) => event.newState === "closed" && menu.isConnected && menu.remove());
  items[0].focus();
}

/** Open a dialog and return it; what has the focus before has it again after. */
export function openDialog(title, content, { kind = "box", onClose } = {}) {
  const before = document.activeElement;
  const heading = make("h2", { id: "dialog-title", tabindex: "-1" }, title);
  const dialog = make(
    "dialog",
    { class: kind, "aria-labelledby": "dialog-title" },
    make(
      "div",
      { class: "dialog-head" },
      heading,
      iconButton("close", "Close", () => dialog.close()),
    ),
    make("div", { class: "dialog-body" }, content),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before?.isConnected) before.focus();
    onClose?.(dialog.returnValue);
  });
  document.body.append(dialog);
  dialog.showModal();
  if (!dialog.querySelector("[autofocus]")) heading.focus();
  return dialog;
}

/** Ask before something that cannot be taken back; the answer is a promise of true or false. */
export function confirmed(title, text, verb) {
  return new Promise((resolve) => {
    const form = make(
      "form",
      { method: "dialog" },
      make("p", { dir: "auto" }, text),
      make(
        "div",
        { class: "dialog-foot" },
        make("button", { value: "no", class: "quiet", autofocus: true }, "Keep"),
        make("button", { value: "yes", class: "danger" }, verb),
      ),
    );
    openDialog(title, form, { onClose: (said) => resolve(said === "yes") });
  });
}

/** Ask for one line of text; the answer is a promise of it, `null` where none was given. `check` says what is wrong. */
export function prompted({ title, text, label, verb, type = "text", check, attempt }) {
  return new Promise((resolve) => {
    let given = null;
    const wrong = make("p", { class: "wrong", role: "alert" });
    const input = make("input", {
      type,
      name: "given",
      required: true,
      autofocus: true,
      autocomplete: "off",
      spellcheck: "false",
      "aria-describedby": "prompt-text",
    });
    const form = make(
      "form",
      { on: { submit: send } },
      make("p", { id: "prompt-text" }, text),
      make("label", { class: "field" }, label, input),
      wrong,
      make("div", { class: "dialog-foot" }, make("button", { type: "submit", class: "primary" }, verb)),
    );
    async function send(event) {
      event.preventDefault();
      wrong.textContent = check?.(input.value.trim()) ?? "";
      if (wrong.textContent) return input.focus();
      try {
        await attempt?.(input.value.trim());
        given = input.value.trim();
        dialog.close();
      } catch (problem) {
        wrong.textContent = problem.detail || problem.message;
        input.select();
      }
    }
    const dialog = openDialog(title, form, { onClose: () => resolve(given) });
  });
}
