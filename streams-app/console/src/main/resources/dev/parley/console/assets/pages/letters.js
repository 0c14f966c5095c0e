// Dead letters: what failed, where, and the repair: edit, dry run, redrive.
import * as api from "../api.js";
import { Bytes, decodeBytes, textOf, toBase64 } from "../bytes.js";
import { Inner, Missing, Position, useCode } from "../message.js";
import { Choice, Code, Copy, Empty, Fields, Hash, Icon, Label, Loaded, PageHeader, Problem, Protocol, Text, Time, Verdict, keyAndHeaders } from "../parts.js";
import { protocolName } from "../protocols.js";
import { Redriven, Sent, position, useRedrives } from "../redrives.js";
import { conversationLink, go, href, ofPath } from "../router.js";
import { bytesOf, capital, count, counted, glossOf, plain, words } from "../text.js";
import { summaryRow } from "../timeline.js";
import { announce, html, useDraft, useEffect, useLoad, useMedia, useMemo, usePages, useRef, useState } from "../ui.js";
import { useWide } from "./conversation.js";
import { ruleLink } from "./docs.js";

const LIMIT = 50;
/** Filters of the list, the counts and a redrive of all. */
const FILTERS = ["stage", "code", "state", "namespace", "protocol", "sender", "from", "to"];

/** Filters of the counts. */
const COUNTED = FILTERS.slice(2);

/** Filters that only links set; the others have controls. */
const SCOPE = FILTERS.slice(3);

function filtersOf(/** @type {any} */ query, names = FILTERS) {
  return Object.fromEntries(names.filter((name) => query[name]).map((name) => [name, query[name]]));
}

function idOf(/** @type {any} */ letter) {
  return letter.id ?? `${letter.deadLetter.topic}/${letter.deadLetter.partition}/${letter.deadLetter.offset}`;
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

/** Number of dead letters by stage and code. */
function useCounts(/** @type {any} */ query, /** @type {number} */ version) {
  const scope = filtersOf(query, COUNTED);
  const state = usePages(
    async (cursor, signal) => {
      const page = await api.get("/v1/dead-letters/counts", { ...scope, limit: 1000, cursor }, signal);
      return { items: grouped(page.items), next: page.next };
    },
    [scope, version],
  );
  return { ...state, data: useMemo(() => state.data && grouped(state.data), [state.data]) };
}

/** The groups as a choice, for pages without room for the list of them. */
function GroupChoice({ query, version }) {
  const state = useCounts(query, version);
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

function Groups({ query, version }) {
  const state = useCounts(query, version);
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

function stageName(/** @type {string} */ stage) {
  return /** @type {Record<string, string>} */ ({ DECODE: "Decoding failed", JUDGE: "Dialogue rule broken", APPLY: "Patch not applicable", INTERNAL: "Internal error" })[stage] ?? capital(words(stage));
}

/** A page; of an input position only its dead letter, if the first pages have it. */
async function readLetters(/** @type {any} */ query, /** @type {AbortSignal} */ signal) {
  let cursor = query.cursor;
  for (let pages = 0; ; pages++) {
    const page = await api.getPage("/v1/dead-letters", { ...filtersOf(query), cursor, limit: query.source ? 500 : LIMIT }, signal);
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

function Letters({ data, query, chosen, selection, setSelection, operator, redriven }) {
  const toggle = (/** @type {string} */ id) => {
    const next = new Set(selection);
    if (!next.delete(id)) {
      next.add(id);
    }
    setSelection(next);
  };
  const ids = data.items.map(idOf);
  return html`<ol class="letters">
      ${data.items.map((/** @type {any} */ item) => {
        const id = idOf(item);
        return html`<li key=${id} class=${chosen === id ? "current" : ""}>
          ${operator && html`<input type="checkbox" aria-label=${`Select dead letter ${plain(id, 120)}`} checked=${selection.has(id)} onChange=${() => toggle(id)} />`}
          <a href=${href(["dead-letters"], { ...query, id })} aria-current=${chosen === id ? "true" : undefined}>
            <span class="letter-head"><${Code} name=${item.code ?? item.exception ?? "exception"} />${redriven.has(position(item.source)) && html`<span class="tag">redriven</span>`}<span class="letter-time faint"><${Time} value=${item.timestamp} form="ago" /></span></span>
            <span class="row-gloss">${glossOf(item) ? html`<${Label} value=${glossOf(item)} max=${160} />` : html`<${Label} value=${item.detail ?? item.preview ?? "content not visible"} max=${160} />`}</span>
            <span class="faint letter-where">${protocolName(item.protocol)} · <${Label} value=${item.conversation ?? "no conversation"} max=${40} /> · <${Label} value=${position(item.source) ?? "unknown"} max=${60} />${item.attempt > 1 && html` · attempt ${count(item.attempt)}`}</span>
          </a>
        </li>`;
      })}
    </ol>
    ${operator &&
    ids.length > 1 &&
    html`<button type="button" class="quiet small" onClick=${() => setSelection(ids.every((/** @type {string} */ id) => selection.has(id)) ? new Set() : new Set(ids))}>
      ${ids.every((/** @type {string} */ id) => selection.has(id)) ? "Select none" : "Select all on this page"}
    </button>`}`;
}

const OUTCOMES = /** @type {Record<string, string[]>} */ ({
  WOULD_ENTER: ["accepted", "check", "Would enter"],
  ENTERED: ["accepted", "check", "Entered"],
  ALREADY_ENTERED: ["parked", "pause", "Has already entered"],
  REFUSED: ["rejected", "cross", "Refused"],
});

const FAILING = ["REJECTED", "UNDECODABLE"];

/** Whether a dry run predicts that the message would fail again. */
function wouldFail(/** @type {any} */ result) {
  return result.outcome === "WOULD_ENTER" && FAILING.includes(result.verdict);
}

/** Most messages of one redrive whose new verdicts are read. */
const MAX_FOLLOWED = 10;

function Outcome({ result, followed }) {
  const [style, icon, label] = wouldFail(result)
    ? ["flagged", "flag", "Would enter, and fail again"]
    : (OUTCOMES[result.outcome] ?? ["parked", "broken", capital(words(result.outcome))]);
  const guide = useCode(result.code);
  return html`<li class=${"outcome " + style}>
    <span class=${"verdict " + style}><${Icon} name=${icon} size=${12} />${label}</span>
    <code class="faint"><${Label} value=${result.id} max=${120} /></code>
    ${result.sent && followed ? html`<${Sent} position=${result.sent} />` : result.verdict && html`<span>and would be <${Verdict} name=${result.verdict} /></span>`}
    ${result.code && html`<${Code} name=${result.code} />`}
    ${guide && html`<p>${guide.meaning} ${guide.remedy}</p>`}
    ${result.detail && html`<p><${Text} value=${result.detail} max=${400} /></p>`}
  </li>`;
}

/** Most dead letters of a dry run, and of a request that names them. */
const MAX_RESULTS = 10000;
const MAX_IDS = 500;

/** The dead letters that a dry run predicted to enter, by request: a query may select others by now. */
function entering(/** @type {any[]} */ results) {
  const ids = results.filter((result) => result.outcome === "WOULD_ENTER").map((result) => result.id);
  return Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, i) => ({ ids: ids.slice(i * MAX_IDS, (i + 1) * MAX_IDS) }));
}

/**
 * Sends dead letters in again: a dry run first, then what it listed.
 *
 * @param {{target: any, what: string, draft: string, edits?: Record<string, { value: string }>, blocked?: boolean,
 *     onDone: (entered: boolean) => void}} props target is ids or query; draft is the key of the reason; entered is
 *     whether any was sent
 */
function Redrive({ target, what, draft, edits = {}, blocked = false, onDone }) {
  const [reason, setReason] = useDraft(`reason ${draft}`, "");
  const [state, setState] = useState(/** @type {any} */ (NOTHING_RUN));
  const key = JSON.stringify([target, edits]);
  const [insist, setInsist] = useState(false);
  const report = useRef(/** @type {HTMLElement | null} */ (null));
  const shown = useRef(key);
  shown.current = key;
  useEffect(() => {
    setState(NOTHING_RUN);
    setInsist(false);
  }, [key]);
  const run = async (/** @type {boolean} */ dry) => {
    const controller = new AbortController();
    setState({ results: null, dry, problem: null, busy: true });
    const results = /** @type {any[]} */ ([]);
    try {
      for (const part of dry ? [target] : entering(state.results)) {
        let cursor = /** @type {string | null} */ (null);
        do {
          const answer = await api.post("/v1/dead-letters:redrive", { ...part, dryRun: dry, ...(reason.trim() ? { reason: reason.trim() } : {}), ...(Object.keys(edits).length > 0 ? { edits } : {}), ...(cursor ? { cursor } : {}) }, controller.signal);
          results.push(...answer.results);
          cursor = answer.next ?? null;
        } while (cursor !== null && !(dry && results.length >= MAX_RESULTS));
      }
      if (dry && shown.current !== key) {
        // Other bytes or dead letters were chosen while it ran.
        return;
      }
      setState({ results, dry, problem: null, busy: false });
      announce(`${dry ? "Dry run" : "Redrive"}: ${summary(results)}.`);
      if (!dry) {
        report.current?.focus();
        const entered = results.some((result) => result.outcome === "ENTERED");
        if (entered) {
          setReason("");
        }
        onDone(entered);
      }
    } catch (problem) {
      setState({ results: null, dry, problem, busy: false, lost: !dry && (results.length > 0 || !(problem instanceof api.ApiProblem && problem.status > 0)) });
    }
  };
  const checked = state.results && state.dry;
  const enter = checked ? state.results.filter((/** @type {any} */ r) => r.outcome === "WOULD_ENTER").length : 0;
  const failing = checked ? state.results.filter(wouldFail).length : 0;
  return html`<section class="redrive" aria-label="Redrive">
    <h3><${Icon} name="redrive" /> Redrive ${what}</h3>
    <p class="faint">A redrive sends the bytes to their input topic again. They are judged by the current state, and the audit trail records who did it and why. A dead letter enters at most once.</p>
    <label class="field"><span>Reason (recorded in the audit trail)</span>
      <input name="reason" value=${reason} maxlength="1000" onInput=${(/** @type {any} */ e) => setReason(e.currentTarget.value)} autocomplete="off" /></label>
    <div class="button-row">
      <button type="button" class=${checked ? "" : "primary"} disabled=${state.busy || blocked} onClick=${() => run(true)}>Dry run</button>
      <button type="button" class=${checked ? "primary" : ""} disabled=${state.busy || !checked || enter === 0 || !reason.trim() || (failing > 0 && !insist)} onClick=${() => run(false)}>
        ${checked && enter > 0 ? `Redrive ${count(enter)}` : "Redrive"}
      </button>
      <span class="faint">${!checked ? (state.results ? "" : state.lost ? "It may have been sent. Run it dry: the result tells whether it has entered." : "Run it dry first: nothing is sent.") : enter > 0 && !reason.trim() ? "Enter a reason." : ""}</span>
    </div>
    ${failing > 0 &&
    html`<label class="field inline"><input type="checkbox" name="insist" checked=${insist} onChange=${() => setInsist(!insist)} />
      <span>${failing === 1 ? "Send it although it would fail again" : `Send ${count(failing)} although they would fail again`}; a dead letter enters only once</span></label>`}
    ${state.busy && html`<p role="status" class="note">Working …</p>`}
    ${state.problem && html`<${Problem} problem=${state.problem} />`}
    <div ref=${report} tabindex="-1">${state.results &&
    html`<p role="status" class="note"><b>${state.dry ? "Dry run" : "Done"}:</b> ${summary(state.results)}</p>
      <ol class="outcomes">${state.results.slice(0, 100).map((/** @type {any} */ result) => html`<${Outcome} key=${result.id} result=${result} followed=${state.results.length <= MAX_FOLLOWED} />`)}</ol>`}</div>
  </section>`;
}

const NOTHING_RUN = { results: null, dry: true, problem: null, busy: false, lost: false };

function summary(/** @type {any[]} */ results) {
  const counts = /** @type {Record<string, number>} */ ({});
  results.forEach((result) => (counts[result.outcome] = (counts[result.outcome] ?? 0) + 1));
  return Object.entries(counts).map(([name, n]) => `${count(n)} ${words(name)}`).join(", ") || "nothing to do";
}

const NO_BYTES = new Uint8Array();

/** An editor before its use; text and mode are null until they are chosen. */
const UNEDITED = { open: false, mode: /** @type {string | null} */ (null), text: /** @type {string | null} */ (null) };

/** Bytes as the editor shows them. */
function write(/** @type {Uint8Array} */ bytes, /** @type {string} */ mode) {
  return mode === "text" ? textOf(bytes) : Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}

/** The bytes of an edit; null if they are not valid. */
function editedBytes(/** @type {typeof UNEDITED} */ edit, /** @type {Uint8Array} */ original) {
  if (edit.text === null) {
    return original;
  }
  if (edit.mode === "text") {
    return new TextEncoder().encode(edit.text);
  }
  const digits = edit.text.replace(/\s+/g, "");
  return /^([0-9a-fA-F]{2})*$/.test(digits) ? Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16)) : null;
}

/** An editor for the bytes of a dead letter, as text or in hexadecimal. */
function Editor({ edit, bytes, onChange }) {
  const text = useMemo(() => (bytes ? textOf(bytes) : null), [bytes]);
  const mode = edit.mode ?? (text === null ? "hex" : "text");
  const value = useMemo(() => edit.text ?? write(bytes, mode), [edit.text, mode, bytes]);
  const show = (/** @type {string} */ other) => onChange({ ...edit, mode: other, text: edit.text === null ? null : write(bytes, other) });
  return html`<div class="editor">
    <div class="button-group" role="group" aria-label="Edit as">
      <button type="button" aria-pressed=${mode === "text" ? "true" : "false"} disabled=${text === null} onClick=${() => show("text")}>Text</button>
      <button type="button" aria-pressed=${mode === "hex" ? "true" : "false"} disabled=${bytes === null} onClick=${() => show("hex")}>Hex</button>
    </div>
    <textarea aria-label="Bytes to send" aria-invalid=${bytes ? "false" : "true"} spellcheck=${false} rows="8" value=${value} onInput=${(/** @type {any} */ e) => onChange({ ...edit, mode, text: e.currentTarget.value })}></textarea>
    ${!bytes && html`<p class="field-error" role="alert">Two hexadecimal digits for each byte.</p>`}
  </div>`;
}

/** The form that sends a dead letter again, as it is or with other bytes. */
function Repair({ id, letter, original, draft, onDone }) {
  const [edit, setEdit] = useDraft(`edit ${draft}`, UNEDITED);
  // The server refuses to send a redacted value, or one that was too large, unchanged.
  const replaced = original === null && (letter.redacted || letter.valueSize !== null);
  const open = edit.open || replaced;
  const bytes = useMemo(() => editedBytes(edit, original ?? NO_BYTES), [edit, original]);
  const edited = open && edit.text !== null && bytes !== null;
  const done = (/** @type {boolean} */ entered) => {
    if (entered) {
      setEdit(UNEDITED);
    }
    onDone();
  };
  return html`<section class="repair" aria-label="Repair">
    ${replaced
      ? html`<p class="note">The original bytes ${letter.redacted ? "were redacted" : "are not in the dead letter"}: enter the bytes to send instead.</p>`
      : html`<div class="button-row"><button type="button" aria-expanded=${open ? "true" : "false"} onClick=${() => setEdit({ ...edit, open: !open })}><${Icon} name="edit" /> ${open ? "Send the original bytes" : "Edit the bytes"}</button></div>`}
    ${open && html`<${Editor} edit=${edit} bytes=${bytes} onChange=${setEdit} />`}
    <${Redrive} target=${{ ids: [id] }} what=${edited || replaced ? "with edited bytes" : "unchanged"} edits=${edited ? { [id]: { value: toBase64(bytes) } } : {}} draft=${draft}
      blocked=${open && (bytes === null || (replaced && bytes.length === 0))} onDone=${done} />
  </section>`;
}

/** Conversation and sequence of the message of a dead letter. */
function usePlace(/** @type {any} */ source) {
  return useLoad(
    async (signal) => {
      if (!source?.topic) {
        return null;
      }
      const found = await api.get(api.path("positions", source.topic, source.partition, source.offset), {}, signal);
      return { sequence: found.sequence, ref: ofPath(found.links.conversation) };
    },
    [position(source)],
  );
}

/** The audit record of a dead letter: its times, and whether it was redacted. */
function useRecord(/** @type {any} */ place) {
  return useLoad(
    async (signal) => (place ? api.get(`${pathOf(place.ref)}/messages/${place.sequence}`, {}, signal) : null),
    [place],
  ).data;
}

function pathOf(/** @type {any} */ ref) {
  return api.path("conversations", ref.namespace, ref.protocol.toLowerCase(), ref.conversation);
}

/** The messages around a dead letter in its conversation. */
function Surroundings({ place: { ref, sequence } }) {
  const state = useLoad(
    async (signal) => {
      const page = await api.get(`${pathOf(ref)}/messages`, { from: Math.max(0, sequence - 3), limit: 7, view: "summary" }, signal);
      return page.items.map(summaryRow);
    },
    [ref, sequence],
  );
  return html`<section aria-label="Surrounding conversation">
    <h3><${Icon} name="conversations" /> Around it in its chain</h3>
    <${Loaded} state=${state}>
      ${(/** @type {any[]} */ rows) =>
        rows.length > 0
          ? html`<ol class="around">
              ${rows.map(
                (/** @type {any} */ row) => html`<li key=${row.sequence} class=${row.sequence === sequence ? "current" : ""}>
                  <a href=${conversationLink(ref, { m: row.sequence })}><span class="number faint">#${count(row.sequence)}</span> <${Verdict} name=${row.verdict} compact=${true} />
                    <span class="row-gloss"><${Label} value=${row.gloss ?? words(row.performative)} max=${160} /></span></a>
                </li>`,
              )}
            </ol>`
          : html`<p class="note">The views have no message around it.</p>`}
    <//>
  </section>`;
}

/** The redrive of a dead letter, in the place of the form; it has the focus after the form was used. */
function Repaired({ redrive, focused }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (focused) {
      box.current?.focus();
      box.current?.scrollIntoView({ block: "nearest" });
    }
  }, [focused]);
  return html`<section class="repair" aria-label="Repair" tabindex="-1" ref=${box}><${Redriven} redrive=${redrive} /></section>`;
}

function Letter({ id, me, listed, onDone }) {
  const parts = id.split("/");
  const state = useLoad((signal) => api.get(api.path("dead-letters", ...parts), {}, signal), [id]);
  const [sent, setSent] = useState(false);
  const guide = useLoad(() => (state.data?.code ? api.explain(state.data.code) : Promise.resolve(null)), [state.data?.code]).data;
  useEffect(() => setSent(false), [id]);
  const operator = canRedrive(me);
  const place = usePlace(state.data?.source ?? listed.source);
  const record = useRecord(place.data);
  return html`<${Loaded} state=${state} lines=${10}>
    ${(/** @type {any} */ read) => {
      const letter = { ...listed, ...read };
      const original = letter.value !== undefined && letter.value !== null ? decodeBytes(letter.value, "base64") : null;
      const bytes = original ?? (letter.preview !== null && letter.preview !== undefined ? decodeBytes(letter.preview, letter.previewEncoding) : null);
      const done = (letter.redrives ?? []).find((/** @type {any} */ redrive) => redrive.source === position(letter.source));
      return html`<article class="message" aria-label="Dead letter">
        <header class="message-head">
          <p class="gloss">${glossOf(letter) ? html`<${Text} value=${glossOf(letter)} max=${320} />` : html`<span class="faint">${letter.stage === "DECODE" ? "Bytes that are not a message" : "No summary: the content is not visible"}</span>`}</p>
          <p class="meta"><${Protocol} name=${letter.protocol} /> <span><${Icon} name="clock" size=${13} /> received <${Time} value=${letter.timestamp} /></span>${record?.source?.producerTime && html` <span class="faint">sent <${Time} value=${record.source.producerTime} />, as the sender claims</span>`} <${Position} source=${letter.source} />
            ${place.data && html`<a class="with-icon" href=${conversationLink(place.data.ref, { m: place.data.sequence })}><${Icon} name="chain" size=${13} /> In its conversation: state before it, and proof</a>`}</p>
        </header>
        <section class="why rejected" aria-label="Reason">
          <div class="why-head"><b>${stageName(letter.stage)}</b> <${Code} name=${letter.code ?? letter.exception} /></div>
          ${guide && html`<p class="meaning">${guide.meaning}</p>`}
          ${letter.detail && letter.detail !== guide?.meaning && html`<p class="detail"><${Text} value=${letter.detail} max=${600} /></p>`}
          ${guide && html`<div class="remedy"><h3><${Icon} name="edit" /> How to repair it</h3><p>${guide.remedy}</p><p class="faint"><a href=${ruleLink(guide.section)}>Section ${guide.section}</a> of the protocol rules</p></div>`}
        </section>
        <section aria-label="Bytes">
          <h3>Exact bytes ${letter.valueSize !== null && html`<span class="faint">${bytesOf(letter.valueSize)}</span>`}</h3>
          ${bytes ? html`<${Bytes} bytes=${bytes} mark=${letter.position} label="Bytes" total=${original ? null : letter.valueSize} />` : letter.redacted && record?.redacted
            ? html`<${Missing} message=${record} />`
            : html`<p class="note">${letter.redacted ? html`<${Icon} name="lock" /> ${(me.roles ?? []).includes("auditor") ? "The content was redacted." : "The content is redacted, or masked for your role."}` : "The record has no bytes here."}</p>`}
          <${Inner} messages=${letter.inner ?? []} />
        </section>
        ${done && html`<${Repaired} redrive=${done} focused=${sent} />`}
        ${operator && !done && html`<${Repair} key=${id} id=${id} letter=${letter} original=${original} draft=${`${me.principal} ${id}`} onDone=${() => { setSent(true); state.reload(); onDone(); }} />`}
        ${!operator && html`<p class="note"><${Icon} name="lock" /> ${me.tokens ? "Your role cannot redrive; an operator can." : "Redrive needs a token with the role operator. parley demo --token prints one."}</p>`}
        ${place.problem && html`<${Problem} problem=${place.problem} retry=${place.reload} />`}
        ${place.data && html`<${Surroundings} place=${place.data} />`}
        <section aria-label="Record">
          <h3>Record</h3>
          <${Fields}
            rows=${[
              ["Dead letter", html`<code><${Text} value=${id} max=${200} /></code><${Copy} text=${id} label="position of the dead letter" />`],
              [letter.claimed ? "Claims namespace" : "Namespace", html`<${Text} value=${letter.namespace ?? "none"} max=${120} />`],
              [letter.claimed ? "Claims conversation" : "Conversation", html`<${Text} value=${letter.conversation ?? "none"} max=${120} />`],
              [letter.claimed ? "Claims sender" : "Sender", html`<${Text} value=${letter.sender ?? "none"} max=${120} />`],
              ...keyAndHeaders(letter),
              letter.sha256 && ["SHA-256", html`<${Hash} value=${letter.sha256} label="SHA-256 of the value" />`],
              ["Attempts", count(letter.attempts ?? letter.attempt ?? 1)],
              letter.redrives?.length > 0 && ["Redrives", html`<ul class="plain">${letter.redrives.slice(0, 20).map((/** @type {any} */ redrive, /** @type {number} */ i) => html`<li key=${i}><${Time} value=${redrive.time} /> by <${Text} value=${redrive.by} max=${60} />: <${Text} value=${redrive.reason ?? ""} max=${200} />${redrive.edited && " (edited)"}</li>`)}</ul>`],
            ]}
          />
        </section>
      </article>`;
    }}
  <//>`;
}

function canRedrive(/** @type {any} */ me) {
  return Boolean(me.features?.redrive) && (me.roles ?? []).includes("operator");
}

/** Filters that a link has set, and that no control of the page shows. */
function Scope({ query }) {
  const names = Object.entries(filtersOf(query, [...SCOPE, "source"]));
  return (
    names.length > 0 &&
    html`<p class="note">Only ${names.map(([name, value], i) => html`${i > 0 && ", "}${name === "source" ? "the dead letter of the message at" : name} <b><${Label} value=${name === "protocol" ? protocolName(value) : value} max=${60} /></b>`)}. <a href=${href(["dead-letters"], { stage: query.stage, code: query.code, state: query.state })}>Show all</a></p>`
  );
}

const STATES = [["", "All"], ["open", "Open"], ["returned", "Redriven"]];

/** Time until the views have learned of a redrive. */
const RETURNED_MS = 1000;

export function DeadLetters({ place, me }) {
  const { query } = place;
  const wide = useWide();
  const listed = useMedia("(min-width: 1101px)");
  const [selection, setSelection] = useState(/** @type {Set<string>} */ (new Set()));
  const key = JSON.stringify([filtersOf(query), query.cursor, query.source]);
  const state = useLoad((signal) => readLetters(query, signal), [key]);
  useEffect(() => setSelection(new Set()), [key]);
  const operator = canRedrive(me);
  const redrives = useRedrives((state.data?.items ?? []).map((/** @type {any} */ item) => position(item.source)), me);
  const redriven = useMemo(() => new Set((redrives.data ?? []).map((/** @type {any} */ redrive) => redrive.source)), [redrives.data]);
  const [version, setVersion] = useState(0);
  const recount = () => setTimeout(() => setVersion((old) => old + 1), RETURNED_MS);
  const reload = () => {
    setTimeout(state.reload, RETURNED_MS);
    redrives.reload();
    recount();
  };
  const chosen = query.id ?? (wide && state.data?.items.length > 0 ? idOf(state.data.items[0]) : null);
  const [bulk, setBulk] = useState(false);
  // A redrive of all needs a filter, and lists more than the dead letter of one message.
  const filtered = !query.source && query.state !== "returned" && FILTERS.some((name) => name !== "state" && query[name]);
  return html`<div class=${"letters-page" + (query.id && !wide ? " shows-message" : "")}>
    <${PageHeader} title="Dead letters" lead="Records that were rejected or could not be decoded, with their original bytes. Find the cause, repair it, and send it again (redrive)."
      actions=${html`<${Choice} label="State" name="state" value=${query.state} options=${STATES} onChange=${(/** @type {string} */ value) => go(href(["dead-letters"], { ...filtersOf(query), state: value }))} />
        ${!listed && html`<${GroupChoice} query=${query} version=${version} />`}`} />
    <${Scope} query=${query} />
    <div class="panes letter-panes">
      ${listed && html`<${Groups} query=${query} version=${version} />`}
      <section class="pane list" aria-label="Dead letters" aria-busy=${state.loading}>
        <${Loaded} state=${state} lines=${8}>
          ${(/** @type {any} */ data) =>
            html`${data.items.length === 0
                ? html`<${Empty} title=${query.source ? "No dead letter of this message" : "No dead letters here"}>${query.source && "It has expired, or is not among the latest."}<//>`
                : html`<${Letters} data=${data} query=${query} chosen=${chosen} selection=${selection} setSelection=${setSelection} operator=${operator} redriven=${redriven} />
                    <nav class="pager" aria-label="Pages">
                      ${query.cursor && html`<a class="button small" href=${href(["dead-letters"], filtersOf(query))}>First page</a>`}
                      ${data.next && html`<a class="button small primary-quiet" href=${href(["dead-letters"], { ...query, cursor: data.next, id: "" })}>Next page <${Icon} name="right" size=${13} /></a>`}
                    </nav>`}
              ${operator &&
              html`<div class="bulk">
                ${selection.size > 0 && html`<${Redrive} target=${{ ids: [...selection] }} what=${counted(selection.size, "dead letter")} draft=${`${me.principal} ${key}`} onDone=${reload} />`}
                ${selection.size === 0 && filtered && (bulk || data.items.length > 0) && html`<button type="button" aria-expanded=${bulk ? "true" : "false"} onClick=${() => setBulk(!bulk)}><${Icon} name="redrive" /> Redrive all of this filter</button>
                  ${bulk && html`<${Redrive} target=${{ query: filtersOf(query) }} what="all of this filter" draft=${`${me.principal} ${key}`} onDone=${reload} />`}`}
              </div>`}`}
        <//>
      </section>
      ${chosen &&
      html`<section class="pane detail" aria-label="Selected dead letter">
        ${!wide && html`<div class="pane-head"><a class="button quiet" href=${href(["dead-letters"], { ...query, id: "" })}><${Icon} name="left" /> List</a></div>`}
        <${Letter} id=${chosen} me=${me} onDone=${() => { redrives.reload(); recount(); }} listed=${state.data?.items.find((/** @type {any} */ item) => idOf(item) === chosen) ?? {}} />
      </section>`}
    </div>
  </div>`;
}
