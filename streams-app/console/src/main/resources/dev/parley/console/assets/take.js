// What a reader takes away: rows as CSV or JSON lines, proofs, the request as a command, and views with a name.
import * as api from "./api.js";
import { Copy, DraftInput, Icon, Problem } from "./parts.js";
import { href } from "./router.js";
import { choose, useSetting } from "./settings.js";
import { count, counted, plain } from "./text.js";
import { html, useEffect, useRef, useState } from "./ui.js";

/** Bounds of one file, which is in memory until it is saved. */
const MAX_ROWS = 50_000;
const MAX_PROOFS = 1000;
const MAX_CHARS = 64 << 20;
const PAGE = 500;
const MAX_VIEWS = 50;

/** The items of a list of the API, page by page. */
export function itemsOf(/** @type {string} */ resource, /** @type {any} */ query) {
  return async function* (/** @type {AbortSignal} */ signal) {
    let cursor = query.cursor;
    do {
      const page = await api.getPage(resource, { ...query, cursor, limit: PAGE }, signal);
      yield* page.items;
      cursor = page.next;
    } while (cursor !== null);
  };
}

/** The hits of a search. */
export function hitsOf(/** @type {any} */ query) {
  return async function* (/** @type {AbortSignal} */ signal) {
    let cursor = query.cursor;
    do {
      const from = cursor;
      cursor = null;
      for await (const line of api.jsonLines("/v1/search", { ...query, cursor: from, limit: PAGE }, signal)) {
        if (line.hit) {
          yield line.hit;
        }
        cursor = line.done?.cursor ?? cursor;
      }
    } while (cursor);
  };
}

/** The messages of a conversation, with their bodies. */
export function messagesOf(/** @type {string} */ base) {
  return async function* (/** @type {AbortSignal} */ signal) {
    let from = /** @type {number | null | undefined} */ (undefined);
    do {
      const page = /** @type {any} */ (await api.get(`${base}/messages`, { from, bodies: true, limit: PAGE }, signal));
      yield* page.items;
      from = page.next;
    } while (from !== null);
  };
}

/** A value of a row: spreadsheets compute a text with such a beginning, so it gets a mark. */
function cell(/** @type {any} */ value) {
  const text = value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  const safe = typeof value === "string" && /^[\s\u0000-\u001f]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(text) ? "'" + text : text;
  return /[",\r\n\u2028\u2029]|^'|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV (RFC 4180), with a column for each member that a row has. */
function csv(/** @type {any[]} */ rows) {
  const names = [...new Set(rows.flatMap(Object.keys))];
  return [names, ...rows.map((row) => names.map((name) => row[name]))].map((line) => line.map(cell).join(",") + "\r\n").join("");
}

const FORMS = /** @type {Record<string, {name: string, type: string, suffix: string}>} */ ({
  csv: { name: "CSV", type: "text/csv", suffix: ".csv" },
  jsonl: { name: "JSON lines", type: "application/x-ndjson", suffix: ".jsonl" },
  proofs: { name: "Proofs", type: "text/plain", suffix: ".proofs" },
});

/** Quotes a text for a POSIX shell. */
function quoted(/** @type {string} */ text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * The menu that takes a list away.
 *
 * @param {{file: string, read: (signal: AbortSignal) => AsyncIterable<any>, resource?: string, query?: any, command?:
 *     string[] | null, proof?: ((item: any) => string) | null, place?: {path: string[], query: any} | null}} props
 *     file is the name of the file without its suffix; resource and query are its request; command is one of parley;
 *     proof returns the path of an item's proof; place is the address of the view
 */
export function TakeAway({ file, read, resource = "", query = {}, command = null, proof = null, place = null }) {
  const [state, setState] = useState(/** @type {any} */ (null));
  const running = useRef(/** @type {AbortController | null} */ (null));
  useEffect(() => () => running.current?.abort(), [resource, JSON.stringify(query)]);
  const save = async (/** @type {string} */ form) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const rows = /** @type {any[]} */ ([]);
    const max = form === "proofs" ? MAX_PROOFS : MAX_ROWS;
    let chars = 0;
    let cut = false;
    try {
      for await (const item of read(controller.signal)) {
        if (rows.length === max || chars > MAX_CHARS) {
          cut = true;
          break;
        }
        const row = form === "proofs" && proof ? await api.text(proof(item), controller.signal) : item;
        chars += typeof row === "string" ? row.length : JSON.stringify(row).length;
        rows.push(row);
        if (rows.length % 50 === 0) {
          setState({ rows: rows.length });
        }
      }
      const text = form === "csv" ? csv(rows) : form === "jsonl" ? rows.map((row) => JSON.stringify(row) + "\n").join("") : rows.join("");
      api.saveAs(new Blob([text], { type: FORMS[form].type }), file.replace(/[^\w.-]+/g, "_").slice(0, 80) + FORMS[form].suffix);
      setState({ done: rows.length, cut });
    } catch (problem) {
      setState(controller.signal.aborted ? null : { problem });
    }
  };
  const url = api.address(resource, query);
  return html`<details class="menu take">
    <summary class="button small"><${Icon} name="copy" size=${13} /> Take away</summary>
    <div class="menu-body">
      <p class="faint">As you may see it, up to ${count(MAX_ROWS)} rows${proof && ` or ${count(MAX_PROOFS)} proofs`}.</p>
      <div class="button-row">${Object.entries(FORMS).map(([form, { name }]) => (form !== "proofs" || proof) && html`<button key=${form} type="button" disabled=${Boolean(state?.rows)} onClick=${() => save(form)}>${name}</button>`)}</div>
      ${state?.rows && html`<p role="status">${counted(state.rows, "row")} so far <button type="button" class="quiet small" onClick=${() => running.current?.abort()}>Cancel</button></p>`}
      ${state?.done !== undefined && html`<p role="status">Saved ${counted(state.done, "row")}${state.cut ? ": more follow, choose a smaller range" : ""}.</p>`}
      ${state?.problem && html`<${Problem} problem=${state.problem} />`}
      ${resource && html`<p>As curl, with your token in PARLEY_TOKEN <${Copy} text=${`curl -H "Authorization: Bearer $PARLEY_TOKEN" ${quoted(url)}`} label="the request as curl" /></p>`}
      ${command && html`<p>As <code>parley ${command[0]}</code> <${Copy} text=${["parley", ...command].map(quoted).join(" ")} label="as a command" /></p>`}
      ${place && html`<${Views} place=${place} />`}
    </div>
  </details>`;
}

/** The views that the reader has saved in this browser, and a field to save this one. */
function Views({ place }) {
  const saved = useSetting("views");
  const views = /** @type {{name: string, link: string}[]} */ (saved ? JSON.parse(saved) : []);
  const change = (/** @type {any[]} */ to) => choose("views", to.length === 0 ? null : JSON.stringify(to.slice(-MAX_VIEWS)));
  const add = (/** @type {any} */ event) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("view")).trim().slice(0, 60);
    if (name) {
      change([...views.filter((view) => view.name !== name), { name, link: href(place.path, { ...place.query, cursor: "" }) }]);
    }
  };
  return html`<form class="views" onSubmit=${add}>
    <label class="field"><span>Save this view in this browser as</span><${DraftInput} name="view" maxlength="60" /></label>
    <button type="submit" class="small">Save view</button>
    ${views.length > 0 && html`<ul aria-label="Saved views">${views.map((view) => html`<li key=${view.name}><a href=${view.link.startsWith("#/") ? view.link : "#/"}>${plain(view.name, 60)}</a>
      <button type="button" class="icon-button" aria-label=${`Remove the view ${plain(view.name, 60)}`} onClick=${() => change(views.filter((one) => one !== view))}><${Icon} name="cross" size=${12} /></button></li>`)}</ul>`}
  </form>`;
}
