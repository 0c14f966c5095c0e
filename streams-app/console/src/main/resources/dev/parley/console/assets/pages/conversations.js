// All conversations, filtered and sorted.
import * as api from "../api.js";
import { Filters, codesLike, useCodes } from "../filters.js";
import { List, ListBar, orderOf, useLive } from "../list.js";
import { LiveTail } from "../live.js";
import { useCode } from "../message.js";
import { Code, Empty, Icon, Label, Loaded, Nothing, PageHeader, Protocol, Time, Verdict } from "../parts.js";
import { Range, boundsOf } from "../range.js";
import { conversationLink, go, href, ofChain } from "../router.js";
import { hitsOf, itemsOf } from "../take.js";
import { count, counted, noun, percent } from "../text.js";
import { html, useEffect, useMemo } from "../ui.js";
import { Progress, proofOf, searchOf, useSearch } from "./search.js";

const LIMIT = 50;
/** Filters of the list. */
const LISTED = ["verdict", "protocol", "namespace", "code"];
/** Filters that need a search for messages. */
const SEARCHED = ["sender", "q"];
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

const errorsOf = (/** @type {any} */ item) => item.rejected + item.flagged + item.undecodable;

/** The records of a claimed conversation are in the chain of their input partition. */
function linkOf(/** @type {any} */ item, query = {}) {
  return item.claimed ? conversationLink(ofChain(item.chain), { m: item.firstSequence }) : conversationLink(item, item.at === undefined ? query : { m: item.at });
}

function Name({ item }) {
  return html`<a href=${linkOf(item)}><${Label} value=${item.conversation ?? "no conversation"} /></a>${item.claimed && " (claimed)"}
    <span class="sub">${item.protocol === "UNKNOWN" ? "undecodable records of an input partition" : html`<${Label} value=${item.namespace} max=${60} />`}</span>`;
}

/** Errors, with a link to them; matches of a search are not all errors of their conversation. */
function Errors({ item }) {
  const errors = errorsOf(item);
  return errors > 0 ? html`<a class="strong-rejected" href=${linkOf(item, { find: "error" })} aria-label=${`${counted(errors, "error")} in this conversation`}>${count(errors)}</a>` : html`<span class="faint">0</span>`;
}

/** @type {import("../list.js").Column[]} */
const COLUMNS = [
  { key: "name", name: "Conversation", className: "main", cell: (item) => html`<${Name} item=${item} />` },
  { key: "protocol", name: "Protocol", optional: true, cell: (item) => html`<${Protocol} name=${item.protocol} />` },
  { key: "messages", name: "Messages", className: "num", sort: "messages", meaning: "Numbers over 999 are sorted by their first three digits", label: (item) => noun(item.messages, "message"), cell: (item) => count(item.messages) },
  { key: "verdicts", name: "Verdicts", className: "bar-cell", optional: true, cell: (item) => html`<${Shares} of=${item} />` },
  { key: "errors", name: "Errors", className: "num", sort: "errors", meaning: "Rejected, flagged and undecodable messages", label: (item) => noun(errorsOf(item), "error"), cell: (item) => html`<${Errors} item=${item} />` },
  { key: "rate", name: "Rate", className: "num c-rate", sort: "rate", optional: true, meaning: "Errors in a hundred messages", label: () => "errors", cell: (item) => `${percent(errorsOf(item), item.messages)}` },
  { key: "verdict", name: "Last verdict", className: "last", optional: true, cell: (item) => html`<${Verdict} name=${item.lastVerdict} />${item.lastCode && html` <${Code} name=${item.lastCode} />`}` },
  { key: "first", name: "First received", className: "time", sort: "first", off: true, cell: (item) => html`<${Time} value=${item.firstTime} form="ago" />` },
  { key: "last", name: "Last received", className: "time", sort: "last", initial: "desc", cell: (item) => html`<${Time} value=${item.lastTime} form="ago" />` },
];

/** Those of the conversations of a search: they count its matches, the newest first. */
const FOUND = COLUMNS.filter((column) => !["rate", "first"].includes(column.key)).map((column) => ({
  ...column,
  sort: undefined,
  initial: undefined,
  ...(column.key === "messages" ? { name: "Matches", label: (/** @type {any} */ item) => noun(item.messages, "match", "matches") } : {}),
  ...(column.key === "verdict" ? { name: "Last match" } : {}),
  ...(column.key === "last" ? { name: "Its time" } : {}),
}));

const PATH = ["conversations"];
const idOf = (/** @type {any} */ item) => item.chain + item.firstSequence;
const versionOf = (/** @type {any} */ item) => `${idOf(item)} ${item.messages}`;

function Pager({ query, order, next }) {
  return html`<nav class="pager" aria-label="Pages">
    ${query.cursor && html`<a class="button" href=${href(PATH, { ...query, cursor: "" })}>First page</a>`}
    <span class="faint">${order}</span>
    ${next && html`<a class="button primary-quiet" href=${href(PATH, { ...query, cursor: next })}>Next page <${Icon} name="right" /></a>`}
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
  // A range that ends now is one search, not one for each moment.
  const bounds = useMemo(() => boundsOf(query), [query.range, query.from, query.to]);
  const search = useSearch({ ...query, ...bounds }, MAX_HITS);
  const items = byConversation(search.hits);
  const end = search.done && search.hits.length === 0;
  return html`<${Progress} search=${search} />
    ${items.length > 0 &&
    html`<${ListBar} name="found" columns=${FOUND} path=${PATH} query=${query} take=${{ file: "messages", read: hitsOf(searchOf({ ...query, ...bounds })), resource: "/v1/search", query: searchOf({ ...query, ...bounds }), proof: proofOf }}>${counted(items.length, "conversation")}${query.cursor ? " on this page" : ""}, the latest match first${search.done?.complete ? "" : search.running ? "; searching" : "; older ones may follow"}<//>
      <${List} name="found" caption="Conversations" className="conversations" columns=${FOUND} items=${items} id=${idOf} path=${PATH} query=${query} />`}
    ${end &&
    html`<${Nothing} title="No conversation matches" me=${me} query=${{ ...Object.fromEntries(FILTERS.map((name) => [name, query[name]])), ...bounds, clock: query.clock }} undecodable=${query.verdict !== "undecodable"}>
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
      go(href(PATH, { ...query, code: only }));
    }
  }, [only]);
  return html`<${Empty} title="No such code">
    ${like.length === 0 ? "No code contains this text." : html`Codes with this text: ${like.map((code) => html`<a key=${code} href=${href(PATH, { ...query, code })}><${Code} name=${code} /></a> `)}`}
  <//>`;
}

/** How an order reads, by its name, in both directions. */
const ORDERS = /** @type {Record<string, Record<string, string>>} */ ({
  last: { desc: "the latest message first", asc: "the longest idle first" },
  first: { desc: "the latest beginning first", asc: "the earliest beginning first" },
  messages: { desc: "the most messages first", asc: "the fewest messages first" },
  errors: { desc: "the most errors first", asc: "the fewest errors first" },
  rate: { desc: "the highest share of errors first", asc: "the lowest share of errors first" },
});

function Listed({ query, me }) {
  const filter = Object.fromEntries(LISTED.map((name) => [name, query[name]]));
  const order = orderOf(COLUMNS, query);
  const state = useLive(
    async (signal) => {
      const [page, total] = await Promise.all([api.getPage("/v1/conversations", { ...filter, ...order, cursor: query.cursor, limit: LIMIT }, signal), api.get("/v1/conversations/total", filter, signal)]);
      return { ...page, total: total.conversations };
    },
    [filter],
    [order, query.cursor],
    versionOf,
  );
  return html`<div aria-busy=${state.loading}>
      <${Loaded} state=${state} lines=${12}>
        ${(/** @type {any} */ data) =>
          data.items.length === 0
            ? html`<${Nothing} title="No conversation matches" me=${me} query=${filter} undecodable=${true}>
                ${query.cursor ? "This page is the end of the list." : "Change a filter, or send messages to the input topic."}
              <//>`
            : html`<${ListBar} name="conversations" columns=${COLUMNS} path=${PATH} query=${query} live=${query.cursor ? null : state} take=${{ file: "conversations", read: itemsOf("/v1/conversations", { ...filter, ...order }), resource: "/v1/conversations", query: { ...filter, ...order } }}>${counted(data.total, "conversation")}, ${ORDERS[order.sort ?? ""][order.order]}<//>
                <${List} name="conversations" caption="Conversations" className="conversations" columns=${COLUMNS} items=${data.items} id=${idOf} path=${PATH} query=${query} />`}
      <//>
    </div>
    ${state.data && html`<${Pager} query=${query} order=${order.sort === "last" ? "A conversation with a new message moves to the first page" : "A conversation that changes may move to another page"} next=${state.data.next} />`}`;
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
  const { from, to } = boundsOf(query);
  const ranged = from || to;
  const searched = claimed || warns || ranged || SEARCHED.some((name) => query[name]);
  const change = (/** @type {Record<string, string>} */ changes) => go(href(PATH, { ...query, ...changes, cursor: "" }));
  const set = (/** @type {string} */ name) => (/** @type {string} */ value) => change({ [name]: value.trim() });
  return html`
    <${PageHeader} title="Conversations" lead="A conversation is all messages with one namespace, protocol and ID." />
    <form role="search" aria-label="Filter conversations" onSubmit=${(/** @type {any} */ e) => e.preventDefault()}>
      <${Filters} page="conversations" query=${query} names=${me.features?.search ? FILTERS : LISTED} set=${set} verdicts="has " />
      ${me.features?.search && html`<${Range} query=${query} set=${change} any=${true} clock=${true} />`}
    </form>
    <div class="split-live">
      <div>
        ${unknown ? html`<${UnknownCode} query=${query} codes=${codes} />` : waits ? null : searched ? html`<${Found} query=${query} me=${me} />` : html`<${Listed} query=${query} me=${me} />`}
      </div>
      ${me.features?.tail &&
      !unknown &&
      !waits &&
      !(query.q || ranged || warns) &&
      html`<${LiveTail}
        query=${{ namespace: query.namespace, protocol: query.protocol, verdict: query.verdict, code: query.code, sender: query.sender }}
      />`}
    </div>
  `;
}
