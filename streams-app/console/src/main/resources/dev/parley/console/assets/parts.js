// Small parts that all pages use.
import * as api from "./api.js";
import { isNamed, protocolName } from "./protocols.js";
import { href } from "./router.js";
import { useLocalTime } from "./settings.js";
import { useTicks } from "./stats.js";
import { h, html, useEffect, useLoad, useState } from "./ui.js";
import { ago, capital, codePoint, count, counted, cut, parts, pieces, plain, words } from "./text.js";

const PATHS = /** @type {Record<string, string>} */ ({
  overview: "M3 13h4V8H3zM8.5 13h4V3h-4zM14 13h3V6h-3z M2 16.5h16",
  conversations: "M3 4.5h10v7H7L4 14v-2.500H3z M14 7.500h3v6h-1v2l-2.500-2H9",
  contexts: "M6 3v14M6 13c6 0 8-1.500 8-6M14 7V3 M6 3v0 M4.500 3a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0M12.500 3a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0",
  letters: "M3 5h14v10H3zM3 5.500l7 5 7-5",
  agents: "M10 3.500a2.200 2.200 0 1 0 0 4.400a2.200 2.200 0 1 0 0-4.400M4.500 12a2 2 0 1 0 0 4a2 2 0 1 0 0-4M15.500 12a2 2 0 1 0 0 4a2 2 0 1 0 0-4M8.800 7.600L5.500 12M11.200 7.600l3.300 4.400M6.500 14h7",
  search: "M8.500 3.500a5 5 0 1 0 0 10a5 5 0 1 0 0-10M12.200 12.200L16.500 16.500",
  check: "M4.500 10.500l3.500 3.500 7.500-8",
  cross: "M5.500 5.500l9 9M14.500 5.500l-9 9",
  flag: "M5.500 17V3.500h8.500l-2 3.200 2 3.300H5.500",
  broken: "M7.500 7.500a2.500 2.500 0 1 1 3.600 2.300c-.8.400-1.100.900-1.100 1.900M10 14.800v.2",
  pause: "M7 5v10M13 5v10",
  left: "M12 4.500L6.500 10l5.500 5.500",
  right: "M8 4.500L13.500 10 8 15.500",
  up: "M4.500 12L10 6.500l5.500 5.500",
  down: "M4.500 8L10 13.500 15.500 8",
  copy: "M7 7V4h9v9h-3M4 7h9v9H4z",
  link: "M8.500 11.500l3-3M9 6.500l1.700-1.700a3 3 0 0 1 4.300 4.300L13.300 10.800M11 13.500l-1.700 1.700a3 3 0 0 1-4.300-4.300l1.700-1.700",
  chain: "M4 7h5v6H4zM11 7h5v6h-5zM9 10h2",
  compare: "M3.500 4h5v12h-5zM11.500 4h5v12h-5z",
  redrive: "M15.500 10a5.500 5.500 0 1 1-1.800-4.100M14.500 3v3.300h-3.300",
  edit: "M4 16l.700-3.200L13 4.500l2.500 2.500-8.300 8.300z",
  key: "M7 10.500a3 3 0 1 0 0 .010M10 10.500h7M14.500 10.500v2.500M17 10.500v2",
  clock: "M10 3.500a6.500 6.500 0 1 0 0 13a6.500 6.500 0 1 0 0-13M10 6.500V10l2.500 1.500",
  filter: "M3.500 5h13M6 10h8M8.500 15h3",
  wide: "M8 4H4v4M12 16h4v-4M4 4l4.500 4.500M16 16l-4.500-4.500",
  lock: "M5 9.500h10V16H5zM7 9.500V7a3 3 0 0 1 6 0v2.500",
});

/** A decorative icon; the text next to it, or a label, says what it means. */
export function Icon({ name, size = 16 }) {
  return html`<svg class="icon" width=${size} height=${size} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path d=${PATHS[name]} />
  </svg>`;
}

/** A hidden character as a mark. */
function hidden(/** @type {any} */ part) {
  return html`<span class="hidden-char" title=${codePoint(part.hidden)}>${part.text}</span>`;
}

/** Text from outside: isolated from the direction of its surroundings, with hidden characters made visible. */
export function Text({ value, max = 240, lines = false }) {
  const [whole, setWhole] = useState(false);
  const text = String(value ?? "");
  const shown = whole ? cut(text, 200000) : cut(text, max);
  return html`<bdi class=${lines ? "text lines" : "text"}
    >${parts(shown, lines).map((part) => (part.hidden === null ? part.text : hidden(part)))}${text.length > shown.length &&
    html`<button type="button" class="more" onClick=${() => setWhole(true)}>
      … ${count(text.length)} characters
    </button>`}</bdi
  >`;
}

/** Text within a link, button or option, which must have no control of its own; what a pattern finds is marked. */
export function Label({ value, max = 160, marked = /** @type {RegExp | null} */ (null) }) {
  const text = String(value ?? "");
  return html`<bdi class="text"
    >${parts(cut(text, max), false).map((part) =>
      part.hidden === null
        ? marked === null
          ? part.text
          : pieces(part.text, marked).map((piece, i) => (i % 2 === 1 ? html`<mark>${piece}</mark>` : piece))
        : hidden(part),
    )}${text.length > max && "…"}</bdi
  >`;
}

export const VERDICTS = /** @type {Record<string, {label: string, icon: string, style: string}>} */ ({
  ACCEPTED: { label: "Accepted", icon: "check", style: "accepted" },
  REJECTED: { label: "Rejected", icon: "cross", style: "rejected" },
  FLAGGED: { label: "Flagged", icon: "flag", style: "flagged" },
  UNDECODABLE: { label: "Undecodable", icon: "broken", style: "undecodable" },
  PARKED: { label: "Parked", icon: "pause", style: "parked" },
});

export function verdictOf(/** @type {string} */ name) {
  return VERDICTS[name] ?? { label: capital(words(name || "unknown")), icon: "broken", style: "parked" };
}

/** A verdict: an icon of its own shape, its color, and its name (in the label if compact). */
export function Verdict({ name, compact = false }) {
  const verdict = verdictOf(name);
  return compact
    ? html`<span class=${"verdict compact " + verdict.style} role="img" aria-label=${verdict.label} title=${verdict.label}
        ><${Icon} name=${verdict.icon} size=${12}
      /></span>`
    : html`<span class=${"verdict " + verdict.style}><${Icon} name=${verdict.icon} size=${12} />${verdict.label}</span>`;
}

export function Protocol({ name }) {
  return html`<span class=${"protocol p-" + (isNamed(name) ? name.toLowerCase() : "unknown")}
    >${protocolName(name)}</span
  >`;
}

export function Code({ name }) {
  return name ? html`<code class="code" title=${plain(name, 80)}>${plain(name, 80)}</code>` : null;
}

/** Formats of a time in UTC and in the reader's zone. */
function formats(/** @type {Intl.DateTimeFormatOptions} */ options) {
  return [new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" }), new Intl.DateTimeFormat("en-GB", options)];
}

const DATE_TIME = formats({ dateStyle: "medium", timeStyle: "medium" });
const SECOND = formats({ timeStyle: "medium" });
const CLOCK = formats({ hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 });

/** The zone of a time, such as UTC+01:00. */
function zoneOf(/** @type {Date} */ date) {
  const minutes = -date.getTimezoneOffset();
  const digits = (/** @type {number} */ n) => String(Math.floor(Math.abs(n))).padStart(2, "0");
  return `UTC${minutes < 0 ? "-" : "+"}${digits(minutes / 60)}:${digits(minutes % 60)}`;
}

const AGE_MS = 1000;

/** How long ago a time was, as long as it is shown. */
function Ago({ time }) {
  useTicks(AGE_MS);
  return ago(time);
}

/** A time: absolute in the chosen zone, and relative in its title, or the other way round. */
export function Time({ value, form = "full" }) {
  const local = useLocalTime();
  const date = new Date(value ?? NaN);
  if (Number.isNaN(date.getTime())) {
    return html`<span class="faint">–</span>`;
  }
  const zoned = Number(local);
  const text = form === "clock" ? CLOCK[zoned].format(date) : form === "second" ? SECOND[zoned].format(date) : form === "ago" ? html`<${Ago} time=${date.toISOString()} />` : `${DATE_TIME[zoned].format(date)} ${local ? zoneOf(date) : "UTC"}`;
  const title = form === "ago" ? date.toISOString() : `${date.toISOString()}, ${ago(date.toISOString())}`;
  return html`<time datetime=${date.toISOString()} title=${title}>${text}</time>`;
}

/** A button that copies a text, or what a function returns. */
export function Copy({ text, label }) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    const timer = done ? setTimeout(() => setDone(false), 1500) : 0;
    return () => clearTimeout(timer);
  }, [done]);
  const copy = () => navigator.clipboard?.writeText(typeof text === "function" ? text() : text).then(() => setDone(true), () => setDone(false));
  return html`<button type="button" class="icon-button" aria-label=${done ? "Copied" : "Copy " + label} title=${"Copy " + label} onClick=${copy}>
    <${Icon} name=${done ? "check" : "copy"} size=${14} />
  </button>`;
}

/** The beginning of a hash, with a button that copies all of it. */
export function Hash({ value, label = "hash" }) {
  if (!value) {
    return html`<span class="faint">–</span>`;
  }
  return /^0+$/.test(value)
    ? html`<code class="hash" title=${value}>0 (start)</code>`
    : html`<span class="hash"
        ><code title=${value}>${value.slice(0, 12)}…</code><${Copy} text=${value} label=${label}
      /></span>`;
}

/** What went wrong with a request, and a way on. */
export function Problem({ problem, retry }) {
  return html`<div class="problem" role="alert">
    <${Icon} name="broken" />
    <div>
      <strong>${plain(problem?.title ?? "Unexpected error", 120)}</strong>
      <p><${Text} value=${problem?.message ?? problem} max=${600} /></p>
      ${problem?.code && html`<p><${Code} name=${problem.code} /></p>`}
    </div>
    ${retry && html`<button type="button" onClick=${retry}>Retry</button>`}
  </div>`;
}

/** Stands where something will appear. */
export function Loading({ lines = 3, label = "Loading" }) {
  return html`<div class="loading" role="status">
    <span class="sr-only">${label}</span>
    ${Array.from({ length: lines }, (_, i) => html`<span class="bone" key=${i}></span>`)}
  </div>`;
}

export function Empty({ title, children = null }) {
  return html`<div class="empty"><strong>${title}</strong>${children && html`<p>${children}</p>`}</div>`;
}

/** Filters that dead letters have too. */
const CLAIMED = ["namespace", "protocol", "sender", "from", "to"];
/** Parts of an address that select no records by what they contain. */
const VIEWED = ["from", "to", "clock", "range", "cursor", "sort", "order", "columns"];

/**
 * An empty list: says what was searched, by which clock and with which rights, and how many undecodable records are in
 * no such list, because they only claim their names.
 *
 * @param {{title: string, me: any, query?: Record<string, any>, undecodable?: boolean, children?: any}} props query has
 *     the filters of the list; undecodable is whether undecodable records may be missing from it
 */
export function Nothing({ title, me, query = {}, undecodable = false, children = null }) {
  const claims = Object.fromEntries(CLAIMED.map((name) => [name, query[name]]));
  const missing = { ...claims, stage: "decode" };
  const state = useLoad(async (signal) => (undecodable ? api.get("/v1/dead-letters/counts", { ...missing, limit: 1000 }, signal) : null), [missing, undecodable]);
  const records = (state.data?.items ?? []).reduce((/** @type {number} */ sum, /** @type {any} */ group) => sum + group.count, 0);
  const filters = Object.entries(query).filter(([name, value]) => value && !VIEWED.includes(name));
  const named = filters.some(([name]) => CLAIMED.includes(name));
  const all = me.namespaces.includes("*");
  return html`<${Empty} title=${title}>
    ${children}${children && " "}Searched: ${filters.length === 0 ? "all" : filters.map(([name, value], i) => html`${i > 0 && ", "}${words(name)} <${Text} value=${value} max=${60} />`)}, ${query.clock === "claimed" ? "sent, as the senders claim," : "received"}
    ${query.from || query.to ? html` ${query.from && html`from <${Text} value=${query.from} max=${40} /> `}to ${query.to ? html`<${Text} value=${query.to} max=${40} />` : "now"}` : " at any time"}, in ${all ? "all namespaces" : html`${me.namespaces.length === 1 ? "the namespace " : "the namespaces "}<${Text} value=${me.namespaces.slice(0, 20).join(", ")} max=${200} />`}${!me.roles.includes("auditor") && ", without the content of private messages"}.
    ${records > 0 && html` Not in this list: <a href=${href(["dead-letters"], missing)}>${state.data.next && "at least "}${counted(records, "undecodable record")}</a>${named && `, which only ${records === 1 ? "claims" : "claim"} such names`}.`}
  <//>`;
}

/** The result of {@link useLoad}: problem, skeleton, or the content. */
export function Loaded({ state, lines = 3, children }) {
  if (state.problem) {
    return html`<${Problem} problem=${state.problem} retry=${state.reload} />`;
  }
  return state.data === null || state.data === undefined ? html`<${Loading} lines=${lines} />` : children(state.data);
}

/** A titled section of a page. */
export function Panel({ title, aside = null, children, className = "" }) {
  return html`<section class=${"panel " + className} aria-label=${title}>
    <header><h2>${title}</h2>${aside && html`<div class="aside">${aside}</div>`}</header>
    ${children}
  </section>`;
}

/** The header of a page. The heading receives the focus after a navigation. */
const FIRST = "main ol.letters a, main tbody a, main [role=listbox]";

function toList(/** @type {any} */ event) {
  event.preventDefault();
  /** @type {HTMLElement | null} */ (document.querySelector(FIRST))?.focus();
}

export function PageHeader({ title, lead = null, crumbs = null, actions = null, document: name = null }) {
  useEffect(() => {
    window.document.title = plain(name ?? (typeof title === "string" ? title : "Parley"), 80) + " · Parley";
  }, [name, title]);
  return html`<header class="page-header">
    ${crumbs && html`<nav class="crumbs" aria-label="Breadcrumb">${crumbs}</nav>`}
    <div class="title-row">
      <h1 tabindex="-1" id="title">${title}</h1>
      <a class="skip" href="#title" onClick=${toList}>Skip to the list</a>
      ${actions && html`<div class="actions">${actions}</div>`}
    </div>
    ${lead && html`<p class="lead">${lead}</p>`}
  </header>`;
}

/** A choice among a few values. */
export function Choice({ label, value, options, onChange, name }) {
  return html`<label class="field"
    ><span>${label}</span>
    <select name=${name} value=${value ?? ""} onChange=${(/** @type {any} */ e) => onChange(e.currentTarget.value)}>
      ${options.map(([key, text]) => html`<option key=${key} value=${key} selected=${key === (value ?? "")}>${text}</option>`)}
    </select>
  </label>`;
}

/** A text field, whose text stays while the page is drawn again, and is replaced by each new value. */
export function DraftInput(/** @type {Record<string, any>} */ { value, ...props }) {
  const [draft, setDraft] = useState(value ?? "");
  useEffect(() => setDraft(value ?? ""), [value]);
  const onInput = (/** @type {any} */ e) => setDraft(e.currentTarget.value);
  return h("input", { autocomplete: "off", spellcheck: false, ...props, value: draft, onInput });
}

/** A text that is applied when its field is left, or with Enter. */
export function Entry({ label, value, onChange, name, placeholder = "", list = undefined, type = "text" }) {
  const apply = (/** @type {any} */ e) => e.currentTarget.value !== (value ?? "") && onChange(e.currentTarget.value);
  return html`<label class="field"
    ><span>${label}</span>
    <${DraftInput} name=${name} type=${type} value=${value} placeholder=${placeholder} list=${list} onChange=${apply} />
  </label>`;
}

/** A table of names and values. */
export function Fields({ rows }) {
  return html`<dl class="fields">
    ${rows
      .filter(Boolean)
      .map(([name, value], /** @type {number} */ i) => html`<div key=${i}><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

/** A key or header, which may be bytes. */
function Encoded({ value }) {
  return value?.text === null || value?.text === undefined
    ? html`<span class="faint">none</span>`
    : html`<${Text} value=${value.text} max=${240} />${value.encoding === "base64" && html` <span class="faint">in Base64</span>`}`;
}

/** Rows with the key of a record and its headers, at most 50; none if they are not visible. */
export function keyAndHeaders(/** @type {any} */ record) {
  return record.headers
    ? [["Record key", html`<${Encoded} value=${record.key} />`], ...record.headers.slice(0, 50).map((/** @type {any} */ header) => [html`<${Text} value=${header.name} max=${80} />`, html`<${Encoded} value=${header} />`])]
    : [];
}

/** A JSON value as nested names and values, at most 500 of them. */
export function Tree({ value, left = { count: 500 } }) {
  if (left.count-- <= 0) {
    return html`<span class="faint">…</span>`;
  }
  if (value === null || value === undefined) {
    return html`<span class="faint">none</span>`;
  }
  if (Array.isArray(value)) {
    return value.length === 0
      ? html`<span class="faint">empty</span>`
      : value.every((item) => item === null || typeof item !== "object")
        ? html`<span class="scalars"
            >${value.slice(0, 50).map((item, i) => html`<span class="scalar" key=${i}><${Text} value=${item} /></span>`)}${
              value.length > 50 && html`<span class="faint">… ${count(value.length)} in all</span>`
            }</span
          >`
        : html`<ol class="tree-list" start="0">
            ${value.slice(0, 100).map((item, i) => html`<li key=${i}><${Tree} value=${item} left=${left} /></li>`)}
          </ol>`;
  }
  if (typeof value === "object") {
    return html`<dl class="tree">
      ${Object.entries(value).map(
        ([key, item]) =>
          html`<div key=${key} class=${item !== null && typeof item === "object" && !Array.isArray(item) ? "nested" : ""}>
            <dt>${plain(splitWords(key), 80)}</dt>
            <dd><${Tree} value=${item} left=${left} /></dd>
          </div>`,
      )}
    </dl>`;
  }
  if (typeof value === "boolean") {
    return html`<span>${value ? "yes" : "no"}</span>`;
  }
  return html`<span class=${typeof value === "number" ? "number" : ""}><${Text} value=${value} lines=${true} max=${400} /></span>`;
}

/** goalId as "goal ID". */
function splitWords(/** @type {string} */ key) {
  return key.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().replace(/\bid\b/, "ID");
}
