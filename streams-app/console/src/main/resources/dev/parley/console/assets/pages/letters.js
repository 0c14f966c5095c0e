// Dead letters as a work queue: filters, counts, the list, and what to do with a selection or with all of a filter.
import * as api from "../api.js";
import { Filters } from "../filters.js";
import { Letter, isOperator, stageName } from "../letter.js";
import { Choice, Code, Icon, Label, Loaded, Nothing, PageHeader, Time } from "../parts.js";
import { protocolName } from "../protocols.js";
import { Range, absolute } from "../range.js";
import { position } from "../redrives.js";
import { Closing, Redrive, idOf } from "../repair.js";
import { go, href, replace } from "../router.js";
import { TakeAway, itemsOf } from "../take.js";
import { count, counted, glossOf, plain } from "../text.js";
import { announce, html, useEffect, useLoad, useMedia, useMemo, usePages, useRef, useState } from "../ui.js";
import { useWide } from "./conversation.js";

const LIMIT = 50;
/** Filters in the address; all but the first three and the times have fields. */
const FILTERS = ["stage", "state", "conversation", "code", "namespace", "protocol", "sender", "from", "to"];
const FIELDS = FILTERS.slice(3, -2);

/** Filters of the counts. */
const COUNTED = FILTERS.filter((name) => name !== "stage" && name !== "code");

function filtersOf(/** @type {any} */ query, names = FILTERS) {
  return Object.fromEntries(names.filter((name) => query[name]).map((name) => [name, query[name]]));
}

/** The filters as the API has them: a queue shows what is open, unless the address says otherwise. */
function selectionOf(/** @type {any} */ query) {
  const state = query.state || (query.source ? "all" : "open");
  return filtersOf({ ...query, state: state === "all" ? "" : state });
}

/** Sums of counts by stage and code, the greatest first. */
function grouped(/** @type {any[]} */ counts) {
  const groups = /** @type {Map<string, any>} */ (new Map());
  for (const { stage, code, count: n } of counts) {
    const key = `${stage} ${code}`;
    groups.set(key, { stage, code, count: n + (groups.get(key)?.count ?? 0) });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

/** Number of dead letters by stage and code; while they are counted again, the earlier ones. */
function useCounts(/** @type {any} */ scope, /** @type {number} */ version) {
  const state = usePages(
    async (cursor, signal) => {
      const page = await api.get("/v1/dead-letters/counts", { ...scope, limit: 1000, cursor }, signal);
      return { items: grouped(page.items), next: page.next };
    },
    [version],
  );
  const data = useMemo(() => state.data && grouped(state.data), [state.data]);
  const last = useRef(/** @type {any} */ (null));
  last.current = state.complete ? data : last.current;
  return { ...state, data: last.current ?? data, complete: last.current !== null };
}

/** The groups as a choice, for pages without room for the list of them. */
function GroupChoice({ query, scope, version }) {
  const state = useCounts(scope, version);
  const groups = state.data ?? [];
  const stages = [...new Set(groups.map((/** @type {any} */ group) => group.stage))];
  const total = (/** @type {any[]} */ of) => count(of.reduce((sum, group) => sum + group.count, 0));
  const value = query.source ? "source" : query.stage || query.code ? `${query.stage ?? ""} ${query.code ?? ""}` : "";
  const option = (/** @type {string} */ key, /** @type {string} */ text) => html`<option key=${key} value=${key} selected=${key === value}>${text}</option>`;
  const choose = (/** @type {any} */ event) => {
    const [stage, code] = event.currentTarget.value.split(" ");
    go(href(["dead-letters"], { ...filtersOf(query), stage, code }));
  };
  return html`<label class="field group-choice"><span>Stage and code</span>
    <select name="group" value=${value} onChange=${choose} aria-busy=${!state.complete && !state.problem}>
      ${query.source && option("source", "One message")}
      ${option("", `All (${total(groups)}${state.complete ? "" : " so far"})`)}
      ${stages.map((stage) => {
        const of = groups.filter((/** @type {any} */ group) => group.stage === stage);
        return html`<optgroup key=${stage} label=${stageName(stage)}>
          ${option(`${stage.toLowerCase()} `, `${stageName(stage)} (${total(of)})`)}
          ${of.map((/** @type {any} */ group) => option(`${stage.toLowerCase()} ${group.code ?? ""}`, `${group.code ?? "exception"} (${count(group.count)})`))}
        </optgroup>`;
      })}
    </select>
  </label>`;
}

function Groups({ query, scope, version }) {
  const state = useCounts(scope, version);
  const current = (stage = "", /** @type {string | null} */ code = "") =>
    !query.source && (query.stage ?? "") === stage && (query.code ?? "") === code ? "page" : undefined;
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  // The chosen group can be below the others.
  useEffect(() => {
    const chosen = list.current?.querySelector("[aria-current]");
    if (list.current && chosen) {
      list.current.scrollTop += chosen.getBoundingClientRect().top - list.current.getBoundingClientRect().top - list.current.clientHeight / 3;
    }
  }, [state.complete]);
  return html`<nav ref=${list} class="pane groups" aria-label="Dead letters by stage and code" aria-busy=${!state.complete && !state.problem}>
    <${Loaded} state=${state} lines=${8}>
      ${(/** @type {any[]} */ groups) => {
        const total = groups.reduce((sum, group) => sum + group.count, 0);
        const stages = [...new Set(groups.map((group) => group.stage))];
        const max = Math.max(1, ...groups.map((group) => group.count));
        return html`
          <a class="group all" href=${href(["dead-letters"], { ...filtersOf(query), stage: "", code: "" })} aria-current=${current()}><span>${state.complete ? "All" : "All so far"}</span><span class="number">${count(total)}</span></a>
          ${groups.length > 0 && html`<p class="faint groups-note">Bar: number, compared with the most frequent code</p>`}
          ${stages.map(
            (stage) => html`<section key=${stage}>
              <h2><a href=${href(["dead-letters"], { ...filtersOf(query), stage: stage.toLowerCase(), code: "" })} aria-current=${current(stage.toLowerCase())}><span>${stageName(stage)}</span><span class="number">${count(groups.filter((group) => group.stage === stage).reduce((sum, group) => sum + group.count, 0))}</span></a></h2>
              ${groups
                .filter((group) => group.stage === stage)
                .map(
                  (group) => html`<a
                    key=${group.code}
                    class="group"
                    href=${href(["dead-letters"], { ...filtersOf(query), stage: stage.toLowerCase(), code: group.code })}
                    aria-current=${current(stage.toLowerCase(), group.code)}
                  >
                    <span class="group-bar" style=${{ width: `calc((100% - 16px) * ${group.count / max})` }} aria-hidden="true"></span>
                    <span class="group-code">${group.code ?? "exception"}</span><span class="number">${count(group.count)}</span>
                  </a>`,
                )}
            </section>`,
          )}
        `;
      }}
    <//>
  </nav>`;
}

/** A page; of an input position only its dead letter, if the first pages have it. */
async function readLetters(/** @type {any} */ query, /** @type {AbortSignal} */ signal) {
  let cursor = query.cursor;
  for (let pages = 0; ; pages++) {
    const page = await api.getPage("/v1/dead-letters", { ...selectionOf(query), cursor, limit: query.source ? 500 : LIMIT }, signal);
    if (!query.source) {
      return page;
    }
    const items = page.items.filter((/** @type {any} */ item) => position(item.source) === query.source);
    if (items.length > 0 || page.next === null || pages === 10) {
      return { items, next: null };
    }
    cursor = page.next;
  }
}

function Letters({ data, query, chosen, selection, setSelection, operator }) {
  const toggle = (/** @type {string} */ id) => {
    const next = new Set(selection);
    if (!next.delete(id)) {
      next.add(id);
    }
    setSelection(next);
  };
  return html`<ol class="letters">
      ${data.items.map((/** @type {any} */ item) => {
        const id = idOf(item);
        return html`<li key=${id} class=${chosen === id ? "current" : ""}>
          ${operator && html`<input type="checkbox" aria-label=${`Select dead letter ${plain(id, 120)}`} checked=${selection.has(id)} onChange=${() => toggle(id)} />`}
          <a href=${href(["dead-letters"], { ...query, id })} aria-current=${chosen === id ? "true" : undefined}>
            <span class="letter-head"><${Code} name=${item.code ?? item.exception ?? "exception"} />${(item.returned || item.closed) && html`<span class="tag">${item.returned ? "redriven" : "closed"}</span>`}<span class="letter-time faint"><${Time} value=${item.timestamp} form="ago" /></span></span>
            <span class="row-gloss">${glossOf(item) ? html`<${Label} value=${glossOf(item)} max=${160} />` : html`<${Label} value=${item.detail ?? item.preview ?? "content not visible"} max=${160} />`}</span>
            <span class="faint letter-where">${protocolName(item.protocol)} · <${Label} value=${item.conversation ?? "no conversation"} max=${40} /> · <${Label} value=${position(item.source) ?? "unknown"} max=${60} />${item.attempt > 1 && html` · attempt ${count(item.attempt)}`}</span>
          </a>
        </li>`;
      })}
    </ol>`;
}

/** What an operator can do with the selected dead letters, or with all of a filter; always in view. */
function Actions({ query, items, selection, setSelection, draft, onDone }) {
  const [action, setAction] = useState("");
  const ids = [...selection];
  const chosen = ids.length > 0;
  const listed = items.map(idOf);
  const every = listed.length > 0 && listed.every((/** @type {string} */ id) => selection.has(id));
  // All of a filter needs one, and is more than the dead letter of one message.
  const filtered = !query.source && FILTERS.some((name) => name !== "state" && query[name]);
  const current = action || (chosen && query.state !== "closed" ? "redrive" : "");
  const what = chosen ? counted(ids.length, "dead letter") : "all of this filter";
  const several = chosen ? "" : " all of this filter";
  const actions = !(chosen || (filtered && (listed.length > 0 || action)))
    ? []
    : query.state === "closed"
      ? [["reopen", `Reopen${several}`]]
      : query.state === "returned"
        ? []
        : [["redrive", `Redrive${several}`], ...(chosen ? [["unwrap", "Send only the inner messages"]] : []), ["close", `Close${several}`]];
  const target = chosen ? { ids } : { query: selectionOf(query) };
  return html`<div class="bulk" role="group" aria-label="Actions">
    <div class="button-row">
      ${listed.length > 0 && html`<button type="button" class="quiet small" onClick=${() => setSelection(every ? new Set() : new Set(listed))}>${every ? "Select none" : "Select all on this page"}</button>`}
      ${chosen && html`<span class="faint">${count(ids.length)} selected</span>`}
      ${actions.map(([name, label]) => html`<button key=${name} type="button" class="small" aria-expanded=${current === name ? "true" : "false"} onClick=${() => setAction(action === name ? "" : name)}>${label}</button>`)}
      ${chosen && html`<button type="button" class="quiet small" onClick=${() => { setSelection(new Set()); setAction(""); }}>Done</button>`}
    </div>
    ${actions.some(([name]) => name === current) &&
    (current === "redrive" || current === "unwrap"
      ? html`<${Redrive} key=${current} unwrap=${current === "unwrap"} target=${target} what=${current === "unwrap" ? `only the inner messages of ${what}` : what} draft=${draft} onDone=${onDone} />`
      : html`<${Closing} key=${current} close=${current === "close"} ids=${chosen ? ids : null} query=${selectionOf(query)} what=${what} draft=${draft} onDone=${onDone} />`)}
  </div>`;
}

const LIVE_MS = 5000;
/** Rounds of the live list after which all is counted again. */
const RECOUNT = 12;
/** Most new dead letters that are counted. */
const MAX_NEW = 100;

/** The number of rounds of the live list, while the page is visible. */
function useRounds() {
  const [rounds, setRounds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setRounds((/** @type {number} */ old) => old + 1), LIVE_MS);
    return () => clearInterval(timer);
  }, []);
  return rounds;
}

/** The number of dead letters that are newer than those of the list, at most a maximum. */
function useNew(/** @type {any} */ query, /** @type {any[] | null} */ items, /** @type {number} */ rounds) {
  const known = items?.map(idOf) ?? [];
  const state = useLoad(
    async (signal) => {
      if (items === null || rounds === 0 || query.cursor || query.source) {
        return 0;
      }
      const page = await api.get("/v1/dead-letters", { ...selectionOf(query), ...(items.length > 0 ? { from: items[0].timestamp } : {}), limit: MAX_NEW }, signal);
      return page.items.filter((/** @type {any} */ item) => !known.includes(idOf(item))).length;
    },
    [filtersOf(query), known],
    rounds,
  );
  return state.data ?? 0;
}

/** Filters that a link has set, and that no control of the page shows. */
function Scope({ query }) {
  return (
    (query.source || query.conversation) &&
    html`<p class="note">Only ${query.source ? html`the dead letter of the message at <b><${Label} value=${query.source} max=${60} /></b>` : html`the conversation <b><${Label} value=${query.conversation} max=${60} /></b>`}. <a href=${href(["dead-letters"], { stage: query.stage, code: query.code, state: query.state })}>Show all</a></p>`
  );
}

const STATES = [["open", "Open"], ["returned", "Redriven"], ["closed", "Closed"], ["all", "All"]];

/** Times after which the views have learned of a change: usually, and on a slow instance. */
const CHANGED_MS = [1000, 4000];

export function DeadLetters({ place, me }) {
  const { query } = place;
  const wide = useWide();
  const listed = useMedia("(min-width: 1101px)");
  const [selection, setSelection] = useState(/** @type {Set<string>} */ (new Set()));
  const key = JSON.stringify([filtersOf(query), query.cursor, query.source]);
  const state = useLoad((signal) => readLetters(query, signal), [key]);
  useEffect(() => setSelection(new Set()), [key]);
  const items = state.data?.items ?? null;
  const operator = isOperator(me);
  const [version, setVersion] = useState(0);
  const rounds = useRounds();
  const fresh = useNew(query, items, rounds);
  const recount = () => setVersion((/** @type {number} */ old) => old + 1);
  useEffect(() => {
    if (fresh > 0) {
      recount();
      announce(`${counted(fresh, "new dead letter")}.`);
    }
  }, [fresh]);
  const refresh = () => {
    state.reload();
    recount();
  };
  const chosen = query.id ?? (wide && items && items.length > 0 ? idOf(items[0]) : null);
  const changed = () => CHANGED_MS.forEach((ms) => setTimeout(refresh, ms));
  const changedOne = () => {
    if (!query.id && chosen) {
      // What was done stays in view, although its dead letter leaves the list.
      replace(href(["dead-letters"], { ...query, id: chosen }));
    }
    changed();
  };
  const scope = filtersOf(selectionOf(query), COUNTED);
  const counting = version + Math.floor(rounds / RECOUNT);
  const set = (/** @type {string} */ name) => (/** @type {string} */ value) => go(href(["dead-letters"], { ...filtersOf(query), [name]: value }));
  return html`<div class=${"letters-page" + (query.id && !wide ? " shows-message" : "")}>
    <${PageHeader} title="Dead letters" lead="Records that were rejected or could not be decoded, with their original bytes. Find the cause, repair it, and send it again (redrive)."
      actions=${html`<${Choice} label="State" name="state" value=${query.state || (query.source ? "all" : "open")} options=${STATES} onChange=${set("state")} />
        ${!listed && html`<${GroupChoice} key=${JSON.stringify(scope)} query=${query} scope=${scope} version=${counting} />`}`} />
    <${Filters} page="dead-letters" query=${query} names=${FIELDS} set=${set} />
    <${Range} query=${query} set=${(/** @type {any} */ changes) => go(href(["dead-letters"], { ...filtersOf(absolute({ ...query, ...changes })), ...(changes.range === "custom" ? changes : {}) }))} any=${true} />
    <${Scope} query=${query} />
    <div class="panes letter-panes">
      ${listed && html`<${Groups} key=${JSON.stringify(scope)} query=${query} scope=${scope} version=${counting} />`}
      <section class="pane list" aria-label="Dead letters" aria-busy=${state.loading}>
        ${operator && html`<${Actions} key=${key} query=${query} items=${items ?? []} selection=${selection} setSelection=${setSelection} draft=${`${me.principal} ${key}`} onDone=${changed} />`}
        <${TakeAway} file="dead-letters" read=${itemsOf("/v1/dead-letters", selectionOf(query))} resource="/v1/dead-letters" query=${selectionOf(query)} command=${["dlq", "list", ...Object.entries(selectionOf(query)).flatMap(([name, value]) => ["--" + name, value])]} place=${place} />
        ${fresh > 0 && html`<button type="button" class="fresh" onClick=${refresh}>${fresh === MAX_NEW ? `${count(fresh)} or more` : count(fresh)} new: show</button>`}
        <${Loaded} state=${state} lines=${8}>
          ${(/** @type {any} */ data) =>
            data.items.length === 0
              ? html`<${Nothing} title=${query.source ? "No dead letter of this message" : "No dead letters here"} me=${me} query=${selectionOf(query)}>
                  ${query.source ? "It has expired, or is not among the latest." : selectionOf(query).state && html`None that matches is in this state. <a href=${href(["dead-letters"], { ...filtersOf(query), state: "all" })}>Show all states</a>`}
                <//>`
              : html`<${Letters} data=${data} query=${query} chosen=${chosen} selection=${selection} setSelection=${setSelection} operator=${operator} />
                  <nav class="pager" aria-label="Pages">
                    ${query.cursor && html`<a class="button small" href=${href(["dead-letters"], filtersOf(query))}>First page</a>`}
                    ${data.next && html`<a class="button small primary-quiet" href=${href(["dead-letters"], { ...query, cursor: data.next, id: "" })}>Next page <${Icon} name="right" size=${13} /></a>`}
                  </nav>`}
        <//>
      </section>
      ${chosen &&
      html`<section class="pane detail" aria-label="Selected dead letter">
        ${!wide && html`<div class="pane-head"><a class="button quiet" href=${href(["dead-letters"], { ...query, id: "" })}><${Icon} name="left" /> List</a></div>`}
        <${Letter} id=${chosen} me=${me} onDone=${changedOne} listed=${items?.find((/** @type {any} */ item) => idOf(item) === chosen) ?? {}} />
      </section>`}
    </div>
  </div>`;
}
