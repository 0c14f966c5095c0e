// Redrives of dead letters: which message each of them sent, and what became of it.
import * as api from "./api.js";
import { Code, Icon, Text, Time, Verdict } from "./parts.js";
import { conversationLink, href, ofPath } from "./router.js";
import { count } from "./text.js";
import { html, useLoad } from "./ui.js";

/** An input position as the API writes it; null for a record without one. */
export function position(/** @type {any} */ source) {
  return source?.topic ? `${source.topic}-${source.partition}@${source.offset}` : null;
}

function parts(/** @type {string} */ text) {
  const match = /^(.*)-(\d+)@(\d+)$/.exec(text);
  return match ? match.slice(1) : null;
}

/** Most positions of one request. */
const MAX_INPUTS = 50;

/** The redrives of the input records at these positions; none if the caller may not read them. */
export function useRedrives(/** @type {(string | null)[]} */ inputs, /** @type {any} */ me) {
  const asked = me.features?.redrives ? inputs.filter((input) => input !== null).slice(0, MAX_INPUTS) : [];
  return useLoad(
    async (signal) => (asked.length === 0 ? [] : (await api.get("/v1/redrives", { inputs: asked.join(",") }, signal)).items),
    [asked],
  );
}

/** The verdict on a message that was sent; the server answers when it is visible. */
export function Sent({ position: sent }) {
  const at = parts(sent);
  const state = useLoad((signal) => (at ? api.get(api.path("positions", ...at), { "at-least": sent }, signal) : Promise.resolve(null)), [sent]);
  if (state.problem) {
    return html`<span class="faint">Its verdict is not visible yet.</span> <button type="button" class="quiet small" onClick=${state.reload}>Look again</button>`;
  }
  const found = state.data;
  return found === null
    ? html`<span class="faint" role="status" aria-busy="true">waiting for its verdict …</span>`
    : html`<span class="sent"><${Verdict} name=${found.verdict} /> ${found.code && html`<${Code} name=${found.code} /> `}<a href=${conversationLink(ofPath(found.links.conversation), { m: found.sequence })}>message #${count(found.sequence)}</a></span>`;
}

function Order({ redrive }) {
  return html`<${Time} value=${redrive.time} /> by <${Text} value=${redrive.by} max=${60} />${redrive.edited && ", with edited bytes"}: <${Text} value=${redrive.reason} max=${300} />`;
}

/** What a redrive did with a failed record: who, when, why, and the new verdict. */
export function Redriven({ redrive }) {
  return html`<div class="redriven">
    <p><${Icon} name="redrive" size=${14} /> <b>Redriven</b> <${Order} redrive=${redrive} /></p>
    <p>The message that was sent: <${Sent} position=${redrive.sent} /></p>
  </div>`;
}

/** The redrive that sent a message, with a link to the dead letter. */
export function SentBy({ redrive }) {
  const letter = parts(redrive.deadLetter);
  return html`<div class="redriven">
    <p><${Icon} name="redrive" size=${14} /> <b>Sent by a redrive</b> <${Order} redrive=${redrive} /></p>
    ${letter && html`<p><a href=${href(["dead-letters"], { id: letter.join("/") })}>The dead letter</a> has the original bytes.</p>`}
  </div>`;
}
