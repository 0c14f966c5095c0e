// The requests of a conversation over time: how long each took, which are open, and when none was.
import * as api from "./api.js";
import { Empty, Label, Loaded, Time } from "./parts.js";
import { count, counted, duration, plain, words } from "./text.js";
import { html, useEffect, useLoad, useMemo, useState } from "./ui.js";
import { VirtualList } from "./virtual.js";

const ROW_HEIGHT = 40;
const MAX_CALLS = 20_000;
/** A time without an open request is a gap if it has this share of the whole, or more. */
const GAP_SHARE = 0.02;

const OUTCOMES = /** @type {Record<string, string>} */ ({ RESULT: "accepted", LATE: "flagged", CANCELED: "flagged" });

/** Requests with their bars, and the gaps between them. */
function rowsOf(/** @type {any[]} */ calls, /** @type {number} */ now) {
  const rows = calls.map((call) => ({ call, start: Date.parse(call.since), end: call.until ? Date.parse(call.until) : now }));
  const first = Math.min(...rows.map((row) => row.start));
  const last = Math.max(...rows.map((row) => row.end));
  const all = /** @type {any[]} */ ([]);
  let busy = first;
  for (const row of rows) {
    if (row.start - busy > GAP_SHARE * (last - first)) {
      all.push({ gap: true, start: busy, end: row.start });
    }
    busy = Math.max(busy, row.end);
    all.push(row);
  }
  return { rows: all, first, span: Math.max(1, last - first) };
}

function outcomeOf(/** @type {any} */ call) {
  return call.closed === null ? "open" : call.outcome === null ? "ended without an outcome" : words(call.outcome);
}

function CallRow({ row, first, span }) {
  const { call, gap } = row;
  const left = (100 * (row.start - first)) / span;
  const width = Math.max(0.4, (100 * (row.end - row.start)) / span);
  const style = gap ? "gap" : call.closed === null ? "open" : (OUTCOMES[call.outcome] ?? (call.outcome === null ? "none" : "rejected"));
  return html`
    <span class="call-name">${gap
      ? html`<span class="faint">no open request</span>`
      : html`<b>${words(call.kind)}</b> <${Label} value=${call.name ?? call.item ?? `#${call.opened}`} max=${40} /> <span class="faint"><${Label} value=${call.requester ?? "unknown"} max=${20} /> → <${Label} value=${call.agent ?? "unknown"} max=${20} /></span>`}</span>
    <span class="call-track" aria-hidden="true"><span class=${"call-bar " + style} style=${{ left: `${Math.min(left, 99.6)}%`, width: `${width}%` }}></span></span>
    <span class="call-time number">${duration(row.end - row.start)} ${!gap && html`<small class="faint">${outcomeOf(call)}</small>`}</span>
  `;
}

function spoken(/** @type {any} */ row) {
  const { call } = row;
  return row.gap
    ? `No open request for ${duration(row.end - row.start)}`
    : `${words(call.kind)} ${plain(call.name ?? call.item ?? "", 60)} of message ${call.opened}, ${outcomeOf(call)}${call.closed === null ? "" : ` in message ${call.closed}`}, ${duration(row.end - row.start)}`;
}

/**
 * The requests of a conversation from a message on.
 *
 * @param {{base: string, last: number, selected: number, onSelect: (sequence: number, clicked: boolean) => void}} props
 *     base is the path of the conversation; last, the sequence of its last message
 */
export function Waterfall({ base, last, selected, onSelect }) {
  const state = useLoad(
    async (signal) => {
      const calls = /** @type {any[]} */ ([]);
      let next = /** @type {number | null | undefined} */ (undefined);
      let partial = false;
      do {
        const page = /** @type {any} */ (await api.get(`${base}/calls`, { from: next }, signal));
        // A request that is open at the end of a page may end on the next one, which does not know it.
        partial ||= page.partial || (page.next !== null && page.items.some((/** @type {any} */ call) => call.closed === null));
        calls.push(...page.items);
        next = page.next;
      } while (next !== null && calls.length < MAX_CALLS);
      return { calls, partial, next };
    },
    [base],
    last,
  );
  const [now, setNow] = useState(Date.now());
  useEffect(() => setNow(Date.now()), [last]);
  const chart = useMemo(() => rowsOf(state.data?.calls ?? [], now), [state.data, now]);
  return html`<${Loaded} state=${state} lines=${8}>
    ${({ calls, partial, next }) => {
      const open = calls.filter((/** @type {any} */ call) => call.closed === null).length;
      return calls.length === 0
        ? html`<${Empty} title="No message of this conversation awaits a result" />`
        : html`<p class="note waterfall-note" role="status">${counted(calls.length, "request")}, ${count(open)} open${next === null ? "" : `; those from message ${count(next)} on are not shown`}${partial && "; some are missing, or shown open: records are redacted, hidden, or on another page"}. <span class="faint">From <${Time} value=${calls[0].since} /> (received), ${duration(chart.span)}.</span></p>
            <${VirtualList}
              id="waterfall"
              label=${`Requests, ${count(calls.length)}. Arrow keys select one.`}
              total=${chart.rows.length}
              height=${ROW_HEIGHT}
              selected=${chart.rows.findIndex((row) => !row.gap && (row.call.opened === selected || row.call.closed === selected))}
              onSelect=${(/** @type {number} */ i, /** @type {boolean} */ clicked) => chart.rows[i].gap || onSelect(chart.rows[i].call.opened, clicked)}
              rowClass=${() => "call"}
              rowLabel=${(/** @type {number} */ i) => spoken(chart.rows[i])}
              row=${(/** @type {number} */ i) => html`<${CallRow} row=${chart.rows[i]} first=${chart.first} span=${chart.span} />`}
            />`;
    }}
  <//>`;
}
