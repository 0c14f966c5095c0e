// The state of a conversation at any point in time: its entries, who set each, and their histories.
import * as api from "../api.js";
import { DraftInput, Empty, Entry, Icon, Label, Loaded, Loading, PageHeader, Problem, Protocol, Text, Time } from "../parts.js";
import { conversationLink, go, href, ofPath, replace } from "../router.js";
import { announce, html, useEffect, useLoad, useProblem, useRef, useState } from "../ui.js";
import { count, counted, plain } from "../text.js";
import { VirtualList } from "../virtual.js";

const ENTRIES = 200;

/**
 * Entries of a state with the message or patch that set each, read as far as the list is scrolled.
 *
 * @param {{base: string, at: string, entry: string | undefined, onEntry: (entry: string, clicked: boolean) => void,
 *     conversation: any}} props base is the path of the conversation; at, a point in time
 */
export function State({ base, at, entry, onEntry, conversation }) {
  const [pages, setPages] = useState(/** @type {any} */ ({ items: [], next: undefined, problem: null, key: null }));
  const [find, setFind] = useState("");
  const key = JSON.stringify([base, at, find]);
  const busy = useRef(/** @type {AbortController | null} */ (null));
  const more = (/** @type {string | null | undefined} */ cursor, /** @type {any[]} */ items) => {
    busy.current?.abort();
    const controller = new AbortController();
    busy.current = controller;
    api.get(`${base}/blame`, { at, cursor, limit: ENTRIES, name: find }, controller.signal).then(
      (page) => {
        busy.current = null;
        setPages({ items: [...items, ...page.items], next: page.next, problem: null, key });
      },
      (problem) => controller.signal.aborted || setPages({ items, next: cursor, problem, key }),
    );
  };
  useEffect(() => {
    more(undefined, []);
    return () => busy.current?.abort();
  }, [key]);
  const again = () => more(pages.next, pages.items);
  const selected = pages.items.findIndex((/** @type {any} */ item) => item.entry === entry);
  const problem = useProblem(pages.key === key ? pages.problem : null, again);
  if (problem) {
    return html`<${Problem} problem=${problem} retry=${again} />`;
  }
  return html`<div class="state" aria-busy=${pages.key !== key}>
    <div class="state-tools">
      <label class="search-box compact"><span class="sr-only">Entries whose name contains</span><${Icon} name="filter" size=${14} />
        <${DraftInput} placeholder="Part of a name" value=${find} onChange=${(/** @type {any} */ e) => setFind(e.currentTarget.value.trim())} /></label>
      <span class="faint">${pages.key !== key ? "" : counted(pages.items.length, "entry", "entries") + (pages.next ? ", more follow" : "")}</span>
    </div>
    ${pages.key !== key || (pages.problem && pages.items.length === 0)
      ? html`<${Loading} lines=${8} />`
      : pages.items.length === 0
        ? html`<${Empty} title=${find ? "No entry has this in its name" : "The state is empty"} />`
        : html`<div class="entries">
            <${VirtualList}
              id="entries"
              label="Entries of the state. Arrow keys show the history of one."
              total=${pages.items.length}
              height=${44}
              header=${html`<div class="entry-head" aria-hidden="true"><span>Entry</span><span>Value</span><span>Set in, by</span></div>`}
              selected=${selected}
              onSelect=${(/** @type {number} */ index, /** @type {boolean} */ clicked) => onEntry(pages.items[index].entry, clicked)}
              onRange=${(/** @type {number} */ _, /** @type {number} */ last) => last >= pages.items.length - 30 && pages.next && !busy.current && more(pages.next, pages.items)}
              row=${(/** @type {number} */ index) => {
                const item = pages.items[index];
                return html`<span class="entry-name link" title="Who set it, and when"><${Label} value=${item.entry} max=${80} /></span>
                  <span class="entry-value"><${Label} value=${item.value} max=${160} /></span>
                  <span class="entry-by faint"><${Origin} by=${item.by} /> · <${Label} value=${item.by?.sender ?? "unknown"} max=${24} />${item.by?.source && html`<small><${Time} value=${item.by.source.timestamp} /></small>`}</span>`;
              }}
            />
          </div>`}
    ${entry && html`<${History} base=${base} at=${at} entry=${entry} close=${() => onEntry("", true)} conversation=${conversation} />`}
  </div>`;
}

/** Opens the message at an input position. */
function openMessage(/** @type {any} */ source) {
  api.get(api.path("positions", source.topic, source.partition, source.offset)).then(
    (found) => go(conversationLink(ofPath(found.links.conversation), { m: found.sequence })),
    (problem) => announce(plain(problem?.message ?? problem, 200)),
  );
}

/** The checkpoint or the message that set an entry. */
function Origin({ by }) {
  return by?.checkpoint !== undefined ? html`<${Label} value=${by.checkpoint} max=${24} />` : by?.sequence !== undefined ? `#${count(by.sequence)}` : "unknown";
}

/** The changes of one entry. */
function History({ base, at, entry, close, conversation }) {
  const state = useLoad((signal) => api.get(`${base}/history`, { at, entry, limit: 50 }, signal), [base, at, entry]);
  return html`<section class="history" aria-label=${`History of ${plain(entry, 80)}`}>
    <header><h3>History of <${Text} value=${entry} max=${80} /></h3><button type="button" class="quiet small" onClick=${close}>Close</button></header>
    <${Loaded} state=${state}>
      ${(/** @type {any} */ data) => html`<ol class="history-list">
        ${data.items.map(
          (/** @type {any} */ item, /** @type {number} */ i) => html`<li key=${i}>
            <span class="history-value">${item.value === null ? html`<del>removed</del>` : html`<${Text} value=${item.value} max=${300} />`}</span>
            <span class="faint">
              set by <${Text} value=${item.by.sender ?? "unknown"} max=${30} /> in <a href=${item.by.checkpoint ? href(["contexts", conversation.namespace, conversation.conversation], { at: item.by.checkpoint }) : conversationLink(conversation, { m: item.by.sequence })}><${Origin} by=${item.by} /></a>, <${Time} value=${item.by.source?.timestamp} />
              ${item.by.checkpoint && item.by.source?.topic && html` <button type="button" class="link-button" onClick=${() => openMessage(item.by.source)}>Its message</button>`}
            </span>
          </li>`,
        )}
      </ol>
      ${data.next && html`<p class="note">Earlier changes follow: parley history lists all.</p>`}
      ${data.pruned && html`<p class="note">Checkpoints before <${Text} value=${data.pruned.checkpoint} max=${40} /> were pruned.</p>`}`}
    <//>
  </section>`;
}

/** The point in time of a text: a number is a sequence. */
function momentOf(/** @type {string} */ text) {
  return /^#?\d+$/.test(text) ? `sequence:${text.replace("#", "")}` : text;
}

/** The link to the state of a conversation at a point in time. */
export function stateLink(/** @type {any} */ conversation, query = {}) {
  return href(["states", conversation.namespace, conversation.protocol.toLowerCase(), conversation.conversation], query);
}

export function States({ place }) {
  const [, namespace, protocol, name] = place.path;
  const { query } = place;
  const conversation = { namespace, protocol, conversation: name };
  const base = api.path("conversations", namespace, protocol, name);
  const at = query.at ?? "latest";
  const link = (/** @type {Record<string, any>} */ changes) => stateLink(conversation, { ...query, ...changes });
  const sequence = at.startsWith("sequence:") ? Number(at.slice(9)) : null;
  return html`<div class="states-page">
    <${PageHeader}
      document=${`State of ${name}`}
      title=${html`<span class="title-kind">State</span> <${Text} value=${name} max=${80} />`}
      lead="The entries after the last message up to a point in time, and who set each."
      crumbs=${html`<a href=${href(["conversations"])}>Conversations</a><span aria-hidden="true">/</span>
        <a href=${href(["conversations"], { namespace })}><${Label} value=${namespace} max=${40} /></a><span aria-hidden="true">/</span>
        <a href=${conversationLink(conversation, { m: sequence })}><${Protocol} name=${protocol.toUpperCase()} /> <${Label} value=${name} max=${40} /></a>`}
      actions=${html`<${Entry} label="After message, or at time (received)" name="at" value=${sequence ?? (at === "latest" ? "" : at)} placeholder="7, 14:03, -10m, C2; empty: now" onChange=${(/** @type {string} */ value) => go(link({ at: momentOf(value.trim()) }))} />
        <div class="button-group">
          <button type="button" disabled=${sequence === 0} onClick=${() => replace(link({ at: `sequence:${(sequence ?? 1) - 1}` }))} hidden=${sequence === null}><${Icon} name="up" /> One message earlier</button>
          <button type="button" onClick=${() => replace(link({ at: `sequence:${(sequence ?? 0) + 1}` }))} hidden=${sequence === null}>One later <${Icon} name="down" /></button>
        </div>`}
    />
    <section class="pane" aria-label="State">
      <${State} base=${base} at=${at} entry=${query.entry} onEntry=${(/** @type {string} */ entry, /** @type {boolean} */ clicked) => (clicked ? go : replace)(link({ entry }))} conversation=${conversation} />
    </section>
  </div>`;
}
