// The sequence diagram of a conversation: a column for each agent, a row for each message.
import { Code, Icon, Label, Problem, Time, Verdict, verdictOf } from "./parts.js";
import { conversationLink } from "./router.js";
import { bytesOf, count, counted, glossOf, isDecision, plain, senderOf, words } from "./text.js";
import { html, useMemo, useProblem } from "./ui.js";
import { VirtualList, useWindows } from "./virtual.js";

const MAX_LANES = 7;
const MIN_LANE = 34;
const MIN_TEXT = 140;
/** Room for the longest codes, which narrower lanes leave. */
const CODE_TEXT = 200;
export const ROW_HEIGHT = 58;
const OTHERS = "\u0000others";
const UNKNOWN = "\u0000unknown";

/** A row of the list of messages, whether the server sent a summary or a whole record. */
export function summaryRow(/** @type {any} */ item) {
  return {
    sequence: item.sequence,
    time: item.time ?? item.source?.timestamp,
    sender: item.sender ?? item.message?.sender ?? null,
    claims: item.claims ?? null,
    to: item.to ?? item.message?.recipients ?? [],
    performative: item.performative ?? item.message?.performative ?? null,
    verdict: item.verdict,
    code: item.code,
    warnings: Array.isArray(item.warnings) ? item.warnings.length : (item.warnings ?? 0),
    gloss: glossOf(item),
    bytes: item.bytes ?? null,
    redacted: Boolean(item.redacted),
  };
}

/** Links to a few messages of a conversation, one of which may be the current one. */
export function Excerpt({ of, rows, current = null }) {
  return html`<ol class="around">
    ${rows.map(
      (/** @type {any} */ row) => html`<li key=${row.sequence} class=${row.sequence === current ? "current" : ""}>
        <a href=${conversationLink(of, { m: row.sequence })}><span class="number faint">#${count(row.sequence)}</span> <${Verdict} name=${row.verdict} compact=${true} />
          <span class="row-gloss"><${Label} value=${row.gloss ?? words(row.performative)} max=${160} /></span></a>
      </li>`,
    )}
  </ol>`;
}

/** The columns of a conversation: agents in the order in which they were seen, at most {@link MAX_LANES}. */
export class Agents {
  constructor() {
    this.names = /** @type {string[]} */ ([]);
    this.index = /** @type {Map<string, number>} */ (new Map());
    this.more = false;
  }

  add(/** @type {any} */ row) {
    if (isDecision(row) || isRedacted(row)) {
      return;
    }
    this.column(row.sender ?? UNKNOWN);
    for (const name of row.to.slice(0, MAX_LANES)) {
      if (!isBroadcast(name)) {
        this.column(name);
      }
    }
  }

  column(/** @type {string} */ name) {
    const known = this.index.get(name);
    if (known !== undefined) {
      return known;
    }
    if (this.names.length < MAX_LANES) {
      this.index.set(name, this.names.length);
      this.names.push(name);
      return this.names.length - 1;
    }
    this.more = true;
    return MAX_LANES;
  }

  /** Names of all columns, the one of the others included. */
  columns() {
    return this.more ? [...this.names, OTHERS] : this.names;
  }
}

/** Whether a redaction has removed the content of a message, sender and recipients included. */
function isRedacted(/** @type {any} */ row) {
  return row.redacted && row.sender === null && row.verdict !== "UNDECODABLE";
}

function isBroadcast(/** @type {string} */ name) {
  return name === "*" || name.endsWith("*");
}

function agentName(/** @type {string} */ name) {
  return name === OTHERS ? "others" : name === UNKNOWN ? "unknown" : plain(name, 60);
}

/** The arrow of one message across the columns; none for a redaction or approval. */
function Arrow({ row, agents, width }) {
  const columns = agents.columns().length;
  const x = (/** @type {number} */ column) => (column + 0.5) * width;
  const y = ROW_HEIGHT / 2;
  const lifelines = Array.from({ length: columns }, (_, i) => html`<line key=${i} class="lifeline" x1=${x(i)} x2=${x(i)} y1="0" y2=${ROW_HEIGHT} />`);
  if (isDecision(row)) {
    return html`<svg class="arrow" width=${columns * width} height=${ROW_HEIGHT} aria-hidden="true">${lifelines}</svg>`;
  }
  // Within its lane, however narrow.
  const loop = Math.min(14, width / 2 - 9);
  const style = verdictOf(row.verdict).style;
  if (isRedacted(row)) {
    return html`<svg class=${"arrow removed " + style} width=${columns * width} height=${ROW_HEIGHT} aria-hidden="true">${lifelines}<line class="shaft" x1=${x(0)} x2=${x(columns - 1)} y1=${y} y2=${y} /></svg>`;
  }
  const from = agents.column(row.sender ?? UNKNOWN);
  const broadcast = row.to.some(isBroadcast);
  const targets = [
    ...new Set(
      broadcast
        ? Array.from({ length: columns }, (_, i) => i).filter((column) => column !== from)
        : row.to.slice(0, MAX_LANES + 1).map((/** @type {string} */ name) => agents.column(name)),
    ),
  ];
  const low = Math.min(from, ...targets);
  const high = Math.max(from, ...targets);
  const bad = style === "rejected" || style === "undecodable";
  return html`<svg class=${"arrow " + style} width=${columns * width} height=${ROW_HEIGHT} aria-hidden="true">
    ${lifelines}
    ${low !== high && html`<line class="shaft" x1=${x(low)} x2=${x(high)} y1=${y} y2=${y} />`}
    <circle class="origin" cx=${x(from)} cy=${y} r="3.5" />
    ${targets.map((column) =>
      column === from
        ? html`<path key="self" class="shaft" d=${`M${x(from)} ${y - 3}h${loop}a6 6 0 0 1 0 12h${5 - loop}`} fill="none" />
            <path key="self-head" class="head" d=${`M${x(from) + 1} ${y + 9}l7 -4v8z`} />`
        : bad
          ? html`<path key=${column} class="stop" d=${`M${x(column) - 4} ${y - 4}l8 8m0 -8l-8 8`} />`
          : html`<path key=${column} class="head" d=${column > from ? `M${x(column) - 1} ${y}l-7 -4v8z` : `M${x(column) + 1} ${y}l7 -4v8z`} />`,
    )}
  </svg>`;
}

function TimelineRow({ row, agents, width, showTo }) {
  const to = row.to.length === 0 ? "" : row.to.length > 2 ? `${plain(row.to[0], 24)} +${row.to.length - 1}` : row.to.map((/** @type {string} */ name) => plain(name, 24)).join(", ");
  return html`
    <span class="row-seq">
      <span class="number">${count(row.sequence)}</span>
      <${Time} value=${row.time} form="clock" />
    </span>
    <${Verdict} name=${row.verdict} compact=${true} />
    ${width > 0 && html`<${Arrow} row=${row} agents=${agents} width=${width} />`}
    <span class="row-text">
      <span class=${"row-act" + (row.code ? " coded" : "")}>
        ${isDecision(row) ? html`<b>decision</b>` : row.performative && row.performative !== "UNSPECIFIED" && html`<b>${plain(words(row.performative), 40)}</b>`}
        ${isRedacted(row) && html`<span class="with-icon"><${Icon} name="lock" size=${12} />redacted</span>`}
        ${showTo && !isDecision(row) && !isRedacted(row) && html`<span class="faint"><${Label} value=${senderOf(row) ?? "unknown"} max=${34} />${to && " → " + to}</span>`}
        ${row.code && html`<${Code} name=${row.code} />`}
        ${row.warnings > 0 && html`<span class="with-icon warned"><${Icon} name="flag" size=${12} />${counted(row.warnings, "warning")}</span>`}
      </span>
      <span class="row-gloss">${row.gloss ? html`<${Label} value=${row.gloss} max=${200} />` : html`<span class="faint">${isRedacted(row) ? "sender, recipients and content removed by a redaction" : row.verdict === "UNDECODABLE" ? "not a message" : "private: your role does not see the content"}${row.bytes !== null && `, ${bytesOf(row.bytes)}`}</span>`}</span>
    </span>
  `;
}

/** What a screen reader says for a row. */
function spoken(/** @type {any} */ row) {
  return row
    ? `${isDecision(row) ? "Decision" : "Message"} ${row.sequence}, ${verdictOf(row.verdict).label}${row.code ? " " + words(row.code) : ""}${row.warnings > 0 ? `, ${counted(row.warnings, "warning")}` : ""}: ${
        row.gloss ? plain(row.gloss, 200) : isRedacted(row) ? "redacted" : `${plain(senderOf(row) ?? "unknown", 50)}, ${words(row.performative)}`
      }`
    : "Loading";
}

/**
 * The messages of a conversation, with any number of rows.
 *
 * @param {{
 *   name: string, first: number, last: number, selected: number, width: number,
 *   load: (from: number, limit: number, signal: AbortSignal) => Promise<any[]>,
 *   onSelect: (sequence: number, clicked: boolean) => void,
 * }} props first and last are sequences; load takes sequences
 */
export function Timeline({ name, first, last, selected, width, load, onSelect }) {
  const agents = useMemo(() => new Agents(), [name]);
  const windows = useWindows(async (from, limit, signal) => {
    const rows = await load(first + from, limit, signal);
    rows.forEach((row) => agents.add(row));
    return rows;
  }, `${name}@${first}`);
  const total = Math.max(0, last - first + 1);
  const known = useMemo(() => ({ last }), [windows]);
  if (known.last !== last) {
    // The conversation has grown: the last window that was read is incomplete.
    windows.refresh(known.last - first);
    known.last = last;
  }
  const columns = agents.columns();
  const space = width - 130;
  // A narrow timeline has a diagram if its agents leave room for the text.
  const diagram = columns.length > 0 && space - columns.length * MIN_LANE >= MIN_TEXT;
  const lane = diagram ? Math.max(MIN_LANE, Math.min(84, Math.floor(Math.min(space * (width < 700 ? 0.4 : 0.5), space - CODE_TEXT) / columns.length))) : 0;
  const slanted = lane > 0 && columns.some((agent) => agentName(agent).length * 7.5 > lane);
  const header = html`<div class=${"lane-head" + (slanted ? " slanted" : "")} aria-hidden="true">
    <span class="row-seq faint">#</span><span class="verdict-gap"></span>
    ${lane > 0 &&
    html`<span class="lane-names" style=${{ width: `${columns.length * lane}px` }}>
      ${columns.map((agent) => html`<span key=${agent} class="lane-name" title=${agentName(agent)} style=${{ width: `${lane}px` }}><bdi>${agentName(agent)}</bdi></span>`)}
    </span>`}
    <span class="faint">Message</span>
  </div>`;
  const problem = useProblem(windows.problem, () => windows.retry());
  if (problem) {
    return html`<${Problem} problem=${problem} retry=${() => windows.retry()} />`;
  }
  return html`<${VirtualList}
    id="timeline"
    label=${`Messages, ${count(total)}. Arrow keys select one.`}
    total=${total}
    height=${ROW_HEIGHT}
    selected=${selected < 0 ? -1 : selected - first}
    onSelect=${(/** @type {number} */ index, /** @type {boolean} */ clicked) => onSelect(first + index, clicked)}
    onRange=${(/** @type {number} */ from, /** @type {number} */ to) => windows.need(from, to)}
    header=${header}
    rowClass=${(/** @type {number} */ index) => {
      const row = windows.row(index);
      return row ? `v-${verdictOf(row.verdict).style}` : "pending";
    }}
    rowLabel=${(/** @type {number} */ index) => spoken(windows.row(index))}
    row=${(/** @type {number} */ index) => {
      const row = windows.row(index);
      return row
        ? html`<${TimelineRow} row=${row} agents=${agents} width=${lane} showTo=${lane === 0} />`
        : html`<span class="row-seq"><span class="number">${count(first + index)}</span></span><span class="bone"></span>`;
    }}
  />`;
}
