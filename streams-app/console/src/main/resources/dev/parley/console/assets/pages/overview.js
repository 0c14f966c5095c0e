// What happens in the deployment now, and what needs attention.
import * as api from "../api.js";
import { Bars, Completeness, LagChart, SERIES, TrafficChart } from "../charts.js";
import { LiveTail } from "../live.js";
import { Choice, Code, Icon, Label, Loaded, Nothing, PageHeader, Panel, Protocol, Text, Time, VERDICTS, Verdict } from "../parts.js";
import { protocolName, protocols } from "../protocols.js";
import { Range } from "../range.js";
import { conversationLink, go, href, ofPath } from "../router.js";
import { ALWAYS, rangeOf, sinceOf, sums, turnarounds, useStats, useTicks } from "../stats.js";
import { count, counted, duration, glossOf, plain, words } from "../text.js";
import { html, useLoad, useMemo } from "../ui.js";
import { Shares } from "./conversations.js";

const REFRESH_MS = 10000;

function Tile({ label, value, detail, style = "", link = null, old = false }) {
  const body = html`<span class="tile-label">${label}</span><span class="tile-value">${value}</span><span class="tile-detail">${old && "last known: "}${detail}</span>`;
  return html`<li class=${"tile " + style}>${link ? html`<a href=${link}>${body}</a>` : body}</li>`;
}

/** The share of a number in a total, in percent. */
function percent(/** @type {number} */ part, /** @type {number} */ of) {
  return part === 0 ? "0 %" : part / of < 0.001 ? "< 0.1 %" : ((100 * part) / of).toFixed(1) + " %";
}

/** What the filters of the page select. */
function TrafficTiles({ state, range, query, messages }) {
  const of = Object.fromEntries(sums(state.data?.rows ?? [], (row) => row.verdict, (row) => row.messages));
  const judged = SERIES.reduce((sum, name) => sum + (of[name] ?? 0), 0);
  const errors = SERIES.filter((name) => name !== "ACCEPTED").map((name) => ({ name: name.toLowerCase(), value: of[name] ?? 0 }));
  const failed = errors.reduce((sum, error) => sum + error.value, 0);
  // Minutes are counted when they are over: without a count, there may be messages.
  const known = judged > 0;
  const none = state.data === null ? "not known yet" : `none counted in the ${range.label.toLowerCase()}`;
  return html`<${Tile} label="Messages" value=${known ? count(judged) : "–"} detail=${known ? `${percent(of.ACCEPTED ?? 0, judged)} accepted, ${range.label.toLowerCase()}` : none} link=${messages(query)} />
    <${Tile} label="Errors" value=${known ? count(failed) : "–"} detail=${known ? errors.map(({ name, value }, i) => html`${i > 0 && ", "}${value > 0 ? html`<a href=${messages({ ...query, verdict: name })}>${count(value)} ${name}</a>` : `0 ${name}`}`) : none} style=${failed > 0 ? "attention" : ""} />`;
}

/** An icon and a word for how something is; without color and icon of it during an outage, when it may have changed. */
function Condition({ good, icon, bad = "waiting", size = 20, lost, children }) {
  return html`<span class=${"with-icon " + (lost ? "faint" : good ? "good" : bad)}><${Icon} name=${lost ? "clock" : good ? "check" : icon} size=${size} />${children}</span>`;
}

const FRESH_MS = 60000;

/** Until when every input has a verdict; good while that was not long before the last measurement. */
function Balance({ pipeline, until, balanced, lost, size }) {
  const fresh = balanced || (until && Date.parse(pipeline.lagAsOf) - Date.parse(until) < FRESH_MS);
  return html`<${Condition} good=${fresh} icon="clock" size=${size} lost=${lost}>${balanced ? "Balanced" : until ? html`Balanced up to <${Time} value=${until} form="second" />` : "In progress"}<//>`;
}

/** Inputs with a verdict. */
function withVerdict(/** @type {any} */ counts) {
  return counts.accepted + counts.rejected + counts.flagged + counts.undecodable;
}

/** The deployment, whatever the filters. */
function StatusTiles({ status, lost }) {
  const total = status.pipeline.total;
  const heads = status.heads;
  const lags = Object.entries(status.lag.overdue);
  const stalled = status.pipeline.partitions.filter((/** @type {any} */ p) => p.stalledSince).length;
  return html`<${Tile}
      label="Accounting, all inputs"
      value=${html`<${Balance} pipeline=${status.pipeline} until=${status.pipeline.balancedUntil} balanced=${status.pipeline.balanced} lost=${lost} />`}
      old=${lost}
      detail=${`${counted(total.inputs, "input")} = ${count(withVerdict(total))} judged + ${count(total.parked)} parked + ${count(total.pending)} in flight${total.lag > 0 ? `; ${count(total.lag)} not read yet` : ""}`}
      link=${total.parked > 0 ? href(["parked"]) : null}
    />
    <${Tile}
      label="Lag of over 30 s, records"
      old=${lost}
      value=${ALWAYS.some((name) => !Object.hasOwn(status.lag.overdue, name)) ? "unknown" : count(lags.reduce((sum, [, records]) => sum + records, 0))}
      detail=${stalled > 0 ? `${counted(stalled, "partition")} without progress` : lags.map(([name, records]) => `${name} ${count(records)}`).join(", ")}
      style=${stalled > 0 ? "attention" : ""}
    />
    <${Tile}
      label="Audit log head"
      old=${lost}
      value=${heads.lastSigned ? html`<${Time} value=${heads.lastSigned} form="ago" />` : heads.lastPublished ? html`<${Time} value=${heads.lastPublished} form="ago" />` : "none"}
      detail=${heads.lastSigned ? html`signed with key ${plain(heads.keys[0] ?? "", 80)}` : heads.lastPublished ? "published, not signed" : "nothing published yet"}
    />
    <${Tile}
      label="Health"
      value=${html`<${Condition} good=${status.ready} icon="cross" bad="bad" lost=${lost}>${status.ready ? "Ready" : "Not ready"}<//>`}
      old=${lost}
      detail=${(status.parts ?? []).filter((/** @type {any} */ p) => p.status !== "ready").map((/** @type {any} */ p) => `${p.name} ${p.status}`).join(", ") || `${counted(status.parts?.length ?? 0, "component")} ready`}
      style=${status.ready ? "" : "attention"}
    />`;
}

/** A panel with the messages by verdict over time; link gives the messages of a verdict and time. */
export function TrafficOverTime({ title = "Traffic by verdict", state, range, link, nothing }) {
  const buckets = useMemo(() => {
    const result = /** @type {Map<number, Record<string, number>>} */ (new Map());
    for (const row of state.data?.rows ?? []) {
      const time = Math.floor(Date.parse(row.time) / (range.step * 1000)) * range.step * 1000;
      const bucket = result.get(time) ?? {};
      bucket[row.verdict] = (bucket[row.verdict] ?? 0) + row.messages;
      result.set(time, bucket);
    }
    return result;
  }, [state.data]);
  return html`<${Panel} title=${title} className="wide" aside=${html`<${Completeness} of=${state.data} />`}>
      <${Loaded} state=${state} lines=${6}>
        ${(/** @type {any} */ data) =>
          buckets.size === 0
            ? nothing("No counted traffic in this time", data)
            : html`<${TrafficChart} from=${Date.parse(data.from)} to=${Date.parse(data.to)} kept=${Date.parse(data.keptFrom ?? 0)} complete=${Date.parse(data.completeTo ?? data.from)} step=${range.step * 1000} buckets=${buckets} link=${(/** @type {string} */ name, times = {}) => link({ verdict: name.toLowerCase(), ...times })} />`}
      <//>
    <//>`;
}

function Traffic({ state, range, query, messages, nothing }) {
  return html`
    <${TrafficOverTime} state=${state} range=${range} link=${(/** @type {any} */ of) => messages({ ...query, ...of })} nothing=${nothing} />
    <${Panel} title="By protocol">
      <${Loaded} state=${state} lines=${4}>
        ${(/** @type {any} */ data) => {
          const protocols = sums(data.rows, (row) => row.protocol, (row) => row.messages);
          return protocols.length === 0
            ? nothing("No counted traffic in this time", data)
            : html`<table class="rows compact-table">
                <caption class="sr-only">Messages by protocol and verdict</caption>
                <thead><tr><th scope="col">Protocol</th>${SERIES.map((name) => html`<th key=${name} scope="col" class="num"><span class="with-icon"><${Verdict} name=${name} compact=${true} /><span class="wide-only" aria-hidden="true">${VERDICTS[name].label}</span></span></th>`)}</tr></thead>
                <tbody>
                  ${protocols.map(([protocol]) => html`<tr key=${protocol}>
                    <th scope="row"><a href=${href(["conversations"], { protocol: protocol.toLowerCase() })}><${Protocol} name=${protocol} /></a></th>
                    ${SERIES.map((name) => html`<td key=${name} class="num">${cell(data.rows, protocol, name, messages({ protocol: protocol.toLowerCase(), verdict: name.toLowerCase() }))}</td>`)}
                  </tr>`)}
                </tbody>
              </table>`;
        }}
      <//>
    <//>
  `;
}

function cell(/** @type {any[]} */ rows, /** @type {string} */ protocol, /** @type {string} */ verdict, /** @type {string} */ link) {
  const value = rows.filter((row) => row.protocol === protocol && row.verdict === verdict).reduce((sum, row) => sum + row.messages, 0);
  return value === 0 ? html`<span class="faint">0</span>` : html`<a href=${link}>${count(value)}</a>`;
}

const MAX_ATTENTION = 8;
const MAX_READS = 5;

/** The conversations of the newest rejected messages; without a search index, the newest that have one. */
async function attention(/** @type {any} */ query, /** @type {boolean} */ searches, /** @type {AbortSignal} */ signal) {
  if (!searches) {
    return (await api.getPage("/v1/conversations", { ...query, verdict: "rejected", limit: MAX_ATTENTION }, signal)).items.map((/** @type {any} */ item) => ({ ...item, time: item.lastTime }));
  }
  const found = /** @type {Map<string, any>} */ (new Map());
  let cursor = null;
  for (let reads = 0; reads < MAX_READS && found.size < MAX_ATTENTION && cursor !== undefined; reads++) {
    let next;
    for await (const line of api.jsonLines("/v1/search", { ...query, verdict: "rejected", limit: 100, cursor }, signal)) {
      if (line.hit && !found.has(line.hit.chain)) {
        found.set(line.hit.chain, line.hit);
      }
      next = line.done?.cursor ?? undefined;
    }
    cursor = next;
  }
  const read = await Promise.allSettled([...found.values()].slice(0, MAX_ATTENTION).map(async (hit) => ({ ...(await api.get(api.path("conversations", hit.namespace, hit.protocol.toLowerCase(), hit.conversation), {}, signal)), at: hit.sequence, time: hit.time })));
  return read.flatMap((one) => {
    if (one.status === "fulfilled") {
      return [one.value];
    }
    // A conversation may be pruned by then.
    if (one.reason?.status === 404 || one.reason?.status === 410) {
      return [];
    }
    throw one.reason;
  });
}

/** A conversation with its namespace, because its ID can occur in several. */
function Named({ item, m }) {
  return html`<span class="faint"><${Label} value=${item.namespace} max=${24} /> / </span><a href=${conversationLink(item, { m })}><${Label} value=${item.conversation} max=${40} /></a>`;
}

/** Conversations with errors, which are the work of today. */
function Attention({ query, tick, searches, nothing }) {
  const state = useLoad((signal) => attention(query, searches, signal), [query, searches], tick);
  return html`<${Panel} title="Conversations with rejected messages" aside=${html`<a href=${href(["conversations"], { ...query, verdict: "rejected" })}>All</a>`}>
    <${Loaded} state=${state} lines=${5}>
      ${(/** @type {any[]} */ items) =>
        items.length === 0
          ? nothing("No message was rejected")
          : html`<table class="rows compact-table">
              <caption class="sr-only">Conversations with rejected messages</caption>
              <thead><tr><th scope="col">Conversation</th><th scope="col">Protocol</th><th scope="col" class="wide-only">Verdicts</th><th scope="col" class="num">Rejected</th><th scope="col" class="num">Received</th></tr></thead>
              <tbody>${items.map((item) => html`<tr key=${item.chain}><th scope="row"><${Named} item=${item} m=${item.at} /></th><td><${Protocol} name=${item.protocol} /></td><td class="bar-cell wide-only"><${Shares} of=${item} /></td><td class="num strong-rejected">${count(item.rejected)}</td><td class="num"><${Time} value=${item.time} form="ago" /></td></tr>`)}</tbody>
            </table>`}
    <//>
  <//>`;
}

/** Counts codes that this version does not know, which a search has no word for. */
const UNKNOWN = "UNKNOWN";

function Violations({ range, query, tick, since, messages, nothing }) {
  const state = useStats("violations", range, { ...query, by: "kind,code" }, tick);
  return html`<${Panel} title="Errors by code" aside=${html`<a href=${href(["dead-letters"], { ...query, from: since })}>Dead letters</a>`}>
    <${Loaded} state=${state} lines=${5}>
      ${(/** @type {any} */ data) => {
        const codes = sums(data.rows.filter((/** @type {any} */ row) => row.kind !== "WARNING"), (row) => row.code, (row) => row.messages).slice(0, 8);
        return codes.length === 0
          ? nothing("No errors in this time", data)
          : html`<${Bars} caption="Messages by code" rows=${codes.map(([code, value]) => ({ key: code, value, style: "rejected", name: code === UNKNOWN ? "unknown code" : html`<a href=${messages({ ...query, code })}><${Code} name=${code} /></a>` }))} />`;
      }}
    <//>
  <//>`;
}

function Turnaround({ range, query, tick, messages, nothing }) {
  const state = useStats("turnaround", range, { ...query, by: "namespace,agent,kind,name,outcome" }, tick);
  return html`<${Panel} title="Slowest turnarounds" aside=${html`<a href=${href(["agents"])}>Agents</a>`}>
    <${Loaded} state=${state} lines=${5}>
      ${(/** @type {any} */ data) => {
        const rows = turnarounds(data.rows, (row) => JSON.stringify([row.namespace, row.agent, row.kind, row.name])).slice(0, 8);
        return rows.length === 0
          ? nothing("No request was closed in this time", data)
          : html`<table class="rows compact-table">
              <caption class="sr-only">Time from request to result, by agent, kind and name</caption>
              <thead><tr><th scope="col">Agent</th><th scope="col">Kind</th><th scope="col" class="num">Closed</th><th scope="col" class="num">Median</th><th scope="col" class="num">95 %</th><th scope="col" class="num">Longest</th></tr></thead>
              <tbody>${rows.map((row) => html`<tr key=${row.key}><th scope="row"><span class="faint"><${Label} value=${row.namespace ?? ""} max=${24} /> / </span><a href=${href(["agents"], { namespace: row.namespace, agent: row.agent })}><${Label} value=${row.agent ?? "(unknown)"} max=${30} /></a></th><td>${words(row.kind)}${row.name && html` <${Text} value=${row.name} max=${30} />`}</td><td class="num">${row.agent ? html`<a href=${messages({ ...query, namespace: row.namespace ?? query.namespace, recipient: row.agent })} aria-label=${`${counted(row.items, "request")} closed: messages to ${plain(row.agent, 30)}`}>${count(row.items)}</a>` : count(row.items)}</td><td class="num">${duration(row.median)}</td><td class="num">${duration(row.p95)}</td><td class="num">${duration(row.maxMs)}</td></tr>`)}</tbody>
            </table>`;
      }}
    <//>
  <//>`;
}

/** Requests that still await their results, the oldest first. */
function OpenItems({ query, tick, nothing }) {
  const state = useLoad((signal) => api.getPage("/v1/open-items", { ...query, limit: 8 }, signal), [query], tick);
  return html`<${Panel} title="Open longest">
    <${Loaded} state=${state} lines=${5}>
      ${(/** @type {any} */ data) =>
        data.items.length === 0
          ? nothing("No request is open")
          : html`<table class="rows compact-table">
              <caption class="sr-only">Requests without a result</caption>
              <thead><tr><th scope="col">Conversation</th><th scope="col">Kind</th><th scope="col">Asked of</th><th scope="col" class="num">Received</th></tr></thead>
              <tbody>${data.items.map((/** @type {any} */ item) => html`<tr key=${[item.namespace, item.protocol, item.conversation, item.sequence].join("\u0000")}><th scope="row"><${Named} item=${item} m=${item.sequence} /></th><td>${words(item.kind)}</td><td><${Text} value=${item.name ?? item.agent ?? "anyone"} max=${30} /></td><td class="num"><${Time} value=${item.since} form="ago" /></td></tr>`)}</tbody>
            </table>`}
    <//>
  <//>`;
}

/** Messages with a changed definition and no approval, the oldest first; nothing if there are none. */
function Unapproved({ namespace, tick }) {
  const state = useLoad((signal) => api.getPage("/v1/unapproved", { namespace, limit: 8 }, signal), [namespace], tick);
  const items = state.data?.items ?? [];
  return items.length > 0
    ? html`<${Panel} title="Definitions to approve">
        <table class="rows compact-table">
          <caption class="sr-only">Messages with a changed definition and no approval</caption>
          <thead><tr><th scope="col">Conversation</th><th scope="col">Server</th><th scope="col">Changed</th><th scope="col" class="num">Received</th></tr></thead>
          <tbody>${items.map((/** @type {any} */ item) => html`<tr key=${item.chain + "#" + item.sequence}><th scope="row"><${Named} item=${ofPath(item.links.conversation)} m=${item.sequence} /></th><td><${Text} value=${item.server ?? "unknown"} max=${40} /></td><td><${Text} value=${item.definitions.map((/** @type {any} */ one) => `${one.kind} ${one.name}`).join(", ") || (glossOf(item) ?? "not visible")} max=${120} /></td><td class="num"><${Time} value=${item.time} form="ago" /></td></tr>`)}</tbody>
        </table>
      <//>`
    : null;
}

/** Where a count of an input partition leads; the others have no list of their own. */
const LINKS = /** @type {Record<string, (partition: any) => string>} */ ({
  parked: () => href(["parked"]),
  undecodable: (p) => conversationLink({ namespace: "-", protocol: "UNKNOWN", conversation: `${p.topic}-${p.partition}` }),
});

function Partitions({ pipeline, history, lost }) {
  const rows = pipeline.partitions;
  return html`<${Panel} title="Accounting per partition" className="wide" aside=${html`<span class="faint">${lost && "last known: "}inputs = accepted + rejected + flagged + undecodable + parked + in flight</span>`}>
    <div class="table-box"><table class="rows compact-table">
      <caption class="sr-only">Accounting per input partition</caption>
      <thead><tr><th scope="col">Partition</th>${["Inputs", "Accepted", "Rejected", "Flagged", "Undecodable", "Parked", "In flight", "Lag"].map((name) => html`<th key=${name} scope="col" class="num">${name}</th>`)}<th scope="col">State</th></tr></thead>
      <tbody>
        ${rows.slice(0, 100).map((/** @type {any} */ p) => html`<tr key=${p.topic + p.partition}>
          <th scope="row"><${Text} value=${`${p.topic}-${p.partition}`} max=${60} /></th>
          ${["inputs", "accepted", "rejected", "flagged", "undecodable", "parked", "pending", "lag"].map((name) => html`<td key=${name} class="num">${p[name] === 0 ? html`<span class="faint">0</span>` : LINKS[name] ? html`<a href=${LINKS[name](p)}>${count(p[name])}</a>` : count(p[name])}</td>`)}
          <td>${p.stalledSince ? html`<${Condition} icon="cross" bad="bad" size=${14} lost=${lost}>stalled (${words(p.stalledBy)}${p.transactionalId && html` of <${Text} value=${p.transactionalId} max=${30} />`}), <${Time} value=${p.stalledSince} form="ago" /><//>` : html`<${Balance} pipeline=${pipeline} until=${p.balancedUntil?.time} balanced=${p.balanced} size=${14} lost=${lost} />`}</td>
        </tr>`)}
      </tbody>
    </table></div>
    ${rows.length > 100 && html`<p class="note">The first 100 of ${count(rows.length)} partitions.</p>`}
    ${history.length > 0 && html`<${LagChart} history=${history} />`}
  <//>`;
}

export function Overview({ place, me, status, lost }) {
  const range = rangeOf(place.query.range, place.query);
  const query = { namespace: place.query.namespace, protocol: place.query.protocol };
  const tick = useTicks(REFRESH_MS);
  const since = sinceOf(range);
  const traffic = useStats("traffic", range, { ...query, by: "protocol,verdict" }, tick);
  const messages = (/** @type {any} */ filter) => (me.features?.search ? href(["search"], { namespace: query.namespace, from: since, to: range.first === null ? "" : place.query.to, ...filter }) : href(["conversations"], { namespace: query.namespace, ...filter }));
  const change = (/** @type {Record<string, string>} */ changes) => go(href([], { ...place.query, ...changes }));
  const nothing = (/** @type {string} */ title, /** @type {any} */ stats = null) => html`<${Nothing} title=${title} me=${me} query=${{ ...query, from: stats?.from, to: stats?.to }}>${stats && html`Counts are <${Completeness} of=${stats} />.`}<//>`;
  const tiles = html`<${TrafficTiles} state=${traffic} range=${range} query=${query} messages=${messages} />`;
  return html`
    <${PageHeader}
      title="Overview"
      actions=${html`<${Choice} label="Protocol" name="protocol" value=${place.query.protocol ?? ""} onChange=${(/** @type {string} */ protocol) => change({ protocol })} options=${[["", "All protocols"], ...protocols().map((name) => [name.toLowerCase(), protocolName(name)])]} />
        <${Range} query=${place.query} set=${change} />`}
    />
    ${me.features?.status === false
      ? html`<ul class="tiles" aria-label="Key figures">${tiles}</ul>`
      : html`<${Loaded} state=${status} lines=${2}>${(/** @type {any} */ data) => html`<ul class="tiles" aria-label="Key figures">${tiles}<${StatusTiles} status=${data} lost=${lost} /></ul>`}<//>`}
    <div class="panels">
      <${Traffic} state=${traffic} range=${range} query=${query} messages=${messages} nothing=${nothing} />
      <${Attention} query=${query} tick=${tick} searches=${Boolean(me.features?.search)} nothing=${nothing} />
      <${Violations} range=${range} query=${query} tick=${tick} since=${since} messages=${messages} nothing=${nothing} />
      <${Turnaround} range=${range} query=${query} tick=${tick} messages=${messages} nothing=${nothing} />
      <${OpenItems} query=${query} tick=${tick} nothing=${nothing} />
      <${Unapproved} namespace=${query.namespace} tick=${tick} />
      ${me.features?.tail && html`<${LiveTail} query=${query} />`}
      ${status.data && html`<${Partitions} pipeline=${status.data.pipeline} history=${status.data.lag.history} lost=${lost} />`}
    </div>
  `;
}
