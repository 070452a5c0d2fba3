// <pincite-ask>: answers from reviewed passages, in the browser, with cites, or a refusal. Part of pincite, Apache-2.0.
//
//   <script type="module" src="pincite-ask.js"></script><pincite-ask src="pincite-index.json"></pincite-ask>
//
// No dependency, no request but for the index (and the server, where one is named), no HTML made of text.

// ── Terms: exactly as pincite/widget/words.py; the ranges are written down because versions of Unicode differ ──────────

const MARKS =
  "\\u0000-\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u00A9\\u00AB\\u00AC\\u00AE-\\u00B1\\u00B4\\u00B6-\\u00B8\\u00BB\\u00BF\\u00D7\\u00F7" +
  "\\u02C2-\\u02C5\\u02D2-\\u02DF\\u037E\\u0387\\u055A-\\u055F\\u0589-\\u058A\\u05BE\\u05C0\\u05C3\\u05C6\\u05F3\\u05F4\\u060C\\u060D" +
  "\\u061B-\\u061F\\u066A-\\u066D\\u06D4\\u0700-\\u070D\\u0964\\u0965\\u0E4F\\u0E5A\\u0E5B\\u0F04-\\u0F12\\u10FB\\u1361-\\u1368\\u166E\\u1680" +
  "\\u17D4-\\u17DB\\u1800-\\u180A\\u2000-\\u200A\\u2010-\\u2029\\u202F-\\u205F\\u207A-\\u207E\\u208A-\\u208E\\u20A0-\\u20CF" +
  "\\u2190-\\u245F\\u2500-\\u2775\\u2794-\\u2BFF\\u2E00-\\u2E7F\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u303D\\u30A0\\u30FB" +
  "\\uA4FE\\uA4FF\\uD800-\\uDFFF\\uFD3E\\uFD3F\\uFE10-\\uFE1F\\uFE30-\\uFE6F\\uFF01-\\uFF0F\\uFF1A-\\uFF20\\uFF3B-\\uFF40" +
  "\\uFF5B-\\uFF65\\uFFE0-\\uFFE6\\uFFF0-\\uFFFF\\u{1F000}-\\u{1FBEF}\\u{E0000}-\\u{E007F}";
const UNSEEN = "\\u00AD\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFE00-\\uFE0F\\uFEFF";
const CASED =
  "\\u0041-\\u005A\\u00C0-\\u00DE\\u0100-\\u024F\\u0370-\\u052F\\u0531-\\u0556\\u10A0-\\u10C5\\u1C90-\\u1CBF\\u1E00-\\u1FFF\\u2C00-\\u2CF3" +
  "\\uA640-\\uA69B\\uA722-\\uA76F\\uFF21-\\uFF3A\\u{10400}-\\u{10427}";

const WORD = new RegExp(`[^${MARKS}]+(?:(?<=[0-9])[.,](?=[0-9])[^${MARKS}]+)*`, "gu");
const UNSEEN_RUN = new RegExp(`[${UNSEEN}]+`, "gu");
const CASED_LETTER = new RegExp(`[${CASED}]`, "gu");
const APART = /[\u0041-\u024F\u0370-\u052F\u1E00-\u1FFF][\u0300-\u036F]+/gu;
const SIMPLE = /^[a-z0-9]+$/;

function termOf(word) {
  if (SIMPLE.test(word)) return word;
  return word
    .replace(UNSEEN_RUN, "")
    .replace(APART, (run) => run.normalize("NFC"))
    .replace(CASED_LETTER, (letter) => letter.toLowerCase())
    .replaceAll("ς", "σ");
}

/** Every word of a text, as [start, end, term]. */
export function words(text) {
  return Array.from(text.matchAll(WORD), (m) => [m.index, m.index + m[0].length, termOf(m[0])]);
}

const length = (term) => (term.length > 2 ? term.length : Array.from(term).length);

/** The terms of a text, each once, in order: no stop words, nothing of a single character. */
export function terms(text, stopWords = new Set()) {
  const found = new Set();
  for (const [, , term] of words(text)) if (length(term) > 1 && !stopWords.has(term)) found.add(term);
  return [...found];
}

// ── Scoring: exactly as pincite/widget/scoring.py ─────────────────────────────────────────────────────────────────────

/** How much a term says that stands in `holding` of `passages`, to three decimals. */
export function idf(passages, holding) {
  return holding ? Math.floor(Math.log(1 + passages / holding) * 1000 + 0.5) / 1000 : 0;
}

const pushTo = (map, key, value) => {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
};

/** The passages of one index, ready to be asked. */
export class Searcher {
  constructor(index) {
    if (index?.format !== "pincite-widget/1") throw new Error("this is no index of pincite-widget/1");
    this.index = index;
    this.scoring = index.scoring;
    this.stopWords = new Set(index.stop_words);
    this.holding = new Map();
    index.passages.forEach((passage, number) => {
      const searched = [passage.title, passage.text, ...passage.tags].join(" ");
      for (const term of terms(searched, this.stopWords)) pushTo(this.holding, term, number);
    });
    // Terms that share a beginning share their first characters: those are looked up, the rest is compared.
    this.beginning = new Map();
    for (const term of this.holding.keys()) {
      const first = this.firstOf(term);
      if (first) pushTo(this.beginning, first, term);
    }
  }

  firstOf(term) {
    const chars = Array.from(term);
    const least = this.scoring.prefix_min;
    return chars.length < least ? "" : chars.slice(0, least).join("");
  }

  /** What is shown for a question, or nothing, with the scores and reasons of the best `depth` passages. */
  ask(question, depth = Infinity) {
    const { index, scoring } = this;
    const scores = new Float64Array(index.passages.length);
    const seen = new Int32Array(scores.length);
    const touched = [];
    const asked = terms(question, this.stopWords).map((term, at) => {
      const met = [term, ...this.alike(term)].filter((other) => this.holding.has(other));
      const numbers = [];
      for (const other of met) {
        for (const number of this.holding.get(other)) {
          if (seen[number] === at + 1) continue;
          if (!seen[number]) touched.push(number);
          seen[number] = at + 1;
          numbers.push(number);
        }
      }
      const exact = met[0] === term ? this.holding.get(term).length : 0;
      const weight = idf(scores.length, numbers.length);
      const whole = scoring.term_weight * weight;
      const part = whole * scoring.prefix_share;
      numbers.forEach((number, nth) => (scores[number] += nth < exact ? whole : part));
      return { term, met, whole, part, n_passages: numbers.length, idf: weight };
    });
    touched.sort((a, b) => scores[b] - scores[a] || a - b);
    const ranked = touched.slice(0, depth).map((number, at) => {
      const matched = [];
      for (const { term, met, whole, part } of asked) {
        const found = met.filter((other) => this.holding.get(other).includes(number));
        const exact = found[0] === term;
        if (found.length) matched.push({ term, found, exact, score: exact ? whole : part });
      }
      return { id: index.passages[number].id, rank: at + 1, score: scores[number], matched, number };
    });
    const said = asked.map(({ term, n_passages, idf: weight }) => ({ term, n_passages, idf: weight }));
    return { question, terms: said, ranked, shown: this.shown(ranked), found: touched.length };
  }

  alike(term) {
    const first = this.firstOf(term);
    const near = (first && this.beginning.get(first)) || [];
    return near.filter((other) => other !== term && (other.startsWith(term) || term.startsWith(other)));
  }

  shown(ranked) {
    const { threshold, shown, keep_share } = this.scoring;
    if (!ranked.length || ranked[0].score < threshold) return [];
    const least = ranked[0].score * keep_share;
    return ranked.slice(0, shown).filter((scored) => scored.score >= least);
  }
}

// ── Quotes: is it in the lines that came with it? ─────────────────────────────────────────────────────────────────────

const INSIDE = /[\p{L}\p{N}]/u;
const flat = (text) => text.replace(/\s+/gu, " ").trim();

/** Whether a quote stands in lines character for character but for blanks, and cuts no word or number at its ends. */
export function holdsQuote(quote, lines) {
  const wanted = flat(quote);
  const all = flat(lines.map((line) => line.text).join("\n"));
  if (!wanted) return false;
  const cuts = (a, b) => Boolean(a && b) && INSIDE.test(a) && INSIDE.test(b);
  for (let at = all.indexOf(wanted); at !== -1; at = all.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const number = /[0-9][.,]?$/.test(all.slice(0, at)) && /^[.,]?[0-9]/.test(wanted);
    const onward = /[0-9][.,]?$/.test(wanted) && /^[.,]?[0-9]/.test(all.slice(end));
    if (!number && !onward && !cuts(all[at - 1], wanted[0]) && !cuts(wanted.at(-1), all[end])) return true;
  }
  return false;
}

// ── The element ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** What stands on the surface; the index's `words` take their place, so a site speaks its own language. */
const WORDS = {
  label: "Ask a question",
  placeholder: "Type a question …",
  ask: "Ask",
  loading: "Loading the reviewed passages …",
  asking: "Asking the documents …",
  answers_one: "1 passage answers this.",
  answers_many: "{n} passages answer this.",
  refused: "No answer.",
  try_these: "It can answer:",
  source: "Source",
  reviewed: "Reviewed by {by} on {on}",
  score: "score {score}",
  elapsed: "Found in {time} among {n} passages, in your browser.",
  log: "How this was found",
  no_index: "The reviewed passages could not be loaded ({why}). Please try again later.",
  no_server: "The documents could not be asked ({why}). Please try again later.",
  verified: "quote checked here: it is in these lines",
  unchecked: "quote not checked here: its lines did not come with it",
  withheld: "Withheld: a quote is not in the lines that came with it.",
  nearest: "Nearest places (these do not answer the question):",
  page: "Page {page} of {doc}, the cited lines highlighted",
  from_documents: "From the documents:",
};

const STYLE = `
:host { --pa-accent: var(--pincite-accent, light-dark(#0b5a8f, #7cc0f0)); --pa-ink: var(--pincite-ink, light-dark(#1c1d1f, #e9e9e5));
  --pa-dim: var(--pincite-dim, light-dark(#5a5f66, #a6abb3)); --pa-paper: var(--pincite-paper, light-dark(#fff, #1b1e22));
  --pa-soft: var(--pincite-soft, light-dark(#f5f6f4, #25292e)); --pa-rule: var(--pincite-rule, light-dark(#d9dbd6, #3a3f46));
  --pa-mark: var(--pincite-mark, light-dark(#ffe49a, #6b5310)); --pa-good: var(--pincite-good, light-dark(#0a6b47, #6fd0a5));
  --pa-warn: var(--pincite-warn, light-dark(#a15c00, #f0b95a)); --pa-radius: var(--pincite-radius, .75rem);
  display: block; color: var(--pa-ink); font: 1rem/1.55 var(--pincite-font, system-ui, -apple-system, "Segoe UI",
  Roboto, "Liberation Sans", sans-serif); overflow-wrap: anywhere; text-align: start; }
:host([hidden]) { display: none; }
/* Light or dark as the page says it is: dark letters on a page that stays white would not be seen. */
:host([theme=light]) { color-scheme: light; } :host([theme=dark]) { color-scheme: dark; }
*, ::before { box-sizing: border-box; }
p, ol, ul, dl, dd, figure, blockquote { margin: 0; padding: 0; } ol, ul { list-style: none; }
label { display: block; margin-bottom: .4rem; font-weight: 600; }
.row { display: flex; gap: .5rem; }
input, button { font: inherit; color: inherit; }
input { flex: 1; min-width: 0; padding: .65rem .9rem; border: 1px solid color-mix(in srgb, var(--pa-dim) 70%, var(--pa-paper));
  border-radius: var(--pa-radius); background: var(--pa-paper); appearance: none; }
input::placeholder { color: var(--pa-dim); opacity: 1; }
button { cursor: pointer; border-radius: var(--pa-radius); }
.ask { padding: .65rem 1.25rem; border: 1px solid transparent; background: var(--pa-accent); color: var(--pincite-on-accent, light-dark(#fff, #10202c)); font-weight: 600; }
.ask:hover { filter: brightness(1.08); }
input:focus-visible, button:focus-visible, a:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 3px solid var(--pa-accent); outline-offset: 2px; }
.status { margin-top: .9rem; color: var(--pa-dim); font-size: .9rem; } .status:empty { display: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.cards { display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; margin-top: .75rem; }
.card { padding: 1rem 1.15rem; border: 1px solid var(--pa-rule); border-radius: var(--pa-radius); background: var(--pa-paper); }
.card:first-child { border-inline-start: 4px solid var(--pa-accent); padding-inline-start: calc(1.15rem - 3px); }
.title { font-weight: 650; margin-bottom: .3rem; } .text { white-space: pre-line; max-width: 68ch; }
mark { background: var(--pa-mark); color: inherit; border-radius: .2em; padding: .05em 0; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
.meta { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin-top: .7rem; color: var(--pa-dim); font-size: .85rem; }
a { color: var(--pa-accent); text-underline-offset: .15em; }
.refusal { margin-top: .75rem; padding: 1rem 1.15rem; border: 1px solid var(--pa-rule); border-inline-start: 4px solid var(--pa-warn);
  border-radius: var(--pa-radius); background: var(--pa-paper); }
.chips { display: flex; flex-wrap: wrap; gap: .45rem; margin-top: .5rem; } .covers { margin-top: .9rem; font-size: .9rem; color: var(--pa-dim); }
.chips button { padding: .35rem .85rem; border: 1px solid var(--pa-rule); border-radius: 1.25rem; background: var(--pa-soft); font-size: .9rem; text-align: start; }
.chips button:hover { border-color: var(--pa-accent); }
details { margin-top: .75rem; color: var(--pa-dim); font-size: .85rem; } summary { cursor: pointer; width: fit-content; }
.scroll { overflow-x: auto; margin-top: .5rem; padding: .75rem 1rem; border-radius: var(--pa-radius); background: var(--pa-soft); }
.log { list-style: decimal; padding-inline-start: 1.3em; display: grid; gap: .45rem; } .log b { color: var(--pa-ink); font-weight: 600; }
.log li { min-width: 0; } .log table { display: block; overflow-x: auto; border-collapse: collapse; margin-top: .25rem; } .log td { padding: .1rem .9rem .1rem 0; vertical-align: top; white-space: nowrap; } .log td:last-child { min-width: 11rem; white-space: normal; }
.log .n { text-align: end; font-variant-numeric: tabular-nums; }
blockquote { margin-top: .7rem; padding: .5rem .9rem; border-inline-start: 3px solid var(--pa-rule); background: var(--pa-soft); white-space: pre-line; }
.good { color: var(--pa-good); } .warn { color: var(--pa-warn); }
.page { position: relative; width: 100%; min-width: 32rem; } .page img { display: block; width: 100%; height: auto; background: #fff; }
.hl { position: absolute; background: #ffd95e; mix-blend-mode: multiply; border-radius: 2px; }
figure { margin-top: .75rem; } .view { padding: 0; max-height: 24rem; overflow: auto; border: 1px solid var(--pa-rule); border-radius: .4rem; background: #fff; }
figcaption { margin-top: .3rem; color: var(--pa-dim); font-size: .85rem; }
@media (max-width: 30rem) { .card, .refusal { padding: .85rem .9rem; } .card:first-child { padding-inline-start: calc(.9rem - 3px); } .ask { padding-inline: .95rem; } }
@media (forced-colors: active) { mark { background: Mark; color: MarkText; } .hl { outline: 2px solid Mark; } }
@media print { .row, details, .chips { display: none; } }
`;

/** How many of the best passages the log shows. */
const LOGGED = 5;

const SPACE = /^[\s\u0000-\u0020]|\\/;

/** An address that a link may lead to: the web's own, or a path on the site. */
function linkOf(url) {
  if (!url || SPACE.test(url)) return null;
  try {
    const full = new URL(url, document.baseURI);
    return ["http:", "https:"].includes(full.protocol) ? full.href : null;
  } catch {
    return null;
  }
}

/** An element with properties and children; text stays text. */
function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made && name !== "part") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** The text with the words marked whose terms are in `found`. */
function marked(text, found) {
  const pieces = [];
  let at = 0;
  for (const [start, end, term] of words(text)) {
    if (!found.has(term)) continue;
    pieces.push(text.slice(at, start), make("mark", { part: "match" }, text.slice(start, end)));
    at = end;
  }
  return [...pieces, text.slice(at)].filter((piece) => piece !== "");
}

const filled = (words_, values) => words_.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const number = (value) => value.toFixed(2);
/** Browsers give the time in steps of 0.1 ms and coarser: less than a step is said to be just that. */
const time = (ms) => (ms < 0.1 ? "less than 0.1 ms" : `${ms.toFixed(1)} ms`);

const fetched = async (url, options) => {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
};

const Base = globalThis.HTMLElement ?? class {};

export class PinciteAsk extends Base {
  static observedAttributes = ["src", "server", "label", "placeholder"];

  connectedCallback() {
    if (!this.shadowRoot) this.build();
    this.load();
    const asked = this.param && new URLSearchParams(location.search).get(this.param);
    if (asked) this.ask(asked);
  }

  attributeChangedCallback(name) {
    if (!this.shadowRoot || !this.isConnected) return;
    if (name === "src" || name === "server") this.load();
    else this.name();
  }

  /** The name of the parameter of a deep link; `param=""` turns deep links off. */
  get param() {
    return this.getAttribute("param") ?? "ask";
  }

  build() {
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    this.words = { ...WORDS };
    this.label = make("label", { part: "label", htmlFor: "q" });
    this.input = make("input", { part: "input", id: "q", name: "q", type: "search", autocomplete: "off", enterKeyHint: "search", maxLength: 1000 });
    this.button = make("button", { part: "button", className: "ask", type: "submit" });
    const form = make("form", { part: "form", role: "search" }, this.label, make("div", { className: "row" }, this.input, this.button));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask(this.input.value);
    });
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.input.value) {
        event.preventDefault();
        this.clear();
      }
    });
    this.status = make("p", { part: "status", className: "status", role: "status", "aria-live": "polite", "aria-atomic": "true" });
    this.results = make("div", { part: "results", className: "results" });
    root.append(form, this.status, this.results);
    this.name();
  }

  name() {
    this.label.textContent = this.getAttribute("label") || this.words.label;
    this.input.placeholder = this.getAttribute("placeholder") || this.words.placeholder;
    this.button.textContent = this.words.ask;
  }

  /** Fetch the index; `ready` holds the promise of a `Searcher`, of nothing where only a server is named. */
  load() {
    const src = this.getAttribute("src");
    this.ready = !src
      ? Promise.resolve(null)
      : fetched(src, { credentials: "same-origin" }).then((index) => {
          const searcher = new Searcher(index);
          Object.assign(this.words, index.words);
          if (index.title && !index.words.label) this.words.label = index.title;
          if (index.language) this.results.lang = index.language;
          this.name();
          if (!this.results.childElementCount) this.results.replaceChildren(...this.covers(index.suggestions));
          return searcher;
        });
    this.ready.catch((error) => this.fail(filled(this.words.no_index, { why: error.message })));
  }

  /** Ask a question, as if it had been typed; resolves with the outcome once it is shown. */
  async ask(question) {
    const asked = question.trim();
    if (!asked) return this.clear();
    const turn = (this.turn = Symbol("turn"));
    this.input.value = question;
    this.request?.abort();
    this.link(asked);
    let searcher;
    try {
      this.status.textContent = this.words.loading;
      searcher = await this.ready;
    } catch (error) {
      return this.fail(filled(this.words.no_index, { why: error.message }));
    }
    if (turn !== this.turn) return undefined;
    let outcome = null;
    if (searcher) {
      const started = performance.now();
      outcome = searcher.ask(asked, Math.max(LOGGED, searcher.scoring.shown));
      this.show(outcome, searcher, performance.now() - started);
    }
    if (this.hasAttribute("server") && !outcome?.shown.length) outcome = await this.askServer(asked, turn);
    if (turn === this.turn) this.dispatchEvent(new CustomEvent("pincite-answer", { detail: outcome, bubbles: true, composed: true }));
    return outcome;
  }

  link(asked) {
    if (!this.param) return;
    const url = new URL(location.href);
    if (asked) url.searchParams.set(this.param, asked);
    else url.searchParams.delete(this.param);
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  }

  clear() {
    this.turn = undefined;
    this.request?.abort();
    this.input.value = "";
    this.link("");
    this.say("");
    this.results.replaceChildren();
    this.ready.then((searcher) => !this.turn && searcher && this.results.replaceChildren(...this.covers(searcher.index.suggestions)), () => {});
  }

  /** Say it, and to who cannot see also what stands below; the same words twice are two changes, and said twice. */
  say(text, below = "") {
    this.status.replaceChildren(...(text ? [text] : []), ...(below ? [make("span", { className: "unseen" }, ` ${below}`)] : []));
  }

  fail(message) {
    this.say(message);
    this.results.replaceChildren();
    return undefined;
  }

  /** Questions that can be answered, as buttons. */
  covers(suggestions) {
    if (!suggestions.length) return [];
    const buttons = suggestions.map((text) => {
      const button = make("button", { part: "suggestion", type: "button", dir: "auto" }, text);
      button.addEventListener("click", () => {
        this.input.focus();
        this.ask(text);
      });
      return make("li", {}, button);
    });
    return [make("p", { className: "covers", id: "covers" }, this.words.try_these), make("ul", { className: "chips", "aria-labelledby": "covers" }, ...buttons)];
  }

  show(outcome, searcher, ms) {
    const { index } = searcher;
    const w = this.words;
    const tail = [
      make("p", { part: "elapsed", className: "meta" }, filled(w.elapsed, { time: time(ms), n: index.passages.length })),
      this.log(outcome, searcher),
    ];
    if (!outcome.shown.length) {
      const near = outcome.ranked.slice(0, 2).map((scored) => index.passages[scored.number].title).filter(Boolean);
      const offered = index.suggestions.length ? index.suggestions : near.length ? near : index.passages.slice(0, 3).map((p) => p.title).filter(Boolean);
      this.say(w.refused, index.refusal);
      this.results.replaceChildren(
        make("div", { part: "refusal", className: "refusal" }, make("p", { dir: "auto" }, index.refusal), ...this.covers(offered)),
        ...tail,
      );
      return;
    }
    const n = outcome.shown.length;
    this.say(n === 1 ? w.answers_one : filled(w.answers_many, { n }));
    const cards = outcome.shown.map((scored) => this.card(scored, index.passages[scored.number]));
    this.results.replaceChildren(make("ol", { part: "passages", className: "cards" }, ...cards), ...tail);
  }

  card(scored, passage) {
    const found = new Set(scored.matched.flatMap((match) => match.found));
    const link = linkOf(passage.url);
    const w = this.words;
    return make(
      "li",
      { part: "passage", className: "card" },
      passage.title ? make("p", { part: "title", className: "title", dir: "auto" }, ...marked(passage.title, found)) : null,
      make("p", { part: "text", className: "text", dir: "auto" }, ...marked(passage.text, found)),
      make(
        "p",
        { part: "meta", className: "meta" },
        link ? make("a", { part: "source", href: link, "aria-label": `${w.source}: ${passage.title || link}` }, `${w.source} ↗`) : null,
        make("span", { part: "review" }, filled(w.reviewed, { by: passage.reviewed_by, on: passage.reviewed_on })),
        make("span", { part: "score" }, filled(w.score, { score: number(scored.score) })),
      ),
    );
  }

  /** The steps that led here, to be opened. */
  log(outcome, { index, scoring }) {
    const best = outcome.ranked[0]?.score ?? 0;
    const cell = (text, right) => make("td", right ? { className: "n" } : {}, text);
    const ranked = outcome.ranked.slice(0, LOGGED).map((scored) => {
      const why = scored.matched.map((m) => (m.exact ? `${m.term} ${number(m.score)}` : `${m.term} ≈ ${m.found.join(", ")} ${number(m.score)}`));
      return make("tr", {}, cell(`${scored.rank}.`), cell(number(scored.score), true), cell(scored.id), cell(why.join(" + ")));
    });
    const asked = outcome.terms.map((t) => make("tr", {}, cell(t.term), cell(`in ${t.n_passages} of ${index.passages.length}`), cell(`idf ${t.idf.toFixed(3)}`)));
    const verdict = `best score ${number(best)}, threshold ${scoring.threshold}: ${outcome.shown.length ? "answered" : "refused"}`;
    const kept = `at most ${scoring.shown}, none below ${Math.round(scoring.keep_share * 100)} % of the best: ${outcome.shown.length} of ${outcome.found} shown`;
    const steps = [
      [make("b", {}, "Words"), asked.length ? make("table", {}, ...asked) : ": none that says anything"],
      [make("b", {}, "Scores"), ranked.length ? make("table", {}, ...ranked) : ": no passage holds any of them"],
      [make("b", {}, "Decision"), `: ${verdict}`],
      ...(outcome.shown.length ? [[make("b", {}, "Shown"), `: ${kept}`]] : []),
    ].map((parts) => make("li", {}, ...parts));
    const list = make("ol", { className: "log" }, ...steps);
    // The log is in English, for whoever keeps the passages.
    return make("details", { part: "log", lang: "en" }, make("summary", {}, this.words.log), make("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: this.words.log }, list));
  }

  // ── A running `pincite serve` ──

  async askServer(question, turn) {
    const server = this.getAttribute("server").replace(/\/+$/, "");
    const w = this.words;
    const before = [...this.results.children];
    this.say(w.asking);
    this.request = new AbortController();
    const body = JSON.stringify({ question });
    let result;
    try {
      result = await fetched(`${server}/v1/ask`, { method: "POST", body, headers: { "Content-Type": "application/json" }, signal: this.request.signal });
      if (result.result !== "answer" && result.result !== "refusal") throw new Error(result.message || "an answer of unknown form");
    } catch (error) {
      if (turn === this.turn) this.say(filled(w.no_server, { why: error.message }));
      return undefined;
    }
    if (turn !== this.turn) return undefined;
    const shown = result.result === "answer" ? this.answer(result, server) : this.refusal(result);
    this.results.replaceChildren(...(before.length && result.result === "answer" ? [make("p", { className: "status" }, w.from_documents)] : []), ...shown);
    return result;
  }

  /** Items whose every quote is in its lines, each with its cites and the pages they stand on. */
  answer(result, server) {
    const w = this.words;
    const isKept = (item) => item.citations?.length && item.citations.every((c) => !c.lines || holdsQuote(c.quote, c.lines));
    const kept = result.items.filter(isKept);
    const cards = kept.map((item) =>
      make(
        "li",
        { part: "item", className: "card" },
        make("p", { part: "text", className: "text", dir: "auto" }, item.text),
        ...item.citations.map((citation) => this.citation(citation, server)),
      ),
    );
    const withheld = kept.length < result.items.length ? [make("p", { part: "withheld", className: "refusal" }, w.withheld)] : [];
    this.say(kept.length ? (kept.length === 1 ? w.answers_one : filled(w.answers_many, { n: kept.length })) : w.refused, kept.length ? "" : w.withheld);
    const caveats = (result.signals?.caveats ?? []).map((text) => make("p", { className: "meta", dir: "auto" }, text));
    return [...(cards.length ? [make("ol", { part: "items", className: "cards" }, ...cards)] : []), ...withheld, ...caveats];
  }

  citation(citation, server) {
    const w = this.words;
    const lines = citation.first_line === citation.last_line ? `l.${citation.first_line}` : `l.${citation.first_line}–${citation.last_line}`;
    const page = citation.page === null || citation.page === undefined ? "" : `p.${citation.page_label || citation.page} `;
    const checked = citation.lines ? make("span", { className: "good", part: "verified" }, `✓ ${w.verified}`) : make("span", { className: "warn", part: "unchecked" }, w.unchecked);
    const by = new Map();
    for (const box of citation.boxes ?? []) pushTo(by, box.page, box);
    return make(
      "div",
      { part: "citation" },
      make("blockquote", { part: "quote", dir: "auto" }, citation.quote),
      make("p", { className: "meta" }, make("span", { part: "place" }, `${citation.doc_name} ${page}${lines}`), checked),
      ...Array.from(by, ([number_, boxes]) => this.page(citation, number_, boxes, server)),
    );
  }

  /** The picture of a page with the boxes of the cited lines laid over it, scrolled to the first. */
  page(citation, number_, boxes, server) {
    const url = `${server}/v1/documents/${encodeURIComponent(citation.doc_id)}/pages/${encodeURIComponent(number_)}.png?scale=2`;
    const caption = filled(this.words.page, { page: citation.page_label && number_ === citation.page ? citation.page_label : number_, doc: citation.doc_name });
    // With its origin: a server lets pages of named origins have its pictures, and no others.
    const picture = make("img", { crossOrigin: "anonymous", src: url, alt: caption, loading: "lazy", decoding: "async", width: boxes[0].width_pt, height: boxes[0].height_pt });
    const sheet = make("div", { className: "page" }, picture);
    for (const { box: [x0, y0, x1, y1], width_pt, height_pt } of boxes) {
      const laid = make("div", { part: "highlight", className: "hl" });
      const share = (part, whole) => `${(100 * part) / whole}%`;
      Object.assign(laid.style, { left: share(x0, width_pt), top: share(y0, height_pt), width: share(x1 - x0, width_pt), height: share(y1 - y0, height_pt) });
      sheet.append(laid);
    }
    const view = make("div", { className: "view scroll", tabIndex: 0, role: "region", ariaLabel: caption }, sheet);
    picture.addEventListener("load", () => {
      const first = sheet.querySelector(".hl");
      view.scrollTo(first.offsetLeft - 24, first.offsetTop - 80);
    });
    return make("figure", { part: "page" }, view, make("figcaption", {}, caption));
  }

  refusal(result) {
    const w = this.words;
    this.say(w.refused, result.message);
    const near = (result.nearest ?? []).map((c) => make("li", {}, make("blockquote", { dir: "auto" }, c.quote), make("p", { className: "meta" }, c.doc_name)));
    return [
      make(
        "div",
        { part: "refusal", className: "refusal" },
        make("p", { dir: "auto" }, result.message),
        ...(near.length ? [make("p", { className: "covers" }, w.nearest), make("ul", {}, ...near)] : []),
      ),
    ];
  }
}

if (globalThis.customElements && !customElements.get("pincite-ask")) customElements.define("pincite-ask", PinciteAsk);
