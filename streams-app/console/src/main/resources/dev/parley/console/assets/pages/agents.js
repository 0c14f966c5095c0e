// Agents: who talks to whom, about what, with which errors, and how fast they answer.
import { AgentGraph, Bars, Completeness } from "../charts.js";
import { List, ListBar, orderOf, sorted } from "../list.js";
import { Choice, Entry, Icon, Label, Loaded, Nothing, PageHeader, Panel } from "../parts.js";
import { protocolName, protocols } from "../protocols.js";
import { Range } from "../range.js";
import { go, href } from "../router.js";
import { rangeOf, sinceOf, sums, turnarounds, useStats, useTicks } from "../stats.js";
import { count, counted, duration, plain, words } from "../text.js";
import { html, useMemo } from "../ui.js";
import { agentLink } from "./agent.js";

const PATH = ["agents"];
const MAX_AGENTS = 20;
const MAX_LISTED = 200;
const REFRESH_MS = 15000;
const NO_SENDER = "(no sender)";
const NO_RECIPIENT = "(no recipient)";
/** Counted together because there are too many; they have no names. */
const OTHERS = "(others)";
/** Verdicts that are errors. */
const ERRORS = ["rejected", "flagged", "undecodable"];
const NAMELESS = [NO_SENDER, NO_RECIPIENT, OTHERS];

/** Names an agent in all namespaces, escaped as in chains. */
function idOf(/** @type {any} */ row, /** @type {string} */ name) {
  return `${(row.namespace ?? "").replaceAll("%", "%25").replaceAll("|", "%7C")}|${name}`;
}

/**
 * Agents with their counts, and the edges between them. A message has an edge to each recipient, so what an agent sent
 * is counted apart. Equal names in two namespaces are two agents.
 */
function graphOf(/** @type {any[]} */ rows, /** @type {any[]} */ traffic) {
  const edges = /** @type {Map<string, any>} */ (new Map());
  const agents = /** @type {Map<string, any>} */ (new Map());
  const agent = (/** @type {any} */ row, /** @type {string} */ name) => {
    const id = idOf(row, name);
    const known = agents.get(id) ?? { id, namespace: row.namespace ?? null, name, sent: 0, received: 0, rejected: 0, flagged: 0, undecodable: 0, errors: 0, messages: 0 };
    agents.set(id, known);
    return known;
  };
  for (const row of rows) {
    const from = row.sender ?? (row.other ? OTHERS : NO_SENDER);
    const to = row.recipient ?? (row.other ? OTHERS : NO_RECIPIENT);
    const key = idOf(row, from) + "\u0000" + to;
    const edge = edges.get(key) ?? { key, from: agent(row, from), to: agent(row, to), messages: 0, rejected: 0, flagged: 0, undecodable: 0, errors: 0 };
    edges.set(key, edge);
    edge.messages += row.messages;
    edge.to.received += row.messages;
    edge.rejected += row.rejected;
    edge.flagged += row.flagged;
    edge.errors += row.rejected + row.flagged;
  }
  for (const row of traffic) {
    const of = agent(row, row.sender ?? (row.other ? OTHERS : NO_SENDER));
    const verdict = row.verdict.toLowerCase();
    of.sent += row.messages;
    if (ERRORS.includes(verdict)) {
      of[verdict] += row.messages;
      of.errors += row.messages;
    }
  }
  agents.forEach((known) => (known.messages = known.sent + known.received));
  const ordered = [...agents.values()].sort((a, b) => b.messages - a.messages || a.name.localeCompare(b.name));
  return { agents: ordered, edges: [...edges.values()].sort((a, b) => b.messages - a.messages) };
}

/** A count that leads to its messages. */
function linked(/** @type {number} */ value, /** @type {string | null} */ link) {
  return link && value > 0 ? html`<a href=${link}>${count(value)}</a>` : count(value);
}

/** The errors of a row by verdict, and their share of all its records. */
function errorsOf(/** @type {any} */ counts, /** @type {number} */ of, /** @type {(verdict: string) => string | null} */ link) {
  return of === 0
    ? html`<span class="faint">–</span>`
    : counts.errors === 0
      ? html`<span class="faint">0 %</span>`
      : html`${ERRORS.filter((verdict) => counts[verdict] > 0).map((verdict, i) => html`${i > 0 && " + "}${linked(counts[verdict], link(verdict))} ${verdict}`)} <span class="strong-rejected">${counts.errors / of < 0.01 ? "< 1" : Math.round((100 * counts.errors) / of)} %</span>`;
}

/** The name of an agent, with its namespace if there are several. */
function Named({ agent, spaces, max = 40 }) {
  return html`${spaces && agent.namespace && html`<span class="faint"><${Label} value=${agent.namespace} max=${24} /> / </span>`}<${Label} value=${agent.name} max=${max} />`;
}

const nameless = (/** @type {any} */ agent) => Number(NAMELESS.includes(agent.name));

/**
 * Columns of the table of agents.
 *
 * @param {{slow: Map<string, any>, spaces: boolean, messages: (agent: any, of: any) => string | null, selected: any,
 *     select: (agent: string | null) => void}} props slow has the turnarounds by agent
 * @returns {import("../list.js").Column[]}
 */
function agentColumns({ slow, spaces, messages, selected, select }) {
  return [
    { key: "name", name: "Agent", row: true, cell: (agent) => html`<button type="button" class="link-button" aria-pressed=${agent === selected ? "true" : "false"} onClick=${() => select(agent === selected ? null : agent.id)}><${Named} agent=${agent} spaces=${spaces} /></button> ${agent.namespace && !nameless(agent) && html`<a class="icon-button" href=${agentLink(agent.namespace, agent.name)} aria-label=${`Page of ${plain(agent.name, 60)}`} title="Its errors, partners, turnarounds and knowledge"><${Icon} name="right" size=${13} /></a>`}` },
    { key: "sent", name: "Sent", className: "num", sort: "sent", value: (agent) => agent.sent, meaning: "Records of this sender, with the undecodable ones that claim it", cell: (agent) => linked(agent.sent, messages(agent, { sender: agent.name })) },
    { key: "received", name: "Received", className: "num c-received", sort: "received", value: (agent) => agent.received, optional: true, meaning: "Messages that name it as recipient", cell: (agent) => linked(agent.received, messages(agent, { recipient: agent.name })) },
    { key: "errors", name: "Errors", className: "num", sort: "errors", value: (agent) => agent.errors + agent.errors / (agent.sent + 1), meaning: "Rejected, flagged and undecodable records, and their share of all that it sent", cell: (agent) => errorsOf(agent, agent.sent, (verdict) => messages(agent, { sender: agent.name, verdict })) },
    { key: "turnaround", name: "Turnaround", className: "num c-turnaround", sort: "turnaround", value: (agent) => slow.get(agent.id)?.p95 ?? -1, optional: true, meaning: "From request to result; 95 % were faster. Leads to what it received", cell: (agent) => (slow.has(agent.id) ? timed(slow.get(agent.id).p95, messages(agent, { recipient: agent.name })) : html`<span class="faint">–</span>`) },
  ];
}

/** A duration that leads to the messages behind it. */
function timed(/** @type {number} */ ms, /** @type {string | null} */ link) {
  return link ? html`<a href=${link}>${duration(ms)}</a>` : duration(ms);
}

export function Agents({ place, me }) {
  const { query } = place;
  const range = rangeOf(query.range ?? (query.from ? undefined : "24h"), query);
  const tick = useTicks(REFRESH_MS);
  const filter = { namespace: query.namespace, protocol: query.protocol };
  const edges = useStats("edges", range, { ...filter, by: "namespace,sender,recipient" }, tick);
  const traffic = useStats("traffic", range, { ...filter, by: "namespace,sender,performative,verdict" }, tick);
  const answers = useStats("turnaround", range, { ...filter, by: "namespace,agent,outcome" }, tick);
  const slow = useMemo(() => new Map(turnarounds(answers.data?.rows ?? [], (row) => idOf(row, row.agent ?? NO_SENDER)).map((row) => [row.key, row])), [answers.data]);
  const graph = useMemo(() => graphOf(edges.data?.rows ?? [], traffic.data?.rows ?? []), [edges.data, traffic.data]);
  const change = (/** @type {Record<string, any>} */ changes) => go(href(PATH, { ...query, ...changes }));
  const set = (/** @type {string} */ name) => (/** @type {string | null} */ value) => change({ [name]: value });
  // A search has no word for a missing name.
  const messages = (/** @type {any} */ agent, /** @type {{sender?: string, recipient?: string, verdict?: string}} */ of) =>
    me.features?.search && !NAMELESS.includes(of.sender ?? "") && !NAMELESS.includes(of.recipient ?? "") ? href(["search"], { ...filter, namespace: agent.namespace ?? filter.namespace, ...of, from: sinceOf(range), to: range.first === null ? "" : query.to }) : null;
  const between = (/** @type {any} */ edge, verdict = "") => messages(edge.from, { sender: edge.from.name, recipient: edge.to.name, verdict });
  // A name alone selects it in the namespace of the page.
  const selected = query.agent ? graph.agents.find((agent) => agent.id === query.agent) ?? graph.agents.find((agent) => agent.name === query.agent) ?? null : null;
  const spaces = new Set(graph.agents.map((agent) => agent.namespace).filter(Boolean)).size > 1;
  const columns = agentColumns({ slow, spaces, messages, selected, select: set("agent") });
  const order = orderOf(columns, query);
  // Messages without a name belong to no agent, and are last.
  const listed = sorted(graph.agents, columns, query).sort((a, b) => nameless(a) - nameless(b)).slice(0, MAX_LISTED);
  const shown = graph.agents.slice(0, MAX_AGENTS);
  const rows = selected === null ? graph.edges : graph.edges.filter((edge) => edge.from === selected || edge.to === selected);
  const acts = sums((traffic.data?.rows ?? []).filter((/** @type {any} */ row) => selected === null || idOf(row, row.sender ?? NO_SENDER) === selected.id), (row) => row.performative, (row) => row.messages);
  return html`
    <${PageHeader}
      title="Agents"
      lead="Who talks to whom, with which errors. Names are as in the messages, which are claims unless an input policy binds them."
      actions=${html`<${Choice} label="Protocol" name="protocol" value=${query.protocol ?? ""} onChange=${set("protocol")} options=${[["", "All protocols"], ...protocols().map((name) => [name.toLowerCase(), protocolName(name)])]} />
        <${Entry} label="Namespace" name="namespace" value=${query.namespace} onChange=${set("namespace")} placeholder="all" />
        <${Range} query=${{ ...query, range: range.first === null ? range.key : query.range }} set=${change} />`}
    />
    <${Loaded} state=${edges.data && !edges.problem ? traffic : edges} lines=${10}>
      ${() =>
        graph.agents.length === 0
          ? html`<${Nothing} title="No counted traffic in this time" me=${me} query=${{ ...filter, from: edges.data.from, to: edges.data.to }} undecodable=${true}>Counts are <${Completeness} of=${edges.data} />. Choose a longer time.<//>`
          : html`<div class="panels agents-panels">
              <${Panel} title="Who talks to whom" className="graph-panel" aside=${graph.agents.length > MAX_AGENTS ? html`<span class="faint">the ${MAX_AGENTS} busiest of ${count(graph.agents.length)} agents</span>` : html`<span class="faint">${count(graph.agents.length)} agents</span>`}>
                <${AgentGraph} agents=${shown} edges=${graph.edges.slice(0, 200)} selected=${selected} spaces=${spaces} onSelect=${set("agent")} link=${between} />
                <p class="legend-line"><span class="legend"><span class="edge-sample" aria-hidden="true"></span>no errors</span><span class="legend"><span class="edge-sample mixed" aria-hidden="true"></span>some errors</span><span class="legend"><span class="edge-sample bad" aria-hidden="true"></span>over 25 % errors</span></p>
              <//>
              <${Panel} title="Agents" className="agents-table" aside=${html`<span class="faint">${order.sort === undefined ? "busiest first" : `${order.order === "asc" ? "least" : "most"} ${order.sort} first`}; a heading sorts</span>`}>
                <${ListBar} name="agents" columns=${columns} path=${PATH} query=${query}>${counted(graph.agents.length, "agent")}${graph.agents.length > MAX_LISTED && `, the first ${MAX_LISTED}`}<//>
                <${List} name="agents" caption="Agents" className="compact-table" box="scroll" columns=${columns} items=${listed} id=${(/** @type {any} */ agent) => agent.id} path=${PATH} query=${query} current=${(/** @type {any} */ agent) => agent === selected} />
              <//>
              <${Panel} title=${selected === null ? "Busiest pairs" : "Pairs of the selected agent"} aside=${selected !== null && html`<button type="button" class="quiet small" onClick=${() => set("agent")(null)}>All agents</button>`}>
                <table class="rows compact-table">
                  <caption class="sr-only">Pairs of agents</caption>
                  <thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col" class="num">Messages</th><th scope="col" class="num">Errors</th></tr></thead>
                  <tbody>${rows.slice(0, 12).map((edge) => html`<tr key=${edge.key}><th scope="row"><${Named} agent=${edge.from} spaces=${spaces} max=${30} /></th><td><${Label} value=${edge.to.name} max=${30} /></td><td class="num">${linked(edge.messages, between(edge))}</td><td class="num">${errorsOf(edge, edge.messages, (verdict) => between(edge, verdict))}</td></tr>`)}</tbody>
                </table>
              <//>
              <${Panel} title="Kinds of message">
                <${Loaded} state=${traffic} lines=${5}>
                  ${() => html`<${Bars} caption="Messages by kind" rows=${acts.slice(0, 12).map(([name, value]) => ({ key: name, value, name: words(name) }))} />`}
                <//>
              <//>
            </div>
            <p class="note"><${Icon} name="clock" size=${13} /> Counts: <${Completeness} of=${edges.data} />.</p>`}
    <//>
  `;
}
