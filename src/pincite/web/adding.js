// Adding documents: files chosen or dropped, folders too, sent two at a time; then the server's jobs, followed.

import { call, events, upload } from "./api.js";
import { announce, byId, icon, iconButton, make } from "./dom.js";
import { counted, oneLine } from "./words.js";

const AT_ONCE = 2;
/** Rows of files that are done go after a while; those that failed stay until they are put away. */
const DONE_MS = 4000;

const STAGES = { stored: "waiting", parsing: "reading", embedding: "indexing" };

export class Adding {
  /** `mayAdd` says whether this reader may; `onAdded` hears that the list of documents is another one now. */
  constructor({ mayAdd, onAdded }) {
    this.mayAdd = mayAdd;
    this.onAdded = onAdded;
    this.list = byId("adding");
    this.waiting = [];
    this.sending = 0;
    this.jobs = new Map();
    this.following = false;
    byId("file-input").addEventListener("change", (event) => {
      this.files([...event.target.files]);
      event.target.value = "";
    });
    this.dropAnywhere();
  }

  choose() {
    byId("file-input").click();
  }

  /** The whole window takes files; a veil says so while they hover. */
  dropAnywhere() {
    const veil = byId("veil");
    let depth = 0;
    const hasFiles = (event) => this.mayAdd() && event.dataTransfer?.types.includes("Files");
    addEventListener("dragenter", (event) => hasFiles(event) && ((veil.hidden = false), depth++));
    addEventListener("dragleave", (event) => hasFiles(event) && --depth <= 0 && ((veil.hidden = true), (depth = 0)));
    addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
    addEventListener("drop", async (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      veil.hidden = true;
      // Entries are gone after this event: they are taken before anything is waited for.
      const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
      this.files((await Promise.all(entries.map(filesIn))).flat());
    });
  }

  files(files) {
    if (!files.length) return;
    announce(`Adding ${counted(files.length, "file")}`);
    for (const file of files) {
      const row = this.row(file.name);
      this.say(row, "waiting");
      this.waiting.push({ file, row });
    }
    this.next();
  }

  next() {
    while (this.sending < AT_ONCE && this.waiting.length) {
      const one = this.waiting.shift();
      if (one.row.stopped) continue;
      this.sending++;
      this.send(one).finally(() => (this.sending--, this.next()));
    }
  }

  async send({ file, row }) {
    const stop = (row.stop = new AbortController());
    this.say(row, "sending", 0);
    try {
      const jobs = await upload(file, { signal: stop.signal, onProgress: (part) => this.say(row, "sending", part) });
      for (const job of jobs) this.hear(job, row);
      this.follow();
    } catch (problem) {
      if (problem.name === "AbortError") row.remove();
      else this.fail(row, problem);
    }
  }

  row(name) {
    const said = make("span", { class: "job-said" });
    const bar = make("progress", { max: 1, "aria-label": `Progress of ${oneLine(name)}` });
    const row = make(
      "li",
      { class: "job" },
      make("span", { class: "job-name" }, make("bdi", {}, oneLine(name))),
      said,
      bar,
      iconButton("close", `Stop ${oneLine(name)}`, () => this.stop(row)),
    );
    Object.assign(row, { said, bar, fileName: name });
    this.list.append(row);
    return row;
  }

  say(row, words, part = null) {
    row.said.textContent = part === null ? words : `${words} ${Math.round(part * 100)} %`;
    if (part === null) row.bar.removeAttribute("value");
    else row.bar.value = part;
  }

  fail(row, problem) {
    row.classList.add("failed");
    row.said.replaceChildren(icon("warn"), ` not added: ${problem.detail || problem.title || problem.message}`);
    row.said.dir = "auto";
    row.bar.remove();
    row.lastElementChild.setAttribute("aria-label", `Put away ${oneLine(row.fileName)}`);
    row.isDone = true;
    announce(`${oneLine(row.fileName)} was not added`);
  }

  async stop(row) {
    row.stopped = true;
    row.stop?.abort();
    const job = row.job;
    row.remove();
    if (job && !isOver(job)) await call(["jobs", job.job_id, "cancel"], { method: "POST" }).catch(() => {});
  }

  /** Take the state of a job as it is now; `row` is where it is shown. */
  hear(job, row = this.jobs.get(job.job_id)) {
    const known = this.jobs.get(job.job_id);
    if (row && known && known !== row && !known.isDone) return this.goLater(row, "the same bytes are on their way");
    if (!row) row = this.row(job.name);
    row.job = job;
    this.jobs.set(job.job_id, row);
    if (job.state === "running")
      this.say(row, STAGES[job.stage] ?? job.stage ?? "reading", job.total ? job.done / job.total : null);
    else if (job.state === "queued") this.say(row, "waiting");
    if (!isOver(job) || row.isDone) return;
    row.isDone = true;
    if (job.state === "failed") return this.fail(row, job.error ?? {});
    if (job.state === "cancelled") return row.remove();
    this.goLater(row, job.unchanged ? "is there already" : "added");
    announce(`${oneLine(job.name)} ${job.unchanged ? "is there already" : "was added"}`);
    this.onAdded();
  }

  goLater(row, words) {
    this.say(row, words);
    row.bar.value = 1;
    row.isDone = true;
    row.classList.add("done");
    setTimeout(() => row.remove(), DONE_MS);
  }

  /** One stream at a time: browsers keep only six connections to a server, and pictures need them. */
  async follow() {
    if (this.following) return;
    this.following = true;
    try {
      for (let failures = 0; failures < 5;) {
        const open = [...this.jobs.values()].filter((row) => !row.isDone && row.isConnected).map((row) => row.job);
        if (!open.length) break;
        const job = open.find((one) => one.state === "running") ?? open[0];
        try {
          for await (const { data } of events(["jobs", job.job_id, "events"])) this.hear(data.job ?? data);
          await this.look();
          failures = 0;
        } catch (problem) {
          failures++;
          await new Promise((resolve) => setTimeout(resolve, 500 * failures));
          await this.look().catch(() => {});
        }
      }
    } finally {
      this.following = false;
    }
  }

  /** Look at all jobs once: those of this window, and at the start those that another began. */
  async look({ all = false } = {}) {
    const { jobs } = await call("jobs");
    for (const job of jobs) {
      if (this.jobs.has(job.job_id) || (all && !isOver(job))) this.hear(job);
    }
  }

  /** Take up what is being added already, by another window or before this one was loaded. */
  async resume() {
    this.list.replaceChildren();
    this.jobs.clear();
    await this.look({ all: true }).catch(() => {});
    this.follow();
  }
}

const isOver = (job) => ["done", "failed", "cancelled"].includes(job.state);

/** The files of what was dropped, those of folders too. */
async function filesIn(entry) {
  if (!entry) return [];
  if (entry instanceof File) return [entry];
  if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return found;
    for (const one of some) if (!one.name.startsWith(".")) found.push(...(await filesIn(one)));
  }
}
