// One agent of a namespace: its messages and errors over time, whom it talks to, how fast it answers, what it knew.
import * as api from "../api.js";
import { Completeness } from "../charts.js";
import { Code, Empty, Entry, Label, Loaded, Nothing, PageHeader, Panel, Protocol, Text, Time } from "../parts.js";
import { Range } from "../range.js";
import { conversationLink, go, href } from "../router.js";
import { rangeOf, sinceOf, sums, turnarounds, useStats, useTicks } from "../stats.js";
import { count, counted, duration, words } from "../text.js";
import { html, usePages } from "../ui.js";
import { TrafficOverTime } from "./overview.js";

const REFRESH_MS = 15000;
const MAX_ROWS = 100;

/** The link to the page of an agent. */
export function agentLink(/** @type {string} */ namespace, /** @type {string} */ name, query = {}) {
  return href(["agents", namespace, name], query);
}

/** Codes with their count, and the steps of the first and the last message, the latest first. */
function codesOf(/** @type {any[]} */ rows) {
  const codes = /** @type {Map<string, any>} */ (new Map());
  for (const row of rows) {
    const key = row.kind + "\u0000" + row.code;
    const known = codes.get(key) ?? { key, kind: row.kind, code: row.code, messages: 0, first: row.time, last: row.time };
    codes.set(key, known);
    known.messages += row.messages;
    known.first = row.time < known.first ? row.time : known.first;
    known.last = row.time > known.last ? row.time : known.last;
  }
  return [...codes.values()].sort((a, b) => (a.last < b.last ? 1 : a.last > b.last ? -1 : b.messages - a.messages));
}

function Codes({ state, step, search }) {
  const between = (/** @type {string} */ time) => ({ from: time, to: new Date(Date.parse(time) + step * 1000).toISOString() });
  return html`<${Panel} title="Errors and warnings by code" aside=${html`<${Completeness} of=${state.data} />`}>
    <${Loaded} state=${state} lines=${4}>
      ${(/** @type {any} */ data) => {
        const codes = codesOf(data.rows);
        return codes.length === 0
          ? html`<${Empty} title="No error or warning was counted in this time" />`
          : html`<div class="table-box scroll"><table class="rows compact-table">
              <caption class="sr-only">Codes of the agent's messages</caption>
              <thead><tr><th scope="col">Code</th><th scope="col" class="num">Messages</th><th scope="col">First, received</th><th scope="col">Last, received</th></tr></thead>
              <tbody>${codes.slice(0, MAX_ROWS).map(({ key, kind, code, messages, first, last }) => html`<tr key=${key}>
                <th scope="row"><${Code} name=${code} /> <span class="faint">${words(kind)}</span></th>
                <td class="num"><a href=${search({ code })}>${count(messages)}</a></td>
                <td><a href=${search({ code, ...between(first) })}><${Time} value=${first} /></a></td>
                <td><a href=${search({ code, ...between(last) })}><${Time} value=${last} /></a></td>
              </tr>`)}</tbody>
            </table></div>`;
      }}
    <//>
  <//>`;
}

/** Agents on the other end, with messages and errors in one direction. */
function Partners({ title, state, other, namespace, search }) {
  return html`<${Panel} title=${title}>
    <${Loaded} state=${state} lines=${3}>
      ${(/** @type {any} */ data) => {
        const partners = sums(data.rows, (row) => row[other] ?? "", (row) => row.messages);
        const errors = new Map(sums(data.rows, (row) => row[other] ?? "", (row) => row.rejected + row.flagged));
        return partners.length === 0
          ? html`<${Empty} title="No counted message in this time"><${Completeness} of=${data} /><//>`
          : html`<div class="table-box scroll"><table class="rows compact-table">
              <caption class="sr-only">${title}</caption>
              <thead><tr><th scope="col">Agent</th><th scope="col" class="num">Messages</th><th scope="col" class="num">Errors</th></tr></thead>
              <tbody>${partners.slice(0, MAX_ROWS).map(([name, messages]) => html`<tr key=${name}>
                <th scope="row">${name === "" ? html`<span class="faint">${other === "recipient" ? "no recipient" : "no sender"}</span>` : html`<a href=${agentLink(namespace, name)}><${Label} value=${name} max=${40} /></a>`}</th>
                <td class="num">${name === "" ? count(messages) : html`<a href=${search({ [other]: name })}>${count(messages)}</a>`}</td>
                <td class="num">${count(errors.get(name) ?? 0)}</td>
              </tr>`)}</tbody>
            </table></div>`;
      }}
    <//>
  <//>`;
}

function Turnarounds({ state }) {
  return html`<${Panel} title="How fast it answers">
    <${Loaded} state=${state} lines=${3}>
      ${(/** @type {any} */ data) => {
        const kinds = turnarounds(data.rows, (row) => row.kind);
        return kinds.length === 0
          ? html`<${Empty} title="It closed no request in this time"><${Completeness} of=${data} /><//>`
          : html`<table class="rows compact-table">
              <caption class="sr-only">Times from request to result</caption>
              <thead><tr><th scope="col">Kind</th><th scope="col" class="num">Answers</th><th scope="col" class="num">Median</th><th scope="col" class="num">95 %</th><th scope="col" class="num">Longest</th></tr></thead>
              <tbody>${kinds.map((row) => html`<tr key=${row.key}><th scope="row"><${Text} value=${words(row.key)} max=${40} /></th><td class="num">${count(row.items)}</td><td class="num">${duration(row.median)}</td><td class="num">${duration(row.p95)}</td><td class="num">${duration(row.maxMs)}</td></tr>`)}</tbody>
            </table>`;
      }}
    <//>
  <//>`;
}

/** The same name in the namespaces that the reader sees. */
function Namespaces({ state, namespace, name }) {
  return html`<${Panel} title="This name in each namespace">
    <${Loaded} state=${state} lines=${2}>
      ${(/** @type {any} */ data) => {
        const all = new Map(sums(data.rows, (row) => row.namespace, (row) => (row.verdict === "UNDECODABLE" ? 0 : row.messages)));
        const errors = new Map(sums(data.rows, (row) => row.namespace, (row) => (["REJECTED", "FLAGGED"].includes(row.verdict) ? row.messages : 0)));
        return all.size === 0
          ? html`<${Empty} title="No counted message in this time"><${Completeness} of=${data} /><//>`
          : html`<table class="rows compact-table">
              <caption class="sr-only">Messages of this name by namespace</caption>
              <thead><tr><th scope="col">Namespace</th><th scope="col" class="num">Messages</th><th scope="col" class="num">Errors</th></tr></thead>
              <tbody>${[...all].map(([key, messages]) => html`<tr key=${key} class=${key === namespace ? "current" : ""}><th scope="row"><a href=${agentLink(key, name)}><${Label} value=${key} max=${40} /></a></th><td class="num">${count(messages)}</td><td class="num">${count(errors.get(key) ?? 0)}</td></tr>`)}</tbody>
            </table>`;
      }}
    <//>
  <//>`;
}

/** What all conversations of the namespace had shown the agent at a time. */
function Knowledge({ namespace, name, at, onAt }) {
  const path = api.path("agents", namespace, name, "state");
  const pages = usePages((cursor, signal) => api.get(path, { at, cursor, limit: 50 }, signal), [path, at]);
  const rows = (pages.data ?? []).flatMap((/** @type {any} */ of) => of.entries.map((/** @type {any} */ entry) => ({ of, entry })));
  const partial = (pages.data ?? []).some((/** @type {any} */ of) => of.partial || of.redacted);
  return html`<${Panel} title="What it knew" className="wide" aside=${html`<${Entry} label="At (received; empty: now)" name="at" value=${at ?? ""} placeholder="2026-01-31T14:03:00Z, or -10m" onChange=${onAt} />`}>
    <${Loaded} state=${pages} lines=${5}>
      ${() =>
        rows.length === 0
          ? html`<${Empty} title=${pages.complete ? "No conversation of the namespace had shown it anything" : "Reading its conversations"}>${at ? html`Accepted messages received up to ${at} were read.` : "All accepted messages that it sent or received were read."}<//>`
          : html`<p class="note">${counted(rows.length, "entry", "entries")}${pages.complete ? "" : " so far"} of accepted messages that it sent or received${partial ? "; some are incomplete: content was redacted, pruned, or is too large" : ""}.</p>
            <div class="table-box scroll"><table class="rows compact-table knowledge">
              <caption class="sr-only">Entries that the agent knew</caption>
              <thead><tr><th scope="col">Entry</th><th scope="col">Value</th><th scope="col">Conversation</th><th scope="col">Shown by</th></tr></thead>
              <tbody>${rows.slice(0, 1000).map(({ of, entry }, i) => html`<tr key=${i}>
                <th scope="row"><${Label} value=${entry.entry} max=${80} />${entry.checkpoint && html` <span class="faint">at <${Label} value=${entry.checkpoint} max=${30} /></span>`}</th>
                <td>${entry.value === null ? html`<span class="faint">no value</span>` : html`<${Label} value=${entry.value} max=${120} />`}</td>
                <td><span class="with-icon"><${Protocol} name=${of.protocol} /> <${Label} value=${of.conversation} max=${30} /></span></td>
                <td><a href=${conversationLink(of, { m: entry.shownBy.sequence })}>#${count(entry.shownBy.sequence)} of <${Label} value=${entry.shownBy.sender ?? "unknown"} max=${24} /></a> <span class="faint"><${Time} value=${entry.shownBy.source?.timestamp} /></span></td>
              </tr>`)}</tbody>
            </table></div>
            ${rows.length > 1000 && html`<p class="note">The first 1,000 are here; <code>parley state --agent</code> prints all.</p>`}`}
    <//>
  <//>`;
}

export function Agent({ place, me }) {
  const [, namespace, name] = place.path;
  const { query } = place;
  const range = rangeOf(query.range ?? (query.from ? undefined : "24h"), query);
  const tick = useTicks(REFRESH_MS);
  const sent = { namespace, sender: name };
  const traffic = useStats("traffic", range, { sender: name, by: "namespace,verdict" }, tick);
  const here = { ...traffic, data: traffic.data && { ...traffic.data, rows: traffic.data.rows.filter((/** @type {any} */ row) => row.namespace === namespace) } };
  const codes = useStats("violations", range, { ...sent, by: "kind,code" }, tick);
  const to = useStats("edges", range, { ...sent, by: "recipient" }, tick);
  const from = useStats("edges", range, { namespace, recipient: name, by: "sender" }, tick);
  const answers = useStats("turnaround", range, { namespace, agent: name, by: "kind,outcome" }, tick);
  const change = (/** @type {Record<string, any>} */ changes) => go(agentLink(namespace, name, { ...query, ...changes }));
  const search = (/** @type {any} */ of) => (me.features?.search ? href(["search"], { namespace, from: sinceOf(range), to: range.first === null ? "" : query.to, ...of }) : undefined);
  const nothing = (/** @type {string} */ title, /** @type {any} */ stats) => html`<${Nothing} title=${title} me=${me} query=${{ ...sent, from: stats?.from, to: stats?.to }} undecodable=${true}>Counts are <${Completeness} of=${stats} />.<//>`;
  return html`
    <${PageHeader}
      document=${`Agent ${name}`}
      title=${html`<span class="title-kind">Agent</span> <${Text} value=${name} max=${80} />`}
      crumbs=${html`<a href=${href(["agents"])}>Agents</a><span aria-hidden="true">/</span><a href=${href(["agents"], { namespace })}><${Label} value=${namespace} max=${40} /></a>`}
      actions=${html`<${Range} query=${{ ...query, range: range.first === null ? range.key : query.range }} set=${change} />
        <a class="button" href=${href(["conversations"], { namespace, sender: name })}>Conversations</a>`}
    />
    <div class="panels">
      <${TrafficOverTime} title="Messages that it sent, by verdict" state=${here} range=${range} link=${(/** @type {any} */ of) => search({ sender: name, ...of })} nothing=${nothing} />
      <${Codes} state=${codes} step=${range.step} search=${(/** @type {any} */ of) => search({ sender: name, ...of })} />
      <${Turnarounds} state=${answers} />
      <${Partners} title="To whom it sends" state=${to} other="recipient" namespace=${namespace} search=${(/** @type {any} */ of) => search({ sender: name, ...of })} />
      <${Partners} title="Who sends to it" state=${from} other="sender" namespace=${namespace} search=${(/** @type {any} */ of) => search({ recipient: name, ...of })} />
      <${Namespaces} state=${traffic} namespace=${namespace} name=${name} />
      <${Knowledge} namespace=${namespace} name=${name} at=${query.at} onAt=${(/** @type {string} */ value) => change({ at: value })} />
    </div>
  `;
}
