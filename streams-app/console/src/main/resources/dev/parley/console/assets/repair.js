// What an operator does with dead letters: a redrive, with a dry run and its outcome, and closing them.
import * as api from "./api.js";
import { decodeBytes, textOf, toBase64 } from "./bytes.js";
import { useCode } from "./message.js";
import { Code, Icon, Label, Problem, Text, Verdict } from "./parts.js";
import { protocolName } from "./protocols.js";
import { judged } from "./redrives.js";
import { conversationLink, href, ofPath } from "./router.js";
import { capital, count, counted, words } from "./text.js";
import { announce, html, useDraft, useEffect, useMemo, useRef, useState } from "./ui.js";

/** The ID of a dead letter of a list. */
export function idOf(/** @type {any} */ letter) {
  return letter.id ?? `${letter.deadLetter.topic}/${letter.deadLetter.partition}/${letter.deadLetter.offset}`;
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

/** Results in groups of the same values, the largest first. */
function alike(/** @type {any[]} */ results, /** @type {(result: any) => unknown[]} */ values) {
  const groups = /** @type {Map<string, any[]>} */ (new Map());
  for (const result of results) {
    const key = JSON.stringify(values(result));
    const group = groups.get(key) ?? [];
    group.push(result);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

/** Most items that a group lists. */
const MAX_LISTED = 100;

/** What an unwrapped message leaves out of the value, and what it sends. */
function Unwrapped({ of, original }) {
  const outside = (/** @type {number} */ from, /** @type {number} */ to) => {
    const text = original && textOf(original.subarray(from, to));
    return to > from && html`<del>${text ? html`<${Text} value=${text} max=${300} lines=${true} />` : counted(to - from, "byte")}</del>`;
  };
  const size = original?.length ?? of.end;
  return html`<div class="unwrapped">
    <p class="faint">${protocolName(of.protocol)}, ${counted(of.size, "byte")} of bytes ${count(of.start)} to ${count(of.end - 1)}${original ? `; left out: ${counted(of.start, "byte")} before, ${counted(size - of.end, "byte")} after` : ""}</p>
    <pre class="dump plain-text" tabindex="0" role="group" aria-label="Bytes to send, and what is left out">${outside(0, of.start)}<ins><${Text} value=${of.encoding === "base64" ? textOf(decodeBytes(of.text, of.encoding)) ?? of.text : of.text} max=${1000} lines=${true} /></ins>${of.text.length < of.size && of.encoding !== "base64" && "…"}${outside(of.end, size)}</pre>
  </div>`;
}

/** Dead letters with the same outcome. */
function Outcome({ results, original }) {
  const [result] = results;
  const [style, icon, label] = wouldFail(result)
    ? ["flagged", "flag", "Would enter, and fail again"]
    : (OUTCOMES[result.outcome] ?? ["parked", "broken", capital(words(result.outcome))]);
  const guide = useCode(result.code);
  const several = results.length > 1;
  return html`<li class=${"outcome " + style}>
    <span class=${"verdict " + style}><${Icon} name=${icon} size=${12} />${several && `${count(results.length)} `}${label}</span>
    ${!several && html`<code class="faint"><${Label} value=${result.id} max=${120} /></code>`}
    ${result.verdict && html`<span>and would be <${Verdict} name=${result.verdict} /></span>`}
    ${result.code && html`<${Code} name=${result.code} />`}
    ${guide && html`<p>${guide.meaning} ${guide.remedy}</p>`}
    ${result.detail && html`<p><${Text} value=${result.detail} max=${400} /></p>`}
    ${!several && result.unwrapped && html`<${Unwrapped} of=${result.unwrapped} original=${original} />`}
    ${several &&
    html`<details open=${Boolean(result.unwrapped)}><summary>Which${results.length > MAX_LISTED ? `: the first ${count(MAX_LISTED)}` : ""}</summary>
      <ul class="plain">${results.slice(0, MAX_LISTED).map((/** @type {any} */ one) => html`<li key=${one.id}><a href=${href(["dead-letters"], { id: one.id, state: "all" })}><${Label} value=${one.id} max=${120} /></a>${one.unwrapped && html`<${Unwrapped} of=${one.unwrapped} original=${null} />`}</li>`)}</ul></details>`}
  </li>`;
}

/** Most messages of one redrive whose new verdicts are read, and how many of them at once. */
const MAX_FOLLOWED = 500;
const FOLLOWERS = 4;

/** What became of the messages that a redrive sent, as they are judged. */
function Followed({ results }) {
  const sent = useMemo(() => results.filter((/** @type {any} */ result) => result.outcome === "ENTERED"), [results]);
  const [found, setFound] = useState(/** @type {any[]} */ ([]));
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const followed = Math.min(sent.length, MAX_FOLLOWED);
  useEffect(() => {
    const controller = new AbortController();
    const all = /** @type {any[]} */ ([]);
    let next = 0;
    const follow = async () => {
      while (next < followed) {
        all.push(await judged(sent[next++].sent, controller.signal));
        setFound(all.slice());
      }
    };
    Promise.all(Array.from({ length: FOLLOWERS }, follow)).then(
      () => announce(`Judged: ${outcome(all, sent.length)}.`),
      (failure) => controller.signal.aborted || setProblem(failure),
    );
    return () => controller.abort();
  }, [sent]);
  const groups = alike(found, (one) => [one.verdict, one.code]);
  return (
    sent.length > 0 &&
    html`<section class="followed" aria-label="New verdicts" aria-busy=${found.length < followed}>
      <p><b>${outcome(found, sent.length)}</b>${sent.length > followed && ` The first ${count(followed)} are followed.`}</p>
      ${problem && html`<${Problem} problem=${problem} />`}
      <ul class="plain">${groups.map(
        ([first, ...others]) => html`<li key=${first.verdict + first.code}>
          <span class="sent">${count(others.length + 1)} <${Verdict} name=${first.verdict} /> ${first.code && html`<${Code} name=${first.code} /> `}${FAILING.includes(first.verdict) && html`<a href=${href(["dead-letters"], { code: first.code })}>dead letters of this code</a>`}</span>
          <ul class="plain">${[first, ...others].slice(0, MAX_LISTED).filter((one) => one.links).map((one) => html`<li key=${one.sent}><a href=${conversationLink(ofPath(one.links.conversation), { m: one.sequence })}>message #${count(one.sequence)}</a></li>`)}</ul>
        </li>`,
      )}</ul>
    </section>`
  );
}

/** How many of the messages that entered were accepted, and how many failed again. */
function outcome(/** @type {any[]} */ found, /** @type {number} */ entered) {
  const failed = found.filter((one) => FAILING.includes(one.verdict)).length;
  const parked = found.filter((one) => one.verdict === "PARKED").length;
  const waiting = entered - found.length;
  return `${count(entered)} entered: ${count(found.length - failed - parked)} accepted, ${count(failed)} failed again${parked > 0 ? `, ${count(parked)} parked` : ""}${waiting > 0 ? `, ${count(waiting)} not judged yet` : ""}`;
}

/** Most dead letters of a dry run, and of a request that names them. */
const MAX_RESULTS = 10000;
const MAX_IDS = 500;

/** The dead letters that a dry run predicted to enter, by request: a query may select others by now. */
function entering(/** @type {any[]} */ results) {
  const all = results.filter((result) => result.outcome === "WOULD_ENTER");
  return Array.from({ length: Math.ceil(all.length / MAX_IDS) }, (_, i) => {
    const part = all.slice(i * MAX_IDS, (i + 1) * MAX_IDS);
    const confirmed = part.flatMap((result) => (result.unwrapped ? [result.unwrapped.sha256] : []));
    return { ids: part.map((result) => result.id), ...(confirmed.length > 0 ? { unwrap: true, confirmed } : {}) };
  });
}

/**
 * Sends dead letters in again: a dry run first, then what it listed.
 *
 * @param {{target: any, what: string, draft: string, edits?: Record<string, any>, unwrap?: boolean,
 *     blocked?: boolean, original?: Uint8Array | null,
 *     onDone: (entered: boolean) => void}} props target is ids or query; draft is the key of the reason; original is
 *     the value of a single dead letter; entered is whether any was sent
 */
export function Redrive({ target, what, draft, edits = {}, unwrap = false, blocked = false, original = null, onDone }) {
  const [reason, setReason] = useDraft(`reason ${draft}`, "");
  const [state, setState] = useState(/** @type {any} */ (NOTHING_RUN));
  const key = JSON.stringify([target, edits, unwrap]);
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
      for (const part of dry ? [{ ...target, ...(unwrap ? { unwrap } : {}) }] : entering(state.results)) {
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
    <p class="faint">Sends the bytes to their input topic again, at most once. The current state judges them.</p>
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
      ${!state.dry && html`<${Followed} results=${state.results} />`}
      <ol class="outcomes">${alike(state.results, (one) => [one.outcome, one.verdict, one.code, one.detail]).slice(0, MAX_LISTED).map((group, i) => html`<${Outcome} key=${i} results=${group} original=${original} />`)}</ol>`}</div>
  </section>`;
}

const NOTHING_RUN = { results: null, dry: true, problem: null, busy: false, lost: false };

function summary(/** @type {any[]} */ results) {
  const counts = /** @type {Record<string, number>} */ ({});
  results.forEach((result) => (counts[result.outcome] = (counts[result.outcome] ?? 0) + 1));
  return totals(counts);
}

function totals(/** @type {Record<string, number>} */ counts) {
  return Object.entries(counts).map(([name, n]) => `${count(n)} ${words(name)}`).join(", ") || "nothing to do";
}

const NO_BYTES = new Uint8Array();

/** An editor before its use; its parts are null until they are chosen or changed. */
const UNEDITED = {
  open: false,
  mode: /** @type {string | null} */ (null),
  text: /** @type {string | null} */ (null),
  key: /** @type {any} */ (null),
  headers: /** @type {any[] | null} */ (null),
};

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

/** Headers that Parley sets itself, and removes from what an operator sends. */
const RESERVED = /^(parley-attempt$|parley-expect$|parley\.error\.|__streams\.errors\.)/i;

/** Most headers that the editor shows. */
const MAX_HEADERS = 50;

/** A field for a key or the value of a header; none if it is empty. */
function PartInput({ value, label, onChange }) {
  const base64 = value.encoding === "base64";
  return html`<input aria-label=${base64 ? `${label} in Base64` : label} value=${value.text ?? ""} placeholder="none" autocomplete="off" spellcheck=${false}
    onInput=${(/** @type {any} */ e) => onChange({ ...value, text: e.currentTarget.value || null, encoding: base64 ? "base64" : "utf-8" })} />`;
}

/** An editor for the key and the headers of a dead letter. */
function PartsEditor({ edit, letter, onChange }) {
  const headers = edit.headers ?? letter.headers;
  const change = (/** @type {number} */ at, /** @type {any} */ header) => onChange({ ...edit, headers: headers.flatMap((/** @type {any} */ old, /** @type {number} */ i) => (i === at ? (header ? [header] : []) : [old])) });
  return html`<fieldset class="record-parts">
    <legend>Key and headers</legend>
    <div class="header-row"><span>Key</span><${PartInput} value=${edit.key ?? letter.key ?? { text: null }} label="Key" onChange=${(/** @type {any} */ key) => onChange({ ...edit, key })} /></div>
    ${headers.map(
      (/** @type {any} */ header, /** @type {number} */ i) => html`<div class="header-row" key=${i}>
        <input aria-label=${`Name of header ${i + 1}`} aria-invalid=${isReserved(header) ? "true" : "false"} value=${header.name} autocomplete="off" spellcheck=${false} onInput=${(/** @type {any} */ e) => change(i, { ...header, name: e.currentTarget.value })} />
        <${PartInput} value=${header} label=${`Value of header ${i + 1}`} onChange=${(/** @type {any} */ value) => change(i, value)} />
        <button type="button" class="quiet small" aria-label=${`Remove header ${i + 1}`} onClick=${() => change(i, null)}>Remove</button>
      </div>`,
    )}
    ${headers.some(isReserved) && html`<p class="field-error" role="alert">Parley sets headers of this name itself.</p>`}
    ${headers.length < MAX_HEADERS && html`<button type="button" class="small" onClick=${() => onChange({ ...edit, headers: [...headers, { name: "", text: null, encoding: "utf-8" }] })}>Add a header</button>`}
  </fieldset>`;
}

function isReserved(/** @type {any} */ header) {
  return RESERVED.test(header.name);
}

/** The form that sends a dead letter again: as it is, with other parts, or only its inner message; or closes it. */
export function Repair({ id, letter, original, draft, onDone }) {
  const [edit, setEdit] = useDraft(`edit ${draft}`, UNEDITED);
  const [action, setAction] = useState("redrive");
  // The server refuses to send a redacted value, or one that was too large, unchanged.
  const replaced = original === null && (letter.redacted || letter.valueSize !== null);
  const open = action === "redrive" && (edit.open || replaced);
  const bytes = useMemo(() => editedBytes(edit, original ?? NO_BYTES), [edit, original]);
  const parts = open && letter.headers && letter.headers.length <= MAX_HEADERS;
  const changes = {
    ...(open && edit.text !== null && bytes !== null ? { value: toBase64(bytes) } : {}),
    ...(parts && edit.key ? { key: edit.key } : {}),
    ...(parts && edit.headers ? { headers: edit.headers } : {}),
  };
  const edited = Object.keys(changes).length > 0;
  const unwrap = action === "unwrap";
  const blocked = open && (bytes === null || (replaced && bytes.length === 0) || Boolean(edit.headers?.some(isReserved)));
  const done = (/** @type {boolean} */ entered) => {
    if (entered) {
      setEdit(UNEDITED);
    }
    onDone();
  };
  const toggle = (/** @type {string} */ name, /** @type {string} */ label) =>
    html`<button type="button" aria-pressed=${action === name ? "true" : "false"} onClick=${() => setAction(action === name ? "redrive" : name)}>${label}</button>`;
  return html`<section class="repair" aria-label="Repair">
    ${replaced && action === "redrive" && html`<p class="note">The original bytes ${letter.redacted ? "were redacted" : "are not in the dead letter"}: enter the bytes to send instead.</p>`}
    <div class="button-row">
      ${!replaced && action === "redrive" && html`<button type="button" aria-expanded=${open ? "true" : "false"} onClick=${() => setEdit({ ...edit, open: !open })}><${Icon} name="edit" /> ${open ? "Send the original bytes" : "Edit the bytes"}</button>`}
      ${letter.inner?.length === 1 && toggle("unwrap", "Send only the inner message")}
      ${toggle("close", "Close it")}
    </div>
    ${open && html`<${Editor} edit=${edit} bytes=${bytes} onChange=${setEdit} />`}
    ${parts && html`<${PartsEditor} edit=${edit} letter=${letter} onChange=${setEdit} />`}
    ${action === "close"
      ? html`<${Closing} key="close" ids=${[id]} what="this dead letter" draft=${draft} onDone=${onDone} />`
      : html`<${Redrive} key=${action} target=${{ ids: [id] }} what=${unwrap ? "only the inner message" : edited || replaced ? "with edited bytes" : "unchanged"} edits=${edited ? { [id]: changes } : {}} draft=${draft}
          unwrap=${unwrap} original=${original} blocked=${blocked} onDone=${done} />`}
  </section>`;
}

/** Pages of IDs: those given, or those of a query. */
async function* pagesOf(/** @type {string[] | null} */ ids, /** @type {any} */ query, /** @type {AbortSignal} */ signal) {
  if (ids) {
    yield ids;
    return;
  }
  let cursor = null;
  do {
    const page = /** @type {any} */ (await api.get("/v1/dead-letters", { ...query, limit: MAX_IDS, cursor }, signal));
    if (page.items.length > 0) {
      yield page.items.map(idOf);
    }
    cursor = page.next;
  } while (cursor !== null);
}

/**
 * Closes dead letters, or reopens them, with a reason.
 *
 * @param {{ids?: string[] | null, query?: any, close?: boolean, what: string, draft: string, onDone: () => void}} props
 *     the dead letters have IDs, or match a query
 */
export function Closing({ ids = null, query = null, close = true, what, draft, onDone }) {
  const [reason, setReason] = useDraft(`reason ${draft}`, "");
  const [state, setState] = useState(/** @type {any} */ ({ busy: null, counts: {}, refused: [], problem: null }));
  useEffect(() => () => state.busy?.abort(), [state.busy]);
  const verb = close ? "Close" : "Reopen";
  const run = async () => {
    const controller = new AbortController();
    const counts = /** @type {Record<string, number>} */ ({});
    const refused = /** @type {any[]} */ ([]);
    const show = (/** @type {any} */ more) => setState({ busy: null, counts: { ...counts }, refused: refused.slice(0, MAX_LISTED), problem: null, ...more });
    show({ busy: controller });
    try {
      for await (const part of pagesOf(ids, query, controller.signal)) {
        const answer = await api.post(`/v1/dead-letters:${close ? "close" : "reopen"}`, { ids: part, reason: reason.trim() }, controller.signal);
        for (const result of answer.results) {
          counts[result.outcome] = (counts[result.outcome] ?? 0) + 1;
          if (!["CLOSED", "REOPENED"].includes(result.outcome)) {
            refused.push(result);
          }
        }
        show({ busy: controller });
      }
      show({});
      announce(`${verb}: ${totals(counts)}.`);
      setReason("");
      onDone();
    } catch (problem) {
      if (controller.signal.aborted) {
        onDone();
      }
      show({ problem: controller.signal.aborted ? null : problem });
    }
  };
  return html`<section class="redrive closing" aria-label=${verb}>
    <h3>${verb} ${what}</h3>
    <p class="faint">${close ? "A closed dead letter keeps its bytes and is not redriven until it is reopened." : "A reopened dead letter can be redriven."} The redrive topic records who did it, when and why.</p>
    <label class="field"><span>Reason (recorded in the audit trail)</span>
      <input name="reason" value=${reason} maxlength="1000" onInput=${(/** @type {any} */ e) => setReason(e.currentTarget.value)} autocomplete="off" /></label>
    <div class="button-row">
      ${state.busy
        ? html`<button type="button" onClick=${() => state.busy.abort()}>Stop</button>`
        : html`<button type="button" class="primary" disabled=${!reason.trim()} onClick=${run}>${verb} ${ids ? count(ids.length) : "all"}</button>`}
      <span role="status">${Object.keys(state.counts).length > 0 && totals(state.counts)}</span>
    </div>
    ${state.problem && html`<${Problem} problem=${state.problem} />`}
    ${state.refused.length > 0 && html`<ol class="outcomes">${alike(state.refused, (one) => [one.outcome, one.detail]).map((group, i) => html`<${Outcome} key=${i} results=${group} original=${null} />`)}</ol>`}
  </section>`;
}
