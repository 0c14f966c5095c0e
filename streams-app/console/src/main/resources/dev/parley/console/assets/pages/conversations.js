// All conversations, filtered, the newest first.
import * as api from "../api.js";
import { Filters, codesLike, useCodes } from "../filters.js";
import { LiveTail } from "../live.js";
import { useCode } from "../message.js";
import { Code, Empty, Icon, Label, Loaded, Nothing, PageHeader, Protocol, Time, Verdict } from "../parts.js";
import { conversationLink, go, href, ofChain } from "../router.js";
import { count, counted, noun } from "../text.js";
import { html, useEffect, useLoad } from "../ui.js";
import { Progress, useSearch } from "./search.js";

const LIMIT = 50;
/** Filters of the list. */
const LISTED = ["verdict", "protocol", "namespace", "code"];
/** Filters that need a search for messages. */
const SEARCHED = ["sender", "q", "from", "to"];
const FILTERS = [...LISTED, ...SEARCHED];
/** Messages that the search behind one page finds at most. */
const MAX_HITS = 500;

/** The share of each verdict in a bar, with the counts as its name. */
export function Shares({ of }) {
  const parts = [
    ["accepted", of.accepted],
    ["flagged", of.flagged],
    ["rejected", of.rejected],
    ["undecodable", of.undecodable],
  ].filter((part) => part[1] > 0);
  const total = parts.reduce((sum, part) => sum + part[1], 0);
  const label = parts.map((part) => `${count(part[1])} ${part[0]}`).join(", ");
  return html`<span class="shares" role="img" aria-label=${label} title=${label}>
    ${parts.map((part) => html`<span key=${part[0]} class=${part[0]} style=${{ flexGrow: String(Math.max(part[1] / total, 0.04)) }}></span>`)}
  </span>`;
}

function Row({ item }) {
  const errors = item.rejected + item.flagged + item.undecodable;
  // The records of a claimed conversation are in the chain of their input partition.
  const target = item.claimed ? conversationLink(ofChain(item.chain), { m: item.firstSequence }) : conversationLink(item, item.at === undefined ? {} : { m: item.at });
  // Matches of a search are not all errors of their conversation.
  const toErrors = item.claimed || item.at !== undefined ? target : conversationLink(item, { find: "error" });
  return html`<tr>
    <td class="main">
      <a href=${target}><${Label} value=${item.conversation ?? "no conversation"} /></a>${item.claimed && " (claimed)"}
      <span class="sub">${item.protocol === "UNKNOWN" ? "undecodable records of an input partition" : html`<${Label} value=${item.namespace} max=${60} />`}</span>
    </td>
    <td><${Protocol} name=${item.protocol} /></td>
    <td class="num" data-label=${item.at === undefined ? noun(item.messages, "message") : noun(item.messages, "match", "matches")}>${count(item.messages)}</td>
    <td class="bar-cell"><${Shares} of=${item} /></td>
    <td class="num" data-label=${noun(errors, "error")}>${errors > 0 ? html`<a class="strong-rejected" href=${toErrors} aria-label=${`${counted(errors, "error")} in this conversation`}>${count(errors)}</a>` : html`<span class="faint">0</span>`}</td>
    <td class="last"><${Verdict} name=${item.lastVerdict} />${item.lastCode && html` <${Code} name=${item.lastCode} />`}</td>
    <td class="time"><${Time} value=${item.lastTime} form="ago" /></td>
  </tr>`;
}

/** The table of conversations; "matches" if it counts the messages that a search found. */
function Table({ items, matches = false }) {
  return html`<div class="table-box">
    <table class="rows conversations">
      <caption class="sr-only">Conversations</caption>
      <thead>
        <tr>
          <th scope="col">Conversation</th>
          <th scope="col">Protocol</th>
          <th scope="col" class="num">${matches ? "Matches" : "Messages"}</th>
          <th scope="col">Verdicts</th>
          <th scope="col" class="num">Errors</th>
          <th scope="col">${matches ? "Last match" : "Last verdict"}</th>
          <th scope="col" class="time">${matches ? "Its time" : "Last message"}</th>
        </tr>
      </thead>
      <tbody>
        ${items.map((/** @type {any} */ item) => html`<${Row} key=${item.chain + item.firstSequence} item=${item} />`)}
      </tbody>
    </table>
  </div>`;
}

function Pager({ query, order, next }) {
  return html`<nav class="pager" aria-label="Pages">
    ${query.cursor && html`<a class="button" href=${href(["conversations"], { ...query, cursor: "" })}>First page</a>`}
    <span class="faint">${order}</span>
    ${next && html`<a class="button primary-quiet" href=${href(["conversations"], { ...query, cursor: next })}>Next page <${Icon} name="right" /></a>`}
  </nav>`;
}

/** The conversations of the messages that a search found, the one with the newest message first. */
function byConversation(/** @type {any[]} */ hits) {
  const found = new Map();
  for (const hit of hits) {
    if (!found.has(hit.chain)) {
      const counts = { messages: 0, accepted: 0, flagged: 0, rejected: 0, undecodable: 0 };
      found.set(hit.chain, { ...hit, ...counts, at: hit.sequence, lastVerdict: hit.verdict, lastCode: hit.code, lastTime: hit.time });
    }
    const item = found.get(hit.chain);
    item.messages++;
    item[hit.verdict.toLowerCase()]++;
  }
  return [...found.values()];
}

/** Conversations with a message that matches all filters. */
function Found({ query, me }) {
  const search = useSearch(query, MAX_HITS);
  const items = byConversation(search.hits);
  const end = search.done && search.hits.length === 0;
  return html`<${Progress} search=${search} />
    ${items.length > 0 &&
    html`<p class="result-count faint" role="status">${counted(items.length, "conversation")}${query.cursor ? " on this page" : ""}, the latest match first${search.done?.complete ? "" : search.running ? "; searching" : "; older ones may follow"}</p>
      <${Table} items=${items} matches=${true} />`}
    ${end &&
    html`<${Nothing} title="No conversation matches" me=${me} query=${Object.fromEntries(FILTERS.map((name) => [name, query[name]]))} undecodable=${query.verdict !== "undecodable"}>
      ${query.cursor ? "This page is the end of the list." : "No message matches all filters."}
    <//>`}
    <${Pager} query=${query} order="By the newest match. Older matches of a conversation can be on a later page" next=${search.done?.cursor} />`;
}

/** A text that is no code, with the codes that contain it. */
function UnknownCode({ query, codes }) {
  const like = codesLike(query.code, codes).slice(0, 8);
  const only = like.length === 1 ? like[0] : null;
  useEffect(() => {
    if (only) {
      go(href(["conversations"], { ...query, code: only }));
    }
  }, [only]);
  return html`<${Empty} title="No such code">
    ${like.length === 0 ? "No code contains this text." : html`Codes with this text: ${like.map((code) => html`<a key=${code} href=${href(["conversations"], { ...query, code })}><${Code} name=${code} /></a> `)}`}
  <//>`;
}

function Listed({ query, me }) {
  const filter = Object.fromEntries(LISTED.map((name) => [name, query[name]]));
  const asked = { ...filter, cursor: query.cursor };
  const state = useLoad(
    async (signal) => {
      const [page, total] = await Promise.all([api.getPage("/v1/conversations", { ...asked, limit: LIMIT }, signal), api.get("/v1/conversations/total", filter, signal)]);
      return { ...page, total: total.conversations };
    },
    [JSON.stringify(asked)],
  );
  return html`<div aria-busy=${state.loading}>
      <${Loaded} state=${state} lines=${12}>
        ${(/** @type {any} */ data) =>
          data.items.length === 0
            ? html`<${Nothing} title="No conversation matches" me=${me} query=${filter} undecodable=${true}>
                ${query.cursor ? "This page is the end of the list." : "Change a filter, or send messages to the input topic."}
              <//>`
            : html`<p class="result-count faint" role="status">${counted(data.total, "conversation")}, the latest message first</p>
                <${Table} items=${data.items} />`}
      <//>
    </div>
    ${state.data && html`<${Pager} query=${query} order="A conversation with a new message moves to the first page" next=${state.data.next} />`}`;
}

export function Conversations({ place, me }) {
  const { query } = place;
  // Undecodable records only claim names, and search alone knows them.
  const claimed = query.verdict === "undecodable" && (query.namespace || query.protocol) && me.features?.search;
  const codes = useCodes();
  const unknown = query.code && codes.length > 0 && !codes.includes(query.code);
  const guide = useCode(query.code ?? null);
  // Before the codes are loaded, a text may be no code.
  const waits = query.code && !unknown && guide === null;
  // The list has the codes that decided.
  const warns = guide?.kind.endsWith("warning") && me.features?.search;
  const searched = claimed || warns || SEARCHED.some((name) => query[name]);
  const set = (/** @type {string} */ name) => (/** @type {string} */ value) =>
    go(href(["conversations"], { ...query, [name]: value.trim(), cursor: "" }));
  return html`
    <${PageHeader} title="Conversations" lead="A conversation is all messages with one namespace, protocol and ID." />
    <form role="search" aria-label="Filter conversations" onSubmit=${(/** @type {any} */ e) => e.preventDefault()}>
      <${Filters} page="conversations" query=${query} names=${me.features?.search ? FILTERS : LISTED} set=${set} verdicts="has " />
    </form>
    <div class="split-live">
      <div>
        ${unknown ? html`<${UnknownCode} query=${query} codes=${codes} />` : waits ? null : searched ? html`<${Found} query=${query} me=${me} />` : html`<${Listed} query=${query} me=${me} />`}
      </div>
      ${me.features?.tail &&
      !unknown &&
      !waits &&
      !(query.q || query.from || query.to || warns) &&
      html`<${LiveTail}
        query=${{ namespace: query.namespace, protocol: query.protocol, verdict: query.verdict, code: query.code, sender: query.sender }}
      />`}
    </div>
  `;
}
