// The page: it puts the panes together, keeps the address in step with what is shown, and knows the shortcuts.

import { Adding } from "./adding.js";
import { resultView } from "./answer.js";
import { call, at, onUnauthorized } from "./api.js";
import { Asking, welcome } from "./asking.js";
import { numbered } from "./cites.js";
import { Documents, scopeChip } from "./documents.js";
import { byId, failure, toast } from "./dom.js";
import { History } from "./history.js";
import { Keys } from "./keys.js";
import { addressOf, copyText, hashOf, placeOf, readHash } from "./links.js";
import { openMenu } from "./menu.js";
import { closeSheet, isSheet, showPane } from "./panes.js";
import { askForToken, chosenCollection, isElsewhere, learnRights, openCollection, tellTotal } from "./session.js";
import { splitter } from "./split.js";

const state = { collection: null, result: null, cite: 0, cites: [] };
/** The viewer is fetched when a document is first opened: the first paint does not wait for it. */
let viewers = null;

// ── Panes ──

const body = document.body;

function leftTab(name) {
  for (const tab of document.querySelectorAll("[data-left]"))
    tab.setAttribute("aria-pressed", String(tab.dataset.left === name));
  byId("left-documents").hidden = name !== "documents";
  byId("left-history").hidden = name !== "history";
  if (name === "history") history_.load();
}

// ── Viewer ──

async function viewer(which = 0) {
  if (!viewers) {
    const { Viewer } = await import("./viewer.js");
    const close = (at) => () => closeViewer(at);
    viewers = ["viewer", "viewer-beside"].map(
      (id, at) =>
        new Viewer(byId(id), {
          collection: () => state.collection,
          onClose: close(at),
          tint: at ? "second" : "",
          onPlace: (spot) => at === 0 && placed(spot),
        }),
    );
  }
  body.classList.add("viewing");
  byId("viewer-empty").hidden = true;
  byId(which ? "viewer-beside" : "viewer").hidden = false;
  return viewers[which];
}

function closeViewer(which) {
  // The one beside does not stay alone.
  for (const at of which ? [1] : [0, 1]) {
    viewers[at].close();
    byId(at ? "viewer-beside" : "viewer").hidden = true;
  }
  markCites(null, 1);
  if (which) return main().view?.root.focus({ preventScroll: true });
  body.classList.remove("viewing");
  byId("viewer-empty").hidden = false;
  documents.current(null);
  writeHash({});
  showPane("ask");
  (document.querySelector(".cite.open, .source.open .source-place") ?? byId("question")).focus();
  markCites(null, 0);
}

/** The address says what is shown, so that it can be sent; it is not a step of the browser's history each time. */
function placed(spot) {
  const id = viewers[0].reading.id;
  documents.current(id);
  writeHash({ doc: id, ...spot.target });
}

let written = location.hash;
function writeHash(target) {
  const answer = state.result?.trace_id;
  const hash = hashOf({ collection: state.collection, answer, ...target });
  written = hash === "#" ? "" : hash;
  history.replaceState(null, "", written || location.pathname + location.search);
}

async function openTarget(target, which = 0) {
  showPane("viewer");
  const shown = await viewer(which);
  await shown.show(target);
  // Where the answer is out of sight, what had the focus is too.
  if (getComputedStyle(byId("middle")).visibility === "hidden") shown.view?.root.focus({ preventScroll: true });
}

// ── Results ──

const actions = {
  open: (one) => openCite(one),
  openBeside: async (one) => {
    if (!viewers || byId("viewer").hidden) return openCite(one);
    await openTarget({ citation: one.citation }, 1);
    markCites(one.number, 1);
  },
  openBoth: async ([first, second]) => {
    await openCite(first);
    await openTarget({ citation: second.citation }, 1);
    markCites(second.number, 1);
  },
  address: (citation) => addressOf(placeOf(citation, state.collection)),
  feedback: (use, right) =>
    call(["answers", state.result.trace_id, "feedback"], { method: "POST", body: { ...use, right } }),
  copyAnswerLink: async (result) => {
    const link = addressOf({ collection: state.collection, answer: result.trace_id });
    toast((await copyText(link)) ? "Link to this answer copied" : "This browser does not let the page copy");
  },
  exportMenu: (anchor, result) => {
    const isAnswer = result.result === "answer";
    const forms = [
      ["html", "Report (HTML)"],
      ["md", "Markdown"],
      isAnswer && ["csv", "Table (CSV)"],
      isAnswer && ["pdf", "Highlighted PDF"],
      ["json", "JSON"],
    ].filter(Boolean);
    openMenu(anchor, [
      ...forms.map(([format, label]) => ({ label, href: at(["answers", result.trace_id, "export"], { format }) })),
      {
        label: "Bundle for pincite verify",
        href: at(["answers", result.trace_id, "bundle"]),
        name: `pincite-${result.trace_id}.json`,
      },
    ]);
  },
  why: async (result) => {
    const { openWhy } = await import("./why.js");
    openWhy(result, {
      nameOf: (id) => documents.name(id),
      replayed: showResult,
      open: (range) => openTarget({ doc: range.doc_id, first: range.first_line_id, last: range.last_line_id }),
    });
  },
};

async function openCite(one) {
  state.cite = state.cites.indexOf(one);
  markCites(one.number, 0);
  await openTarget({ citation: one.citation });
}

/** The cites that are open are outlined, those beside in the tint that their lines have. */
function markCites(number, which) {
  const name = which ? "beside" : "open";
  for (const mark of document.querySelectorAll("[data-cite], [data-source]")) {
    const isIt = Number(mark.dataset.cite ?? mark.dataset.source) === number;
    mark.classList.toggle(name, isIt);
    if (mark.dataset.cite && !which) mark.setAttribute("aria-current", String(isIt));
  }
}

function stepCite(step) {
  if (!state.cites.length) return toast("There is no cite to go to");
  state.cite = (state.cite + step + state.cites.length) % state.cites.length;
  openCite(state.cites[state.cite]);
}

function showResult(result) {
  state.result = result;
  state.cites =
    result.result === "answer"
      ? numbered(result.items).citations
      : result.nearest.map((citation, i) => ({ number: i + 1, citation, uses: [] }));
  state.cite = -1;
  byId("output").replaceChildren(resultView(result, actions));
  writeHash(
    viewers?.[0].reading && !byId("viewer").hidden ? { doc: viewers[0].reading.id, ...viewers[0].spot?.target } : {},
  );
  showPane("ask");
  byId("middle").scrollTop = 0;
  if (!byId("left-history").hidden) history_.load();
}

// ── Start ──

const documents = new Documents({
  onRemoved: (id) => viewers?.forEach((one, which) => one.reading?.id === id && closeViewer(which)),
  open: (doc) => openTarget({ doc, page: 1 }),
  onScope: (names) => byId("scope").replaceChildren(scopeChip(names, () => documents.clearScope())),
  onTotal: (total) => {
    tellTotal(state.collection, total);
    if (!state.result && !asking.running)
      byId("output").replaceChildren(welcome(total > 0, { add: documents.canWrite && (() => adding.choose()) }));
  },
});
const adding = new Adding({ mayAdd: () => documents.canWrite, onAdded: () => documents.soon() });
const asking = new Asking({ scope: () => [...documents.chosen], onResult: showResult });
const history_ = new History({ recall: (id) => (showPane("ask"), asking.recall(id)) });

onUnauthorized(askForToken);

async function changeCollection(choice) {
  const name = await chosenCollection(choice);
  if (!name) return (byId("collection").value = state.collection);
  state.collection = name;
  state.result = null;
  if (viewers) closeViewer(0);
  writeHash({});
  await start();
}

async function start() {
  try {
    const rights = await learnRights();
    documents.canWrite = rights.write;
    state.collection = await openCollection(readHash(location.hash), state.collection, rights.create);
  } catch (problem) {
    byId("output").replaceChildren(failure(problem, start));
    return;
  }
  documents.clearScope();
  documents.list.replaceChildren();
  await documents.load();
  adding.resume();
  if (!byId("left-history").hidden) history_.load();
  await followHash();
}

/** Go where the address leads. */
async function followHash() {
  const target = readHash(location.hash);
  if (target.answer && target.answer !== state.result?.trace_id) await asking.recall(target.answer);
  if (target.doc) await openTarget(target);
}

function wire() {
  for (const tab of document.querySelectorAll(".tabs [data-shows]"))
    tab.addEventListener("click", () => showPane(tab.dataset.shows));
  byId("sheet-toggle").addEventListener("click", () =>
    showPane(body.dataset.pane === "documents" ? "ask" : "documents"),
  );
  for (const pane of document.querySelectorAll(".middle, .right"))
    pane.addEventListener("pointerdown", () => isSheet() && showPane("ask"));
  for (const tab of document.querySelectorAll("[data-left]"))
    tab.addEventListener("click", () => leftTab(tab.dataset.left));
  byId("add-button").addEventListener("click", () => adding.choose());
  byId("help-button").addEventListener("click", () => keys.help());
  byId("collection").addEventListener("change", (event) => changeCollection(event.target.value));
  splitter(byId("split"), { name: "Width of the viewer" });
  addEventListener("hashchange", async () => {
    if (location.hash === written) return;
    if (isElsewhere(readHash(location.hash), state.collection)) await start();
    else await followHash();
  });
}

const main = () => viewers?.[0];
const mayAsk = () => !byId("question").disabled;
const keys = new Keys([
  ["/", "Go to the question box", () => (showPane("ask"), byId("question").focus())],
  [
    "d",
    "Go to the documents",
    () => (
      showPane("documents"),
      leftTab("documents"),
      (byId("documents").querySelector("[tabindex='0']") ?? byId("filter")).focus()
    ),
  ],
  ["h", "Show what was asked before", () => mayAsk() && (showPane("documents"), leftTab("history"))],
  ["a", "Add documents", () => documents.canWrite && adding.choose()],
  ["j", "Next cite", () => stepCite(1)],
  ["k", "Previous cite", () => stepCite(-1)],
  [
    "v",
    "Go to the viewer",
    () => (main()?.view ? (showPane("viewer"), main().view.root.focus()) : toast("No document is open")),
  ],
  ["f", "Find in the document", () => main()?.openFind()],
  ["n", "Next page", () => main()?.reading && main().stepPage(1)],
  ["p", "Previous page", () => main()?.reading && main().stepPage(-1)],
  ["+", "Larger", () => main()?.reading && main().zoom(1)],
  ["-", "Smaller", () => main()?.reading && main().zoom(-1)],
  ["0", "Fit the width", () => main()?.reading && main().zoom(0)],
  ["t", "Contents and pages", () => main()?.reading && main().toggleSide()],
  ["w", "Why this answer", () => state.result && actions.why(state.result)],
  ["?", "This list", () => keys.help()],
  [
    "Escape",
    "Close the viewer",
    () => (isSheet() ? closeSheet() : main()?.reading && closeViewer(byId("viewer-beside").hidden ? 0 : 1)),
  ],
]);

wire();
showPane("ask");
document.title = "pincite";
start();
addEventListener("pageshow", (event) => event.persisted && documents.load());
