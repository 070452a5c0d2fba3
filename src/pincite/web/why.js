// The "why" drawer, from a trace: what was understood, found, tried again, and how long it took.

import { call } from "./api.js";
import { button, failure, make } from "./dom.js";
import { openDialog } from "./menu.js";
import { counted, moment, oneLine, seconds } from "./words.js";

/** How many places of a search are shown at first. */
const PLACES = 12;

/** Open the drawer for a result; `open` leads to a place, `replayed` hears the result of running it again. */
export function openWhy(result, { open, replayed, nameOf }) {
  const body = make("div", { class: "why" }, make("p", { class: "dim", role: "status" }, "Loading the trace"));
  const dialog = openDialog("How this came about", body, { kind: "drawer" });
  call(["traces", result.trace_id]).then(
    (said) => body.replaceChildren(...sections(said.trace ?? said, { dialog, open, replayed, nameOf })),
    (problem) => body.replaceChildren(failure(problem)),
  );
}

function sections(trace, actions) {
  const last = (name) => trace.steps.findLast((step) => step.name === name)?.output;
  const [question, found, draft] = [last("question"), last("retrieval"), last("answer")];
  return [
    question && section("Understood", understood(question)),
    found && section("Looked at", places(found, actions)),
    draft &&
      section("Drafted", [
        make("p", {}, `${counted(draft.items.length, "item")}, confidence ${draft.confidence.toFixed(2)}`),
        draft.reason && make("p", { class: "dim", dir: "auto" }, draft.reason),
      ]),
    trace.rounds.length > 0 &&
      section(
        "Looked again",
        make(
          "ol",
          { class: "plain" },
          trace.rounds.map((round) =>
            make(
              "li",
              { dir: "auto" },
              `${round.action}, because ${round.trigger}: confidence ${round.before.toFixed(2)} → ${round.after.toFixed(2)}`,
            ),
          ),
        ),
      ),
    section("Time taken", timings(trace.steps)),
    trace.calls?.length > 0 &&
      section(
        "Models",
        make(
          "ul",
          { class: "plain" },
          trace.calls.map((one) =>
            make(
              "li",
              {},
              `${one.role}: ${one.provider} ${one.model}, ${one.input_tokens + one.output_tokens} tokens, ${seconds(one.seconds)}${one.error ? `, failed: ${one.error}` : ""}`,
            ),
          ),
        ),
      ),
    section("Run it again", replay(trace, actions)),
    section(
      "Trace",
      make(
        "p",
        { class: "dim" },
        make("code", {}, trace.trace_id),
        ` · ${moment(trace.asked_at)} · `,
        Object.entries(trace.versions)
          .map(([name, version]) => `${name} ${version}`)
          .join(", "),
      ),
    ),
  ].filter(Boolean);
}

const section = (title, ...content) => make("section", {}, make("h3", {}, title), ...content);

function understood(question) {
  const facts = [
    ["Shape", question.shape],
    ["Read by", question.granularity],
    ["Corrected to", question.corrected === question.original ? null : question.corrected],
    ["Lines have to carry", question.must_distinguish.join(", ")],
    ["Also asked as", question.rewrites.join(" · ")],
    ["Parts", question.sub_questions.join(" · ")],
    ["Asks back", question.clarification],
  ].filter(([, said]) => said);
  return [
    make(
      "dl",
      { class: "extent" },
      facts.map(([name, said]) => [make("dt", {}, name), make("dd", { dir: "auto" }, oneLine(said))]),
    ),
    make(
      "ul",
      { class: "terms", "aria-label": "Keywords" },
      question.keywords.map((keyword) =>
        make(
          "li",
          {},
          make("bdi", {}, oneLine(keyword.text)),
          keyword.origin !== "question" && make("small", {}, ` ${keyword.origin}`),
        ),
      ),
    ),
    question.notes.length > 0 &&
      make(
        "ul",
        { class: "plain dim" },
        question.notes.map((note) => make("li", { dir: "auto" }, note)),
      ),
  ];
}

function places(found, { dialog, open, nameOf }) {
  const rows = found.candidates.map((candidate) =>
    row(candidate, nameOf, () => (dialog.close(), open(candidate.anchor))),
  );
  const list = make("ol", { class: "places" }, rows.slice(0, PLACES));
  const more =
    rows.length > PLACES &&
    button(`Show all ${rows.length}`, () => (list.append(...rows.slice(PLACES)), more.remove()), { class: "quiet" });
  return [
    make("p", {}, `${counted(rows.length, "place")}, confidence ${found.confidence.toFixed(2)}`),
    found.not_found_reason && make("p", { class: "dim", dir: "auto" }, found.not_found_reason),
    list,
    more,
  ];
}

function row(candidate, nameOf, go) {
  const { anchor } = candidate;
  const where =
    anchor.first_line_id === anchor.last_line_id
      ? `line ${anchor.first_line_id}`
      : `lines ${anchor.first_line_id}–${anchor.last_line_id}`;
  return make(
    "li",
    {},
    make(
      "button",
      { type: "button", class: "place", on: { click: go } },
      make("bdi", {}, oneLine(nameOf(anchor.doc_id))),
      ` ${where}`,
    ),
    candidate.section.length > 0 &&
      make("p", { class: "crumb", dir: "auto" }, candidate.section.map(oneLine).join(" › ")),
    make(
      "ul",
      { class: "terms", "aria-label": "Detectors" },
      candidate.detectors.map((one) =>
        make(
          "li",
          {},
          make("b", {}, oneLine(one.name)),
          ` #${one.rank} · ${one.score.toFixed(2)}`,
          one.matched_terms.length > 0 &&
            make(
              "small",
              {},
              ` ${one.matched_terms.map(({ term, count }) => `${oneLine(term)} ×${count}`).join(", ")}`,
            ),
        ),
      ),
    ),
  );
}

function timings(steps) {
  const longest = Math.max(...steps.map((step) => step.seconds), 1e-9);
  return make(
    "ol",
    { class: "timings" },
    steps.map((step) =>
      make(
        "li",
        {},
        make("span", {}, step.name),
        make("meter", {
          min: 0,
          max: longest,
          value: step.seconds,
          "aria-label": `${step.name}: ${seconds(step.seconds)}`,
        }),
        make("span", { class: "number" }, seconds(step.seconds)),
      ),
    ),
  );
}

/** Any step can be run again on what the step before it saved. */
function replay(trace, { dialog, replayed }) {
  const said = make("div", { role: "status" });
  const again = (from) => async (event) => {
    event.currentTarget.disabled = true;
    try {
      const result = await call(["traces", trace.trace_id, "replay"], { method: "POST", body: { from } });
      dialog.close();
      replayed(result);
    } catch (problem) {
      said.replaceChildren(failure(problem));
    }
  };
  const steps = [
    ["retrieval", "From the search"],
    ["answer", "From the answer"],
    ["verify", "From the check"],
  ];
  return [
    make(
      "div",
      { class: "actions" },
      steps.map(([name, label]) => button(label, again(name), { class: "quiet" })),
    ),
    said,
  ];
}
