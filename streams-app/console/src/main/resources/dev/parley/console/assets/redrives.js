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

const AGAIN_MS = 1000;

/** The verdict on a message that was sent, once it is visible; PARKED if it waits for its base. */
export async function judged(/** @type {string} */ sent, /** @type {AbortSignal} */ signal) {
  for (;;) {
    try {
      return { sent, ...(await api.get(api.path("positions", ...(parts(sent) ?? [])), { "at-least": sent }, signal)) };
    } catch (problem) {
      const status = problem instanceof api.ApiProblem ? problem.status : 0;
      if (status === 404) {
        return { sent, verdict: "PARKED", code: null };
      }
      if (status !== 503 && status !== 429) {
        throw problem;
      }
      await api.pause(AGAIN_MS, signal);
    }
  }
}

/** The verdict on a message that was sent. */
export function Sent({ position: sent }) {
  const { data, problem } = useLoad((signal) => judged(sent, signal), [sent]);
  return data === null
    ? html`<span class="faint" role="status" aria-busy=${problem === null}>${problem ? "Its verdict cannot be read." : "waiting for its verdict …"}</span>`
    : html`<span class="sent"><${Verdict} name=${data.verdict} /> ${data.code && html`<${Code} name=${data.code} /> `}${data.links && html`<a href=${conversationLink(ofPath(data.links.conversation), { m: data.sequence })}>message #${count(data.sequence)}</a>`}</span>`;
}

/** Who did it, when and why. */
export function Order({ redrive }) {
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
