// Writes a message: from the templates of a remedy or of the conversation, with its verdict before it is sent.
import * as api from "../api.js";
import { Bytes } from "../bytes.js";
import { Code, Empty, Icon, Label, Loaded, PageHeader, Problem, Protocol, Text, Verdict } from "../parts.js";
import { conversationLink, href } from "../router.js";
import { Excerpt, summaryRow } from "../timeline.js";
import { count, counted, words } from "../text.js";
import { announce, html, useDraft, useLoad, useRef, useState } from "../ui.js";

/** A link to write a message in a conversation, or the repair of one of its messages, for those who may send. */
export function ComposeLink({ me, conversation, repair = null }) {
  return (
    me.features?.ingest &&
    conversation &&
    !["UNKNOWN", "MCP"].includes(String(conversation.protocol).toUpperCase()) &&
    html`<a class="button" href=${href(["compose", conversation.namespace, String(conversation.protocol).toLowerCase(), conversation.conversation], { repair })}><${Icon} name="edit" /> ${repair === null ? "Send a message" : "Send the repair"}</a>`
  );
}

const NAMES = /** @type {Record<string, string>} */ ({ AGAIN: "the message again", NEW_ID: "the message with a free ID" });

function nameOf(/** @type {string} */ act) {
  return NAMES[act] ?? act;
}

/** A key with which a message enters once, however often its request is repeated. */
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Asks what can be sent next, and for the verdict on a draft. */
function compose(/** @type {string} */ base, /** @type {Record<string, any>} */ query, /** @type {string} */ draft, /** @type {AbortSignal} */ signal) {
  return api.post(`${base}/compose?${new URLSearchParams(query)}`, draft, signal, "text/plain");
}

const MAX_BETWEEN = 20;

/** The messages that came in between. */
function Between({ base, conversation, from }) {
  const state = useLoad(async (signal) => (await api.get(`${base}/messages`, { from, limit: MAX_BETWEEN, view: "summary" }, signal)).items.map(summaryRow), [base, from]);
  return html`<section class="note" role="alert" aria-label="What came in between">
    <p><b>Not applied: the conversation has moved.</b> These records came after the preview, the message of this page among them.</p>
    <${Loaded} state=${state}>
      ${(/** @type {any[]} */ rows) => html`<${Excerpt} of=${conversation} rows=${rows} />`}
    <//>
  </section>`;
}

/** What the verdict on a draft would be. */
function Preview({ answer, text, use }) {
  const draft = answer.draft;
  return html`<section class=${"why " + (draft.verdict === "ACCEPTED" ? "accepted" : "rejected")} aria-label="Preview">
    <div class="why-head"><b>At #${count(answer.expect)} it would be</b> <${Verdict} name=${draft.verdict} /> ${draft.code && html`<${Code} name=${draft.code} />`}</div>
    ${draft.gloss && html`<p><${Text} value=${draft.gloss} max=${320} /></p>`}
    ${draft.detail && html`<p class="detail"><${Text} value=${draft.detail} max=${500} /></p>`}
    ${draft.remedy && html`<p class="meaning">${draft.remedy}</p>`}
    ${draft.position !== null && html`<${Bytes} bytes=${new TextEncoder().encode(text)} mark=${draft.position} label="Draft" />`}
    ${draft.warnings.length > 0 && html`<ul>${draft.warnings.map((/** @type {any} */ one) => html`<li key=${one.code}><${Code} name=${one.code} /> ${one.meaning}</li>`)}</ul>`}
    ${draft.freeTurn !== null && draft.freeTurn !== text && html`<p><button type="button" onClick=${() => use(draft.freeTurn)}>Use the next free turn</button></p>`}
    ${!answer.exact && html`<p class="note">Messages that you may not see, or that are gone, could change this.</p>`}
    ${answer.warning && html`<p class="note">${answer.warning}</p>`}
  </section>`;
}

/** The templates: the messages of a repair in their order, and one for each act. */
function Templates({ answer, sent, use }) {
  const list = (/** @type {any[]} */ templates, /** @type {boolean} */ numbered) => html`<ol class="outcomes templates">${templates.map(
    (one, i) => html`<li key=${i}><button type="button" class="small" onClick=${() => use(one.wire, one.sender)}>${numbered ? `${i + 1}. ` : ""}${nameOf(one.act)}</button>
      <code><${Label} value=${one.wire} max=${120} /></code> ${numbered && i < sent && html`<span class="faint">sent</span>`}${one.code && html`<span>would be <${Code} name=${one.code} /></span>`}</li>`,
  )}</ol>`;
  return html`${answer.repair.length > 0 && html`<section aria-label="Messages of the remedy"><h2>The remedy: ${counted(answer.repair.length, "message")}</h2>${list(answer.repair, true)}</section>`}
    ${answer.omitted && html`<p class="note"><${Text} value=${answer.omitted} max=${300} /></p>`}
    ${answer.templates.length > 0 && html`<details open=${answer.repair.length === 0}><summary>What is accepted now</summary>${list(answer.templates, false)}</details>`}`;
}

const IDLE = { busy: false, answer: /** @type {any} */ (null), text: "", sender: "", problem: /** @type {any} */ (null), moved: /** @type {number | null} */ (null), done: /** @type {any} */ (null) };

export function Compose({ place, me }) {
  const [, namespace, protocol, name] = place.path;
  const repair = /^\d{1,15}$/.test(place.query.repair ?? "") ? Number(place.query.repair) : null;
  const base = api.path("conversations", namespace, protocol, name);
  const conversation = { namespace, protocol, conversation: name };
  const draft = `compose ${me.principal} ${base} ${repair}`;
  const [text, setText] = useDraft(`${draft} text`, "");
  const [sender, setSender] = useDraft(`${draft} sender`, "");
  const [only, setOnly] = useState(true);
  const [state, setState] = useState(IDLE);
  const [sent, setSent] = useState(0);
  const key = useRef({ of: "", value: "" });
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  // The plan of a repair stays while its messages are sent.
  const plan = useLoad((signal) => compose(base, { repair: repair ?? "" }, "", signal), [base, repair]);
  const ask = async (/** @type {string} */ wire, /** @type {string} */ from, /** @type {any} */ more = {}) => {
    setState({ ...IDLE, busy: true, ...more });
    try {
      const answer = await compose(base, { sender: from }, wire, new AbortController().signal);
      setState({ ...IDLE, ...more, answer, text: wire, sender: from });
      announce(`Preview: ${words(answer.draft.verdict)}.`);
    } catch (problem) {
      setState({ ...IDLE, ...more, problem });
    }
  };
  const use = (/** @type {string} */ wire, from = sender, /** @type {any} */ more = {}) => {
    setText(wire);
    setSender(from ?? "");
    field.current?.focus();
    ask(wire, from ?? "", more);
  };
  const send = async () => {
    const expect = `${state.answer.expect}${only ? " accepted" : ""}`;
    const of = JSON.stringify([text, sender, expect]);
    if (key.current.of !== of) {
      key.current = { of, value: newKey() };
    }
    setState({ ...state, busy: true, problem: null, moved: null });
    const extension = protocol === "extension" ? name.indexOf("|") : -1;
    const headers = { parleynamespace: namespace, parleyprotocol: extension < 0 ? protocol : name.slice(0, extension), parleyconversation: name.slice(extension + 1), parleysender: sender || null, parleyexpect: expect };
    const event = { specversion: "1.0", id: key.current.value, source: "/console", type: "message", ...headers, data: text };
    try {
      const done = await api.post("/v1/wire?wait=verdict", event, new AbortController().signal, "application/cloudevents+json");
      setState({ ...IDLE, done });
      announce(done.verdict ? `Sent: ${words(done.verdict.verdict)}.` : "Sent; the verdict is not known yet.");
      if (done.verdict?.verdict === "ACCEPTED") {
        setText("");
        const next = plan.data?.repair[sent + 1];
        setSent(sent + 1);
        if (next) {
          use(next.wire, next.sender, { done });
        }
      }
    } catch (problem) {
      if (/** @type {any} */ (problem).code === "CONVERSATION_MOVED") {
        await ask(text, sender, { moved: state.answer.expect });
      } else {
        setState({ ...state, busy: false, problem });
      }
    }
  };
  const current = state.answer !== null && state.text === text && state.sender === sender && !state.busy;
  const accepted = state.answer?.draft.verdict === "ACCEPTED";
  return html`<${PageHeader} document=${`Message to ${name}`} title=${repair === null ? "Send a message" : `Send the repair of #${repair}`}
      crumbs=${html`<a href=${href(["conversations"])}>Conversations</a><span aria-hidden="true">/</span><a href=${conversationLink(conversation, { m: repair })}><${Protocol} name=${protocol.toUpperCase()} /> <${Label} value=${name} max=${60} /></a>`}
      lead="The message is judged at the position of the preview: if another message comes first, it is not applied." />
    ${!me.features?.ingest
      ? html`<${Empty} title="You may not send messages">It needs HTTP ingest, and a token with the role producer or operator.<//>`
      : html`<${Loaded} state=${plan}>${(/** @type {any} */ data) => html`<${Templates} answer=${data} sent=${sent} use=${use} />`}<//>
        <section class="repair" aria-label="Message">
          <label class="field"><span>Message</span>
            <textarea ref=${field} name="wire" rows="8" spellcheck=${false} value=${text} onInput=${(/** @type {any} */ e) => setText(e.currentTarget.value)}></textarea></label>
          <label class="field"><span>Sender, if the message names none</span>
            <input name="sender" autocomplete="off" spellcheck=${false} value=${sender} onInput=${(/** @type {any} */ e) => setSender(e.currentTarget.value)} /></label>
          <label class="field inline"><input type="checkbox" name="only" checked=${only} onChange=${() => setOnly(!only)} /> <span>Apply it only if it is accepted</span></label>
          <div class="button-row">
            <button type="button" class=${current ? "" : "primary"} disabled=${state.busy || !text} onClick=${() => ask(text, sender)}>Preview</button>
            <button type="button" class=${current ? "primary" : ""} disabled=${!current || (only && !accepted)} onClick=${send}>${current ? `Send at #${count(state.answer.expect)}` : "Send"}</button>
            <span class="faint">${current ? "" : "Preview it first: nothing is sent."}</span>
          </div>
          ${state.busy && html`<p role="status" class="note">Working …</p>`}
          ${state.problem && html`<${Problem} problem=${state.problem} />`}
          ${state.done && html`<p class="note" role="status">Sent to <code>${state.done.position}</code>: ${state.done.verdict ? html`<a href=${conversationLink(conversation, { m: state.done.verdict.sequence })}><${Verdict} name=${state.done.verdict.verdict} /> #${count(state.done.verdict.sequence)}</a> ${state.done.verdict.code && html`<${Code} name=${state.done.verdict.code} />`}` : "its verdict is not known yet"}</p>`}
          ${state.moved !== null && html`<${Between} base=${base} conversation=${conversation} from=${state.moved} />`}
          ${state.answer && state.text === text && html`<${Preview} answer=${state.answer} text=${text} use=${(/** @type {string} */ wire) => use(wire)} />`}
        </section>`}`;
}
