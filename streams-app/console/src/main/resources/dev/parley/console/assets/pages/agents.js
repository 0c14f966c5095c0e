// Agents: who talks to whom, about what, with which errors, and how fast they answer.
import { AgentGraph, Bars, Completeness } from "../charts.js";
import { Choice, Empty, Entry, Icon, Label, Loaded, PageHeader, Panel, Text } from "../parts.js";
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
const NAMELESS = [NO_SENDER, NO_RECIPIENT, OTHERS];

/**
 * Agents with their counts, and the edges between them. A message has an edge to each recipient, so what an agent sent
 * is counted apart. Undecodable records only claim their sender, and are no errors of its messages.
 */
function graphOf(/** @type {any[]} */ rows, /** @type {any[]} */ traffic) {
  const edges = /** @type {Map<string, any>} */ (new Map());
  const agents = /** @type {Map<string, any>} */ (new Map());
  const agent = (/** @type {string} */ name) => {
    const known = agents.get(name) ?? { name, sent: 0, decoded: 0, received: 0, rejected: 0, flagged: 0, errors: 0, claimed: 0, messages: 0 };
    agents.set(name, known);
    return known;
  };
  for (const row of rows) {
    const from = row.sender ?? (row.other ? OTHERS : NO_SENDER);
    const to = row.recipient ?? (row.other ? OTHERS : NO_RECIPIENT);
    const key = from + "\u0000" + to;
    const edge = edges.get(key) ?? { from, to, messages: 0, rejected: 0, flagged: 0, errors: 0 };
    edges.set(key, edge);
    edge.messages += row.messages;
    agent(from);
    agent(to).received += row.messages;
    edge.rejected += row.rejected;
    edge.flagged += row.flagged;
    edge.errors += row.rejected + row.flagged;
  }
  for (const row of traffic) {
    const of = agent(row.sender ?? (row.other ? OTHERS : NO_SENDER));
    of.sent += row.messages;
    of.decoded += row.verdict === "UNDECODABLE" ? 0 : row.messages;
    of.claimed += row.verdict === "UNDECODABLE" ? row.messages : 0;
    of.rejected += row.verdict === "REJECTED" ? row.messages : 0;
    of.flagged += row.verdict === "FLAGGED" ? row.messages : 0;
    of.errors = of.rejected + of.flagged;
  }
  agents.forEach((known) => (known.messages = known.sent + known.received));
  const ordered = [...agents.values()].sort((a, b) => b.messages - a.messages || a.name.localeCompare(b.name));
  return { agents: ordered, edges: [...edges.values()].sort((a, b) => b.messages - a.messages) };
}

/** A count that leads to its messages. */
function linked(/** @type {number} */ value, /** @type {string | null} */ link) {
  return link && value > 0 ? html`<a href=${link}>${count(value)}</a>` : count(value);
}

/** Counts of one kind or several, and their share. */
function rate(/** @type {number} */ of, /** @type {[number, string, string | null][]} */ ...counts) {
  const errors = counts.reduce((sum, [value]) => sum + value, 0);
  return of === 0
    ? html`<span class="faint">–</span>`
    : errors === 0
      ? html`<span class="faint">0 %</span>`
      : html`${counts.filter(([value]) => value > 0).map(([value, name, link], i) => html`${i > 0 && " + "}${linked(value, link)}${name && ` ${name}`}`)} <span class="strong-rejected">${errors / of < 0.01 ? "< 1" : Math.round((100 * errors) / of)} %</span>`;
}

/** Rejected messages, and flagged ones, which are not rejected because the rules only observe. */
function errorsOf(/** @type {any} */ counts, /** @type {number} */ of, /** @type {(verdict: string) => string | null} */ link) {
  return rate(of, [counts.rejected, "", link("rejected")], [counts.flagged, "flagged", link("flagged")]);
}

/** What the table of agents can be sorted by: heading, value, and what the heading means. */
const ORDERS = /** @type {Record<string, [string, (agent: any, slow: Map<string, any>) => number, string]>} */ ({
  sent: ["Sent", (agent) => agent.sent, "Messages of this sender, with the undecodable records that claim it"],
  received: ["Received", (agent) => agent.received, "Messages that name it as recipient"],
  errors: ["Errors", (agent) => agent.errors + agent.errors / (agent.decoded + 1), "Rejected or flagged messages, and their share of the decoded ones"],
  undecodable: ["Undecodable", (agent) => agent.claimed + agent.claimed / (agent.sent + 1), "Undecodable records that claim this sender, and their share of all"],
  turnaround: ["Turnaround", (agent, slow) => slow.get(agent.name)?.p95 ?? -1, "From request to result; 95 % were faster"],
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
  const edges = useStats("edges", range, { ...filter, by: "sender,recipient" }, tick);
  const traffic = useStats("traffic", range, { ...filter, by: "sender,performative,verdict" }, tick);
  const answers = useStats("turnaround", range, { ...filter, by: "agent,outcome" }, tick);
  const slow = useMemo(() => new Map(turnarounds(answers.data?.rows ?? [], (row) => row.agent ?? NO_SENDER).map((row) => [row.key, row])), [answers.data]);
  const graph = useMemo(() => graphOf(edges.data?.rows ?? [], traffic.data?.rows ?? []), [edges.data, traffic.data]);
  const set = (/** @type {string} */ name) => (/** @type {string | null} */ value) => go(href(["agents"], { ...query, [name]: value }));
  // A search has no word for a missing name.
  const messages = (/** @type {{sender?: string, recipient?: string, verdict?: string}} */ of) =>
    me.features?.search && !NAMELESS.includes(of.sender ?? "") && !NAMELESS.includes(of.recipient ?? "") ? href(["search"], { ...filter, ...of, from: sinceOf(range) }) : null;
  const between = (/** @type {any} */ edge, verdict = "") => messages({ sender: edge.from, recipient: edge.to, verdict });
  const selected = query.agent ?? null;
  const order = Object.hasOwn(ORDERS, query.sort ?? "") ? query.sort : undefined;
  const shown = graph.agents.slice(0, MAX_AGENTS);
  const rows = selected === null ? graph.edges : graph.edges.filter((edge) => edge.from === selected || edge.to === selected);
  const acts = sums((traffic.data?.rows ?? []).filter((/** @type {any} */ row) => selected === null || row.sender === selected), (row) => row.performative, (row) => row.messages);
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
          ? html`<${Empty} title="No counted traffic in this time"><${Completeness} of=${edges.data} />. Choose a longer time.<//>`
          : html`<div class="panels agents-panels">
              <${Panel} title="Who talks to whom" className="graph-panel" aside=${graph.agents.length > MAX_AGENTS ? html`<span class="faint">the ${MAX_AGENTS} busiest of ${count(graph.agents.length)} agents</span>` : html`<span class="faint">${count(graph.agents.length)} agents</span>`}>
                <${AgentGraph} agents=${shown} edges=${graph.edges.slice(0, 200)} selected=${selected} onSelect=${set("agent")} link=${between} />
                <p class="legend-line"><span class="legend"><span class="edge-sample" aria-hidden="true"></span>no errors</span><span class="legend"><span class="edge-sample mixed" aria-hidden="true"></span>some errors</span><span class="legend"><span class="edge-sample bad" aria-hidden="true"></span>over 25 % errors</span></p>
              <//>
              <${Panel} title="Agents" className="agents-table" aside=${html`<span class="faint">${order ? `most ${ORDERS[order][0].toLowerCase()} first` : "busiest first"}; a heading sorts</span>`}>
                <div class="table-box scroll"><table class="rows compact-table">
                  <caption class="sr-only">Agents</caption>
                  <thead><tr><th scope="col">Agent</th>${Object.entries(ORDERS).map(([key, [heading, , meaning]]) => html`<th key=${key} scope="col" class=${`num c-${key}`} aria-sort=${order === key ? "descending" : undefined}><button type="button" class="sort" title=${meaning} onClick=${() => set("sort")(order === key ? null : key)}>${heading}${order === key && html`<${Icon} name="down" size=${12} />`}</button></th>`)}</tr></thead>
                  <tbody>${sorted(graph.agents, order, slow).slice(0, 200).map((agent) => html`<tr key=${agent.name} class=${agent.name === selected ? "current" : ""}>
                    <th scope="row"><button type="button" class="link-button" aria-pressed=${agent.name === selected ? "true" : "false"} onClick=${() => set("agent")(agent.name === selected ? null : agent.name)}><${Label} value=${agent.name} max=${40} /></button></th>
                    <td class="num">${linked(agent.sent, messages({ sender: agent.name }))}</td><td class="num c-received">${linked(agent.received, messages({ recipient: agent.name }))}</td><td class="num">${errorsOf(agent, agent.decoded, (verdict) => messages({ sender: agent.name, verdict }))}</td><td class="num">${rate(agent.sent, [agent.claimed, "", messages({ sender: agent.name, verdict: "undecodable" })])}</td><td class="num c-turnaround">${slow.has(agent.name) ? duration(slow.get(agent.name).p95) : html`<span class="faint">–</span>`}</td></tr>`)}</tbody>
                </table></div>
              <//>
              <${Panel} title=${selected === null ? "Busiest pairs" : "Pairs of the selected agent"} aside=${selected !== null && html`${selected !== null && query.namespace && !NAMELESS.includes(selected) && html`<a class="button small" href=${agentLink(query.namespace, selected)}>Page of <${Label} value=${selected} max=${30} /></a>`} <button type="button" class="quiet small" onClick=${() => set("agent")(null)}>All agents</button>`}>
                <table class="rows compact-table">
                  <caption class="sr-only">Pairs of agents</caption>
                  <thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col" class="num">Messages</th><th scope="col" class="num">Errors</th></tr></thead>
                  <tbody>${rows.slice(0, 12).map((edge) => html`<tr key=${edge.from + "\u0000" + edge.to}><th scope="row"><${Text} value=${edge.from} max=${30} /></th><td><${Text} value=${edge.to} max=${30} /></td><td class="num">${linked(edge.messages, between(edge))}</td><td class="num">${errorsOf(edge, edge.messages, (verdict) => between(edge, verdict))}</td></tr>`)}</tbody>
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
