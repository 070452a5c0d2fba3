// Who asks and where: the session of a token, what it may do, and the collection that is open.

import { call, useCollection } from "./api.js";
import { byId, kept, make } from "./dom.js";
import { prompted } from "./menu.js";

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
/** The choice in the list of collections that makes one: no collection has such a name. */
const NEW = " new";

/** Ask for the token that the server wants; a cookie keeps the session from then on. */
export async function askForToken() {
  const given = await prompted({
    title: "This server asks for a token",
    text: "Whoever runs it makes one with: pincite token new --scope read|ask|write --collection NAME",
    label: "Token",
    verb: "Open",
    type: "password",
    attempt: (token) => call("session", { method: "POST", body: { token } }),
  });
  return given !== null;
}

/** What this reader may do: a token for reading shows no buttons that would be refused. */
export async function learnRights() {
  const { scopes, collection } = await call("session");
  const rights = { write: scopes.includes("write"), create: scopes.includes("write") && collection === "*" };
  document.body.classList.toggle("read-only", !rights.write);
  // What was asked before belongs to those who may ask.
  document.querySelector("[data-left=history]").hidden = !scopes.includes("ask");
  byId("ask-button").disabled = byId("question").disabled = !scopes.includes("ask");
  byId("question").placeholder = scopes.includes("ask") ? "Ask a question" : "This token may read, but not ask";
  return rights;
}

const named = ({ name, n_documents: n }) => `${name} (${n.toLocaleString("en")})`;

/** The collection that an address means, else the one that was open last: a link without one means `default`. */
const meant = ({ collection, doc, answer }, open) =>
  collection ?? (doc || answer ? "default" : (open ?? kept.get("collection", null)));

/** Whether an address leads to another collection than the one that is open. */
export const isElsewhere = (target, open) => meant(target, open) !== open;

/** Fill the list of collections, open the one that is meant, and return its name. */
export async function openCollection(target, open, mayCreate) {
  const { collections } = await call("collections");
  const names = collections.map((one) => one.name);
  const wanted = meant(target, open);
  const chosen = [wanted, "default"].find((name) => names.includes(name)) ?? names[0] ?? null;
  useCollection(chosen);
  const select = byId("collection");
  select.replaceChildren(...collections.map((one) => make("option", { value: one.name }, named(one))));
  if (mayCreate) select.append(make("option", { value: NEW }, "New collection …"));
  select.value = chosen;
  return chosen;
}

/** Say how many documents a collection has by now. */
export function tellTotal(name, total) {
  const option = [...byId("collection").options].find((one) => one.value === name);
  if (option) option.textContent = named({ name, n_documents: total });
}

/** The name that was chosen, once it is there; `null` where making a new one was given up. */
export async function chosenCollection(choice) {
  const name = choice === NEW ? await newCollection() : choice;
  if (name) kept.set("collection", name);
  return name;
}

const newCollection = () =>
  prompted({
    title: "New collection",
    text: "Small letters, digits and hyphens. Collections share nothing: no words, no answers.",
    label: "Name",
    verb: "Create",
    check: (given) =>
      NAME.test(given) ? "" : "A name begins with a letter or digit, then letters, digits and hyphens: at most 63.",
    attempt: (given) => call("collections", { method: "POST", body: { name: given } }),
  });
