// Agents: who talks to whom, about what, with which errors, and how fast they answer.
import { AgentGraph, Bars, Completeness } from "../charts.js";
import { Choice, Entry, Icon, Label, Loaded, Nothing, PageHeader, Panel } from "../parts.js";
import { protocolName, protocols } from "../protocols.js";
import { go, href } from "../router.js";
import { RANGES, rangeOf, sinceOf, sums, turnarounds, useStats, useTicks } from "../stats.js";
import { count, duration, words } from "../text.js";
import { html, useMemo } from "../ui.js";
import { agentLink } from "./agent.js";

const MAX_AGENTS = 20;
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

/** What the table of agents can be sorted by: heading, value, and what the heading means. */
const ORDERS = /** @type {Record<string, [string, (agent: any, slow: Map<string, any>) => number, string]>} */ ({
  sent: ["Sent", (agent) => agent.sent, "Records of this sender, with the undecodable ones that claim it"],
  received: ["Received", (agent) => agent.received, "Messages that name it as recipient"],
  errors: ["Errors", (agent) => agent.errors + agent.errors / (agent.sent + 1), "Rejected, flagged and undecodable records, and their share of all that it sent"],
  turnaround: ["Turnaround", (agent, slow) => slow.get(agent.id)?.p95 ?? -1, "From request to result; 95 % were faster"],
});

/**
 * Agents by a column, the greatest first, and of equal counts of errors the greater share; otherwise the busiest first;
 * messages without a name belong to no agent and are last.
 */
function sorted(/** @type {any[]} */ agents, /** @type {string | undefined} */ order, /** @type {Map<string, any>} */ slow) {
  const value = ORDERS[order ?? ""]?.[1] ?? ((/** @type {any} */ agent) => agent.messages);
  const nameless = (/** @type {any} */ agent) => Number(NAMELESS.includes(agent.name));
  return agents.slice().sort((a, b) => nameless(a) - nameless(b) || value(b, slow) - value(a, slow));
}

export function Agents({ place, me }) {
  const { query } = place;
  const range = rangeOf(query.range ?? "24h");
  const tick = useTicks(REFRESH_MS);
  const filter = { namespace: query.namespace, protocol: query.protocol };
  const edges = useStats("edges", range, { ...filter, by: "namespace,sender,recipient" }, tick);
  const traffic = useStats("traffic", range, { ...filter, by: "namespace,sender,performative,verdict" }, tick);
  const answers = useStats("turnaround", range, { ...filter, by: "namespace,agent,outcome" }, tick);
  const slow = useMemo(() => new Map(turnarounds(answers.data?.rows ?? [], (row) => idOf(row, row.agent ?? NO_SENDER)).map((row) => [row.key, row])), [answers.data]);
  const graph = useMemo(() => graphOf(edges.data?.rows ?? [], traffic.data?.rows ?? []), [edges.data, traffic.data]);
  const set = (/** @type {string} */ name) => (/** @type {string | null} */ value) => go(href(["agents"], { ...query, [name]: value }));
  // A search has no word for a missing name.
  const messages = (/** @type {any} */ agent, /** @type {{sender?: string, recipient?: string, verdict?: string}} */ of) =>
    me.features?.search && !NAMELESS.includes(of.sender ?? "") && !NAMELESS.includes(of.recipient ?? "") ? href(["search"], { ...filter, namespace: agent.namespace ?? filter.namespace, ...of, from: sinceOf(range) }) : null;
  const between = (/** @type {any} */ edge, verdict = "") => messages(edge.from, { sender: edge.from.name, recipient: edge.to.name, verdict });
  // A name alone selects it in the namespace of the page.
  const selected = query.agent ? graph.agents.find((agent) => agent.id === query.agent) ?? graph.agents.find((agent) => agent.name === query.agent) ?? null : null;
  const spaces = new Set(graph.agents.map((agent) => agent.namespace).filter(Boolean)).size > 1;
  const order = Object.hasOwn(ORDERS, query.sort ?? "") ? query.sort : undefined;
  const shown = graph.agents.slice(0, MAX_AGENTS);
  const rows = selected === null ? graph.edges : graph.edges.filter((edge) => edge.from === selected || edge.to === selected);
  const acts = sums((traffic.data?.rows ?? []).filter((/** @type {any} */ row) => selected === null || idOf(row, row.sender ?? NO_SENDER) === selected.id), (row) => row.performative, (row) => row.messages);
  return html`
    <${PageHeader}
      title="Agents"
      lead="Who talks to whom, with which errors. Names are as in the messages, which are claims unless an input policy binds them."
      actions=${html`<${Choice} label="Protocol" name="protocol" value=${query.protocol ?? ""} onChange=${set("protocol")} options=${[["", "All protocols"], ...protocols().map((name) => [name.toLowerCase(), protocolName(name)])]} />
        <${Entry} label="Namespace" name="namespace" value=${query.namespace} onChange=${set("namespace")} placeholder="all" />
        <${Choice} label="Time" name="range" value=${range.key} onChange=${set("range")} options=${RANGES.map((r) => [r[0], r[1]])} />`}
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
              <${Panel} title="Agents" className="agents-table" aside=${html`<span class="faint">${order ? `most ${ORDERS[order][0].toLowerCase()} first` : "busiest first"}; a heading sorts</span>`}>
                <div class="table-box scroll"><table class="rows compact-table">
                  <caption class="sr-only">Agents</caption>
                  <thead><tr><th scope="col">Agent</th>${Object.entries(ORDERS).map(([key, [heading, , meaning]]) => html`<th key=${key} scope="col" class=${`num c-${key}`} aria-sort=${order === key ? "descending" : undefined}><button type="button" class="sort" title=${meaning} onClick=${() => set("sort")(order === key ? null : key)}>${heading}${order === key && html`<${Icon} name="down" size=${12} />`}</button></th>`)}</tr></thead>
                  <tbody>${sorted(graph.agents, order, slow).slice(0, 200).map((agent) => html`<tr key=${agent.id} class=${agent === selected ? "current" : ""}>
                    <th scope="row"><button type="button" class="link-button" aria-pressed=${agent === selected ? "true" : "false"} onClick=${() => set("agent")(agent === selected ? null : agent.id)}><${Named} agent=${agent} spaces=${spaces} /></button></th>
                    <td class="num">${linked(agent.sent, messages(agent, { sender: agent.name }))}</td><td class="num c-received">${linked(agent.received, messages(agent, { recipient: agent.name }))}</td><td class="num">${errorsOf(agent, agent.sent, (verdict) => messages(agent, { sender: agent.name, verdict }))}</td><td class="num c-turnaround">${slow.has(agent.id) ? duration(slow.get(agent.id).p95) : html`<span class="faint">–</span>`}</td></tr>`)}</tbody>
                </table></div>
              <//>
              <${Panel} title=${selected === null ? "Busiest pairs" : "Pairs of the selected agent"} aside=${selected !== null && html`${selected !== null && query.namespace && !NAMELESS.includes(selected) && html`<a class="button small" href=${agentLink(query.namespace, selected)}>Page of <${Label} value=${selected} max=${30} /></a>`} <button type="button" class="quiet small" onClick=${() => set("agent")(null)}>All agents</button>`}>
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
