// Search over all messages: results as they are found, with progress; a search can be canceled.
import * as api from "../api.js";
import { Filters, useCodes } from "../filters.js";
import { Code, DraftInput, Empty, Icon, Label, Nothing, PageHeader, Problem, Time, Verdict } from "../parts.js";
import { protocolName } from "../protocols.js";
import { Range, boundsOf } from "../range.js";
import { conversationLink, go, href, ofChain, replace } from "../router.js";
import { TakeAway, hitsOf } from "../take.js";
import { count, counted, isDecision, senderOf, wordPattern } from "../text.js";
import { announce, html, useEffect, useMemo, useRef, useState } from "../ui.js";

const FILTERS = ["verdict", "protocol", "sender", "recipient", "code", "namespace"];
const FIELDS = ["q", "reference", "clock", "from", "to", ...FILTERS];
/** Results of the first request, which appear soon. */
const FIRST = 20;
const PAGE = 100;
/** Results of one page of this view. */
const MAX_HITS = 200;

/** What the text of a search may contain, by examples. */
const SYNTAX = [
  ["release notes", "both words, in any order"],
  ['"release notes"', "the phrase"],
  ["rel*", "words with this beginning, of 3 characters or more"],
  ["cat OR dog", "one of them"],
  ["-draft", "without this word, phrase or field"],
  ["sender:MAIN", "a field: code, conversation, namespace, protocol, recipient, reference, sender or verdict"],
  ["你好", "any part of Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese text; emoji"],
];

function Syntax() {
  return html`<details class="search-syntax"><summary>How to search</summary>
    <dl>${SYNTAX.map(([example, meaning]) => html`<dt><code>${example}</code></dt><dd>${meaning}</dd>`)}</dl>
    <p class="faint">Case, accents and width make no difference: <code>cafe</code> finds Café.</p></details>`;
}

function Hit({ hit, words, code }) {
  const decision = isDecision(hit);
  const body = html`<span class="hit-head">
      ${decision ? html`<span class="verdict compact parked" role="img" aria-label="Decision" title="Decision"><${Icon} name="lock" size=${12} /></span>` : html`<${Verdict} name=${hit.verdict} compact=${true} />`}
      <b><${Label} value=${hit.conversation} max=${60} marked=${words} /></b>
      <span class="number faint">#${count(hit.sequence)}</span>
      <span class="faint"><${Label} value=${hit.claims?.namespace ?? hit.namespace} max=${30} /> · ${protocolName(hit.claims?.protocol ?? hit.protocol)}</span>
      ${hit.code && html`<${Code} name=${hit.code} />`}
      ${code && code.toUpperCase() !== hit.code && html`<span class="with-icon warned"><${Icon} name="flag" size=${12} /><${Code} name=${code} /></span>`}
      <span class="hit-time"><${Time} value=${hit.time} /></span>
    </span>
    <span class="hit-excerpt">${decision && html`<span class="faint">decision of an operator, because: </span>`}${senderOf(hit) && html`<span class="faint"><${Label} value=${senderOf(hit)} max=${60} marked=${words} />: </span>`}<${Label} value=${hit.excerpt ?? ""} max=${300} marked=${words} /></span>`;
  return html`<li><a href=${conversationLink(hit, { m: hit.sequence })}>${body}</a></li>`;
}

const NOTHING = { hits: [], progress: null, done: null, words: [], ignored: [], problem: null, running: false, ms: null };

/** The parameters of a search in the API. */
export function searchOf(/** @type {Record<string, any>} */ query) {
  return Object.fromEntries(FIELDS.map((name) => [name, query[name]]));
}

/** The path of the proof of a hit. */
export function proofOf(/** @type {any} */ hit) {
  const { namespace, protocol, conversation } = /** @type {any} */ (ofChain(hit.chain));
  return `${api.path("conversations", namespace, protocol, conversation, "messages", hit.sequence)}/proof`;
}

/** A search in progress, or its result with a maximum number of hits. */
export function useSearch(/** @type {Record<string, any>} */ query, max = MAX_HITS) {
  const [state, setState] = useState(/** @type {any} */ (NOTHING));
  const running = useRef(/** @type {AbortController | null} */ (null));
  const asked = FIELDS.some((name) => query[name]);
  useEffect(() => {
    if (!asked) {
      setState(NOTHING);
      return undefined;
    }
    const controller = new AbortController();
    running.current = controller;
    const asking = searchOf(query);
    const started = performance.now();
    const found = /** @type {any} */ ({ ...NOTHING, hits: [], running: true });
    let scheduled = false;
    const show = () => {
      scheduled = false;
      setState({ ...found, hits: found.hits.slice() });
    };
    const schedule = () => {
      if (!scheduled) {
        scheduled = true;
        requestAnimationFrame(show);
      }
    };
    setState({ ...found });
    (async () => {
      try {
        // Each page takes a bounded time: the search continues until enough was found, or it is canceled.
        let cursor = query.cursor;
        do {
          found.done = null;
          const limit = found.hits.length < FIRST ? FIRST : Math.min(PAGE, max - found.hits.length);
          for await (const line of api.jsonLines("/v1/search", { ...asking, cursor, limit }, controller.signal)) {
            if (line.hit) {
              found.ms ??= performance.now() - started;
              found.hits.push(line.hit);
            } else if (line.progress) {
              found.progress = line.progress;
            } else if (line.done) {
              found.done = line.done;
              ({ words: found.words, ignored: found.ignored } = line.done);
            }
            schedule();
          }
          cursor = found.done?.cursor;
        } while (cursor && found.hits.length < max);
      } catch (failure) {
        if (!controller.signal.aborted) {
          found.problem = failure;
        }
      }
      found.running = false;
      if (running.current === controller) {
        schedule();
        announce(`${counted(found.hits.length, "result")}${found.done ? "" : ", incomplete"}.`);
      }
    })();
    return () => {
      running.current = null;
      controller.abort();
    };
  }, [JSON.stringify(FIELDS.map((name) => query[name])), query.cursor]);
  return { ...state, asked, cancel: () => running.current?.abort() };
}

/** How far a search is, with a button that cancels it; or its problem; and what it ignores. */
export function Progress({ search }) {
  return html`${search.running &&
    html`<div class="progress-line" role="status">
      <progress aria-label="Search in progress"></progress>
      <span>${search.progress ? html`searched back to <${Time} value=${search.progress.through} />` : "searching"}</span>
      <button type="button" onClick=${search.cancel}>Cancel</button>
    </div>`}
    ${search.problem && html`<${Problem} problem=${search.problem} />`}
    ${search.ignored.length > 0 && html`<div class="search-ignored"><p class="with-icon warned"><${Icon} name="flag" size=${12} />Ignored in the text:</p><ul>${search.ignored.map((/** @type {string} */ part) => html`<li><${Label} value=${part} /></li>`)}</ul></div>`}`;
}

export function Search({ place, me }) {
  const { query } = place;
  // A range that ends now is one search, not one for each moment.
  const bounds = useMemo(() => boundsOf(query), [query.range, query.from, query.to]);
  const search = useSearch({ ...query, ...bounds });
  const codes = useCodes();
  useEffect(() => {
    // Messages do not contain their codes. A search is for one.
    const given = (query.q ?? "").trim().split(/\s+/);
    const named = /"|\bOR\b/.test(query.q ?? "") ? [] : given.filter((word) => codes.includes(word.toUpperCase()));
    if (named.length === 1) {
      replace(href(["search"], { ...query, q: given.filter((word) => word !== named[0]).join(" "), code: named[0].toUpperCase() }));
    }
  }, [codes, query.q]);
  const words = useMemo(() => wordPattern(search.words), [search.words.join(" ")]);
  const set = (/** @type {string} */ name) => (/** @type {string} */ value) => go(href(["search"], { ...query, [name]: value.trim(), cursor: "" }));
  const submit = (/** @type {any} */ event) => {
    event.preventDefault();
    const values = Object.fromEntries([...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]));
    go(href(["search"], values));
  };
  const story = (query.reference ?? "").startsWith("trace:");
  return html`
    ${story
      ? html`<${PageHeader} title="Story" lead="Messages that name one trace, in all conversations and protocols, the newest first. A sender may name any trace." />`
      : html`<${PageHeader} title="Search" lead="Messages by text, code, sender and time, the newest first." />`}
    <form class="search-form" role="search" onSubmit=${submit}>
      <div class="search-main">
        <label class="search-box"><span class="sr-only">Text</span><${Icon} name="search" />
          <${DraftInput} name="q" type="search" value=${query.q} placeholder="Words in messages and names" /></label>
        <button type="submit" class="primary">Search</button>
      </div>
      <${Syntax} />
      <${Filters} page="search" query=${query} names=${query.reference ? ["reference", ...FILTERS] : FILTERS} set=${set} />
      <${Range} query=${query} set=${(/** @type {any} */ changes) => go(href(["search"], { ...query, ...changes, cursor: "" }))} any=${true} clock=${true} />
    </form>
    <${Progress} search=${search} />
    ${!search.asked && html`<${Empty} title="Search everything that agents have said">Try a word of a message, an agent's name, or a code such as SLIP_PROPOSE_AFTER_ACCEPT.<//>`}
    ${search.asked &&
    html`<section aria-label="Results">
      ${search.hits.length > 0 &&
      html`<p class="result-count faint">
        ${counted(search.hits.length, "result")}${query.cursor ? " on this page" : ""}${search.done ? (search.done.complete ? "" : ", more follow") : search.running ? " so far" : ", canceled"}
      </p>
      <${TakeAway} file="messages" read=${hitsOf(searchOf({ ...query, ...bounds }))} resource="/v1/search" query=${searchOf({ ...query, ...bounds })} proof=${proofOf} place=${place} />
      <ol class="hits">${search.hits.map((/** @type {any} */ hit) => html`<${Hit} key=${hit.chain + "@" + hit.sequence} hit=${hit} words=${words} code=${query.code} />`)}</ol>`}
      ${search.hits.length === 0 && !search.running && !search.problem && (search.done
        ? html`<${Nothing} title="Nothing found" me=${me} query=${searchOf({ ...query, ...bounds })} undecodable=${query.verdict !== "undecodable"} />`
        : html`<${Empty} title="Canceled">The search ended before a result.<//>`)}
      ${search.done?.cursor && html`<nav class="pager" aria-label="Pages"><a class="button primary-quiet" href=${href(["search"], { ...query, cursor: search.done.cursor })}>Older results <${Icon} name="right" /></a></nav>`}
    </section>`}
  `;
}
