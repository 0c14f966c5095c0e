// One conversation: the sequence diagram, and everything about the selected message.
import * as api from "../api.js";
import { Message } from "../message.js";
import { Hash, Icon, Label, Loaded, Nothing, PageHeader, Protocol, Text, Time, Verdict } from "../parts.js";
import { go, href, replace, sibling } from "../router.js";
import { useTicks } from "../stats.js";
import { count, isDecision, noun } from "../text.js";
import { TakeAway, messagesOf } from "../take.js";
import { Timeline, summaryRow } from "../timeline.js";
import { WINDOW } from "../virtual.js";
import { ComposeLink } from "./compose.js";
import { Waterfall } from "../waterfall.js";
import { WaitingPatches } from "./parked.js";
import { announce, html, useEffect, useKeys, useLoad, useMedia, useRef, useSize, useState } from "../ui.js";

/** Whether the page is wide enough for the timeline and the message next to each other. */
export function useWide() {
  return useMedia("(min-width: 900px)");
}

/**
 * Reads rows of a conversation, as many pages as a window needs.
 *
 * @param {string} base path of the conversation
 * @param {number} last sequence of its last message
 */
export function rowsOf(base, last) {
  return async (/** @type {number} */ from, /** @type {number} */ limit, /** @type {AbortSignal} */ signal) => {
    const rows = /** @type {any[]} */ ([]);
    const end = Math.min(from + limit, last + 1);
    let next = /** @type {number | null} */ (from);
    while (next !== null && next < end) {
      const page = await api.get(`${base}/messages`, { from: next, limit: end - next, view: "summary" }, signal);
      rows.push(...page.items.map(summaryRow));
      next = page.items.length > 0 ? page.next : null;
    }
    return rows;
  };
}

const SCAN = 1000;

/** The sequence of the nearest message after or before another one that is wanted; null if there is none. */
async function findNearest(
  /** @type {any} */ load,
  /** @type {any} */ conversation,
  /** @type {number} */ from,
  /** @type {number} */ step,
  /** @type {(row: any) => boolean} */ wanted,
  /** @type {AbortSignal} */ signal,
  /** @type {(examined: number) => void} */ progress,
) {
  let examined = 0;
  for (let at = from + step; conversation.firstSequence <= at && at <= conversation.lastSequence; at += step * SCAN) {
    const start = step > 0 ? at : Math.max(conversation.firstSequence, at - SCAN + 1);
    const rows = await load(start, step > 0 ? SCAN : at - start + 1, signal);
    const found = step > 0 ? rows.find(wanted) : rows.findLast(wanted);
    if (found) {
      return found.sequence;
    }
    progress((examined += rows.length));
  }
  return null;
}

function isError(/** @type {any} */ row) {
  return row.verdict !== "ACCEPTED";
}

/** Selects the nearest wanted message; a search through a long conversation shows its progress, and can be canceled. */
function useFinder(/** @type {any} */ conversation, /** @type {any} */ load, /** @type {(sequence: number) => void} */ select) {
  const [search, setSearch] = useState(/** @type {{controller: AbortController, examined: number} | null} */ (null));
  const running = useRef(/** @type {AbortController | null} */ (null));
  useEffect(() => () => running.current?.abort(), [conversation?.chain]);
  const find = (/** @type {number} */ from, /** @type {number} */ step, /** @type {(row: any) => boolean} */ wanted, none = () => {}) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setSearch({ controller, examined: 0 });
    findNearest(load, conversation, from, step, wanted, controller.signal, (examined) => setSearch({ controller, examined })).then(
      (found) => {
        setSearch(null);
        if (found === null) {
          none();
        } else {
          select(found);
        }
      },
      () => running.current === controller && setSearch(null),
    );
  };
  const cancel = () => {
    running.current?.abort();
    setSearch(null);
  };
  return { search, find, cancel };
}

/** Buttons that step through the messages. */
function Steps({ conversation, selected, select, finder }) {
  const { search, cancel } = finder;
  const errors = conversation.rejected + conversation.undecodable + conversation.flagged;
  const find = (/** @type {number} */ step) =>
    finder.find(selected < 0 ? conversation.firstSequence - 1 : selected, step, isError, () => announce(`No error ${step > 0 ? "after" : "before"} this message.`));
  const move = (/** @type {number} */ step) =>
    select(Math.min(conversation.lastSequence, Math.max(conversation.firstSequence, (selected < 0 ? conversation.firstSequence - 1 : selected) + step)));
  const step = (/** @type {string} */ key) => {
    const action = /** @type {Record<string, () => void>} */ ({
      j: () => move(1),
      k: () => move(-1),
      n: () => errors > 0 && find(1),
      p: () => errors > 0 && find(-1),
    })[key];
    action?.();
    return Boolean(action);
  };
  useKeys(step, [["j, k", "next and previous message"], ["n, p", "next and previous message that was not accepted"]]);
  const goTo = (/** @type {any} */ event) => {
    event.preventDefault();
    const value = Number(new FormData(event.currentTarget).get("sequence"));
    if (Number.isInteger(value) && value >= conversation.firstSequence && value <= conversation.lastSequence) {
      select(value, true);
    } else {
      announce(`Messages are ${conversation.firstSequence} to ${conversation.lastSequence}.`);
    }
  };
  return html`<div class="steps" role="toolbar" aria-label="Step through the messages">
    <div class="button-group">
      <button type="button" title="Previous message (k)" disabled=${selected <= conversation.firstSequence} onClick=${() => move(-1)}>
        <${Icon} name="up" /><span class="sr-only">Previous message</span>
      </button>
      <button type="button" title="Next message (j)" disabled=${selected >= conversation.lastSequence} onClick=${() => move(1)}>
        <${Icon} name="down" /><span class="sr-only">Next message</span>
      </button>
    </div>
    ${errors > 0 &&
    html`<div class="button-group errors">
      <button type="button" title="Previous error (p)" onClick=${() => find(-1)}><${Icon} name="up" size=${13} /><span class="sr-only">Previous error</span></button>
      <button type="button" title="Next error (n)" onClick=${() => find(1)}><${Icon} name="down" size=${13} /> Next error</button>
    </div>`}
    ${search &&
    html`<span class="note" role="status">examined ${count(search.examined)}
      <button type="button" class="quiet small" onClick=${cancel}>Cancel</button></span>`}
    <form class="go-to" onSubmit=${goTo}>
      <label><span class="sr-only">Go to message number</span>
        <input name="sequence" inputmode="numeric" placeholder="# message" autocomplete="off" /></label>
    </form>
  </div>`;
}

function sameDay(/** @type {any} */ conversation) {
  return String(conversation.firstTime).slice(0, 10) === String(conversation.lastTime).slice(0, 10);
}

/** A count of messages, which leads to the next of them, and from the last to the first. */
function VerdictCount({ conversation, name, selected, finder }) {
  const wanted = (/** @type {any} */ row) => row.verdict === name;
  const before = conversation.firstSequence - 1;
  const find = () => finder.find(Math.max(before, selected), 1, wanted, () => finder.find(before, 1, wanted));
  return html`<button type="button" class="link-button" title="Next of these messages" onClick=${find}><b>${count(conversation[name.toLowerCase()])}</b> <${Verdict} name=${name} /></button>`;
}

/** The number of records; those that the timeline has read tell how many are redactions or approvals. */
function Size({ conversation, decisions }) {
  const all = conversation.lastSequence - conversation.firstSequence < WINDOW;
  return decisions === 0
    ? html`<li><b>${count(conversation.messages)}</b> ${noun(conversation.messages, "message")}</li>`
    : html`<li><span><b>${count(conversation.messages)}</b> records, ${all ? "" : "at least "}${count(decisions)} of them ${noun(decisions, "a decision", "decisions")}</span></li>`;
}

function Summary({ conversation, selected, finder, decisions }) {
  return html`<ul class="summary" aria-label="Summary">
    <${Size} conversation=${conversation} decisions=${decisions} />
    ${["ACCEPTED", "FLAGGED", "REJECTED", "UNDECODABLE"]
      .filter((name) => conversation[name.toLowerCase()] > 0)
      .map((name) => html`<li key=${name}><${VerdictCount} conversation=${conversation} name=${name} selected=${selected} finder=${finder} /></li>`)}
    <li class="faint">received <${Time} value=${conversation.firstTime} /> to <${Time} value=${conversation.lastTime} form=${sameDay(conversation) ? "second" : "full"} />${sameDay(conversation) && " UTC"}</li>
    <li><span class="faint">Last hash</span> <${Hash} value=${conversation.lastHash} label="hash of the last record" /></li>
  </ul>`;
}

function CompareForm({ conversation }) {
  const start = (/** @type {any} */ event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const other = String(form.get("other")).trim();
    if (other) {
      go(href(["compare"], { a: conversation.chain, b: sibling(conversation.chain, other) }));
    }
  };
  return html`<details class="menu">
    <summary class="button"><${Icon} name="compare" /> Compare</summary>
    <form class="menu-body" onSubmit=${start}>
      <label class="field"><span>Conversation ID, or namespace|protocol|ID</span><input name="other" autocomplete="off" spellcheck=${false} /></label>
      <button type="submit" class="primary">Compare</button>
    </form>
  </details>`;
}

const POLL_MS = 4000;
const NO_KEYS = /** @type {string[]} */ ([]);

export function Conversation({ place, me, status }) {
  const [, namespace, protocol, name] = place.path;
  const base = api.path("conversations", namespace, protocol, name);
  const state = useLoad((signal) => api.get(base, {}, signal), [base], useTicks(POLL_MS));
  const wide = useWide();
  const chosen = /^\d+$/.test(place.query.m ?? "") ? Number(place.query.m) : -1;
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const link = (/** @type {number} */ sequence) => href(["conversations", namespace, protocol, name], { ...place.query, find: "", follow: "", m: sequence });
  const conversation = state.data;
  const selected = chosen >= 0 ? chosen : wide && conversation && conversation.firstSequence <= conversation.lastSequence ? conversation.firstSequence : -1;
  // Undecodable records of an input partition belong to no namespace.
  const named = protocol.toUpperCase() !== "UNKNOWN";
  const kind = named ? "Conversation" : "Input partition";
  const follows = place.query.follow === "1";
  const end = (/** @type {string} */ follow) => href(["conversations", namespace, protocol, name], { ...place.query, find: "", follow, m: conversation.lastSequence });
  useEffect(() => {
    if (follows && conversation && selected !== conversation.lastSequence) {
      replace(end("1"));
    }
  }, [follows, conversation?.lastSequence]);
  const waterfall = place.query.view === "waterfall";
  const tab = (/** @type {string} */ view) => href(["conversations", namespace, protocol, name], { ...place.query, view });
  const [expanded, setExpanded] = useState(false);
  const [decisions, setDecisions] = useState(/** @type {Set<number>} */ (new Set()));
  const seen = (/** @type {any[]} */ rows) => {
    const found = rows.filter(isDecision).map((row) => row.sequence);
    setDecisions((old) => (found.every((sequence) => old.has(sequence)) ? old : new Set([...old, ...found])));
    return rows;
  };
  // Back returns to what was clicked, and must not lead to the address that finds an error.
  const select = (/** @type {number} */ sequence, clicked = false) =>
    !place.query.find && (clicked || (!wide && chosen < 0)) ? go(link(sequence)) : replace(link(sequence));
  const finder = useFinder(conversation, rowsOf(base, conversation?.lastSequence ?? -1), select);
  // A count of errors elsewhere leads to the first of them.
  const finds = conversation !== null && place.query.find === "error";
  useEffect(() => {
    if (finds) {
      finder.find(conversation.firstSequence - 1, 1, isError);
    }
  }, [finds]);
  // The timeline keeps the arrows; the message follows when they rest.
  const [settled, setSettled] = useState(selected);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(selected), settled < 0 ? 0 : 60);
    return () => clearTimeout(timer);
  }, [selected]);
  return html`<div class=${"conversation-page" + (chosen >= 0 && !wide ? " shows-message" : "") + (expanded ? " expanded" : "")}>
    <${PageHeader}
      document=${`${kind} ${name}`}
      title=${html`<span class="title-kind">${kind}</span> <${Text} value=${name} max=${80} />`}
      crumbs=${html`<a href=${href(["conversations"])}>Conversations</a><span aria-hidden="true">/</span>
        ${named && html`<a href=${href(["conversations"], { namespace })}><${Label} value=${namespace} max=${40} /></a><span aria-hidden="true">/</span>`}
        <a href=${href(["conversations"], { namespace: named ? namespace : "", protocol })}><${Protocol} name=${protocol.toUpperCase()} /></a>`}
      actions=${conversation &&
      html`${conversation.protocol === "CSP" && html`<a class="button" href=${href(["contexts", namespace, name])}><${Icon} name="contexts" /> Checkpoints</a>`}
        <${ComposeLink} me=${me} conversation=${{ namespace, protocol, conversation: name }} /><${TakeAway} file=${conversation.chain} read=${messagesOf(base)} resource=${`${base}/messages`} query=${{ bodies: true }} command=${["export", "--chain", conversation.chain, "--out", "conversation.jsonl"]} proof=${(/** @type {any} */ item) => `${base}/messages/${item.sequence}/proof`} place=${place} />
        <${CompareForm} conversation=${conversation} />`}
    />
    <${Loaded} state=${state} lines=${10}>
      ${() =>
        html`<${Summary} conversation=${conversation} selected=${selected} finder=${finder} decisions=${decisions.size} />
          ${conversation.protocol === "CSP" && html`<${WaitingPatches} namespace=${namespace} conversation=${name} />`}
          ${conversation.firstSequence > 0 && html`<p class="note">Messages before ${count(conversation.firstSequence)} were pruned from the views; the audit topic may still have them.</p>`}
          ${conversation.firstSequence > conversation.lastSequence
            ? html`<${Nothing} title="The views have no message of this conversation any more" me=${me} query=${{ namespace, protocol, conversation: name }} />`
            : html`<div class="panes">
                <section class="pane timeline" aria-label="Timeline" ref=${box}>
                  <div class="pane-head views">
                    <nav class="tabs" aria-label="Views of the conversation">${[["", "Messages"], ["waterfall", "Requests over time"]].map(([view, label]) => html`<a key=${view} href=${tab(view)} aria-current=${waterfall === (view !== "") ? "true" : undefined}>${label}</a>`)}</nav>
                    <button type="button" class="quiet small" aria-pressed=${follows ? "true" : "false"} onClick=${() => replace(end(follows ? "" : "1"))}>Follow the end</button>
                  </div>
                  <${Steps} conversation=${conversation} selected=${selected} select=${select} finder=${finder} />
                  ${waterfall
                    ? html`<${Waterfall} base=${base} last=${conversation.lastSequence} selected=${selected} onSelect=${select} />`
                    : html`<${SizedTimeline} base=${base} conversation=${conversation} selected=${selected} select=${select} seen=${seen} />`}
                </section>
                ${selected >= 0 &&
                html`<section class="pane detail" aria-label=${`Details of message ${selected}`}>
                  <div class="pane-head">
                    ${!wide && html`<a class="button quiet" href=${href(["conversations", namespace, protocol, name])}><${Icon} name="left" /> Timeline</a>`}
                    <h2>Message <span class="number">#${count(selected)}</span> <span class="faint">of #${count(conversation.firstSequence)} to #${count(conversation.lastSequence)}</span></h2>
                    ${wide && html`<button type="button" class="quiet small" aria-pressed=${expanded ? "true" : "false"} onClick=${() => setExpanded(!expanded)}><${Icon} name="wide" /> ${expanded ? "Show timeline" : "Widen"}</button>`}
                    ${!wide && html`<${Steps} conversation=${conversation} selected=${selected} select=${select} finder=${finder} />`}
                  </div>
                  ${settled >= 0 && html`<${Message} base=${base} sequence=${settled} conversation=${conversation} me=${me} keys=${status.data?.heads.keys ?? NO_KEYS} />`}
                </section>`}
              </div>`}`}
    <//>
  </div>`;
}

function SizedTimeline({ base, conversation, selected, select, seen }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const { width } = useSize(box);
  return html`<div class="timeline-box" ref=${box}>
    ${width > 0 &&
    html`<${Timeline}
      name=${base}
      first=${conversation.firstSequence}
      last=${conversation.lastSequence}
      selected=${selected}
      width=${width}
      load=${(/** @type {number} */ from, /** @type {number} */ limit, /** @type {AbortSignal} */ signal) => rowsOf(base, conversation.lastSequence)(from, limit, signal).then(seen)}
      onSelect=${select}
    />`}
  </div>`;
}
