// The server's API: one place that knows addresses, problem documents, tokens and streams of events.

/** A failure as the server says it (RFC 9457), or as the network does. */
export class Problem extends Error {
  constructor({ status = 0, title = "", detail = "", code = "" } = {}) {
    super(detail || title || `The server answered with ${status}`);
    this.status = status;
    this.title = title || (status ? `The server answered with ${status}` : "The server cannot be reached");
    this.detail = detail;
    this.code = code;
  }
}

let collection = null;
let askForToken = async () => false;
let asking = null;

/** Every later request goes to this collection; `null` is the server's own choice. */
export const useCollection = (name) => (collection = name);

/** `handler` asks the reader for a token and says whether there is a session now. */
export const onUnauthorized = (handler) => (askForToken = handler);

/** The address of a part of the API: `at("documents", id, "pages")`, with what is not empty of `query`. */
export function at(parts, query = {}) {
  const url = new URL(`v1/${[parts].flat().map(encodeURIComponent).join("/")}`, document.baseURI);
  for (const [name, value] of Object.entries({ ...(collection ? { collection } : {}), ...query })) {
    if (value !== null && value !== undefined && value !== "") url.searchParams.set(name, value);
  }
  return url.href;
}

/** What the server said was wrong, from its answer. */
async function problemOf(response) {
  let said = {};
  try {
    said = await response.json();
  } catch {
    // A proxy in between may answer with a page of its own.
  }
  return new Problem({ ...said, status: response.status });
}

/** Ask for a token once, however many requests met the closed door at the same time. */
function tokenAsked() {
  asking ??= askForToken().finally(() => (asking = null));
  return asking;
}

/** Fetch a part of the API; raises `Problem`, or `AbortError` when `signal` says so. */
export async function request(parts, { method = "GET", query, body, signal, accept = "application/json" } = {}) {
  const headers = { Accept: accept, ...(body === undefined ? {} : { "Content-Type": "application/json" }) };
  const sent = body === undefined ? undefined : JSON.stringify(body);
  for (let tries = 0; ; tries++) {
    let response;
    try {
      response = await fetch(at(parts, query), { method, headers, body: sent, signal });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Problem({ detail: "Is pincite serve still running? What you see here is kept; try again when it is." });
    }
    if (response.ok) return response;
    if (response.status === 401 && !tries && !(parts === "session" && method === "POST") && (await tokenAsked()))
      continue;
    if (!BUSY.has(response.status) || tries >= PATIENCE) throw await problemOf(response);
    await restedAfter(response, tries, signal);
  }
}

/** The server has too much to do, and says when to come again; nothing of the request was begun. */
const BUSY = new Set([429, 503]);
/** How often a request is sent again. */
const PATIENCE = 4;

function restedAfter(response, tries, signal) {
  const asked = Number(response.headers.get("Retry-After")) || 2 ** tries;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(asked, 15) * 1000);
    signal?.addEventListener("abort", () => (clearTimeout(timer), reject(new DOMException("stopped", "AbortError"))));
  });
}

/** The JSON of a part of the API, `null` where the answer has no body. */
export async function call(parts, options) {
  const response = await request(parts, options);
  return response.status === 204 ? null : response.json();
}

/** The events of a stream, each as `{event, data}`; raises the `Problem` that an `error` event holds. */
export async function* events(parts, options = {}) {
  const response = await request(parts, { ...options, accept: "text/event-stream" });
  if (!(response.headers.get("Content-Type") ?? "").startsWith("text/event-stream")) {
    yield { event: "done", data: await response.json() };
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      waiting += value.replaceAll("\r\n", "\n");
      const blocks = waiting.split("\n\n");
      waiting = blocks.pop();
      for (const block of blocks) {
        const found = eventOf(block);
        if (found?.event === "error") throw new Problem(found.data);
        if (found) yield found;
      }
    }
  } catch (error) {
    if (error instanceof Problem || error.name === "AbortError") throw error;
    throw new Problem({
      title: "The connection ended too early",
      detail: "Nothing was lost on the server. Ask again.",
    });
  } finally {
    reader.cancel().catch(() => {});
  }
}

function eventOf(block) {
  let event = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return data.length ? { event, data: JSON.parse(data.join("\n")) } : null;
}

/** Send one file and return its jobs; `onProgress` hears the part that is sent, between 0 and 1. */
export function upload(file, { onProgress, signal }) {
  return new Promise((resolve, reject) => {
    // `fetch` tells nothing of what is on its way; XMLHttpRequest does.
    const sending = new XMLHttpRequest();
    const form = new FormData();
    form.append("file", file, file.name);
    sending.open("POST", at("documents"));
    sending.responseType = "json";
    sending.setRequestHeader("Accept", "application/json");
    sending.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    sending.onload = async () => {
      if (sending.status < 300) resolve(sending.response?.jobs ?? []);
      else if (sending.status === 401 && (await tokenAsked()))
        upload(file, { onProgress, signal }).then(resolve, reject);
      else reject(new Problem({ ...(sending.response ?? {}), status: sending.status }));
    };
    sending.onerror = () => reject(new Problem({ detail: "The file could not be sent: the connection was closed." }));
    sending.onabort = () => reject(new DOMException("stopped", "AbortError"));
    signal?.addEventListener("abort", () => sending.abort());
    sending.send(form);
  });
}
