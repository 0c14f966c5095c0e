// One dead letter: what failed and where, its bytes, and what was done with it.
import * as api from "./api.js";
import { Bytes, decodeBytes } from "./bytes.js";
import { Inner, Missing, Position } from "./message.js";
import { Code, Copy, Fields, Hash, Icon, Loaded, Problem, Protocol, Text, Time, keyAndHeaders } from "./parts.js";
import { ComposeLink } from "./pages/compose.js";
import { ruleLink } from "./pages/docs.js";
import { Order, Redriven, position } from "./redrives.js";
import { Closing, Repair } from "./repair.js";
import { conversationLink, ofPath } from "./router.js";
import { bytesOf, capital, count, glossOf, words } from "./text.js";
import { Excerpt, summaryRow } from "./timeline.js";
import { html, useEffect, useLoad, useRef, useState } from "./ui.js";

export function stageName(/** @type {string} */ stage) {
  return /** @type {Record<string, string>} */ ({ DECODE: "Decoding failed", JUDGE: "Dialogue rule broken", APPLY: "Patch not applicable", INTERNAL: "Internal error" })[stage] ?? capital(words(stage));
}

/** Whether the caller may redrive and close dead letters. */
export function isOperator(/** @type {any} */ me) {
  return Boolean(me.features?.redrive) && (me.roles ?? []).includes("operator");
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
          ? html`<${Excerpt} of=${ref} rows=${rows} current=${sequence} />`
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

/** Who closed or reopened a dead letter last, when and why. */
function Closed({ closures }) {
  const last = closures[closures.length - 1];
  return html`<div class="redriven closed">
    <p><b>Closed</b> ${last && html`<${Order} redrive=${last} />`}</p>
  </div>`;
}

export function Letter({ id, me, listed, onDone }) {
  const parts = id.split("/");
  const state = useLoad((signal) => api.get(api.path("dead-letters", ...parts), {}, signal), [id]);
  const [sent, setSent] = useState(false);
  const guide = useLoad(() => (state.data?.code ? api.explain(state.data.code) : Promise.resolve(null)), [state.data?.code]).data;
  useEffect(() => setSent(false), [id]);
  const operator = isOperator(me);
  const place = usePlace(state.data?.source ?? listed.source);
  const record = useRecord(place.data);
  const changed = () => {
    setSent(true);
    state.reload();
    onDone();
  };
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
          ${guide && html`<div class="remedy"><h3><${Icon} name="edit" /> How to repair it</h3><p>${guide.remedy}</p><${ComposeLink} me=${me} conversation=${place.data?.ref} repair=${place.data?.sequence} /><p class="faint"><a href=${ruleLink(guide.section)}>Section ${guide.section}</a> of the protocol rules</p></div>`}
        </section>
        <section aria-label="Bytes">
          <h3>Exact bytes ${letter.valueSize !== null && html`<span class="faint">${bytesOf(letter.valueSize)}</span>`}</h3>
          ${bytes ? html`<${Bytes} bytes=${bytes} mark=${letter.position} label="Bytes" total=${original ? null : letter.valueSize} />` : letter.redacted && record?.redacted
            ? html`<${Missing} message=${record} />`
            : html`<p class="note">${letter.redacted ? html`<${Icon} name="lock" /> ${(me.roles ?? []).includes("auditor") ? "The content was redacted." : "The content is redacted, or masked for your role."}` : "The record has no bytes here."}</p>`}
          <${Inner} messages=${letter.inner ?? []} />
        </section>
        ${done && html`<${Repaired} redrive=${done} focused=${sent} />`}
        ${letter.closed && html`<${Closed} closures=${letter.closures ?? []} />`}
        ${operator && letter.closed && html`<section class="repair" aria-label="Repair"><${Closing} key=${id} close=${false} ids=${[id]} what="this dead letter" draft=${`${me.principal} ${id}`} onDone=${changed} /></section>`}
        ${operator && !done && !letter.closed && html`<${Repair} key=${id} id=${id} letter=${letter} original=${original} draft=${`${me.principal} ${id}`} onDone=${changed} />`}
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
              ...[["Redrives", letter.redrives ?? []], ["Closed and reopened", letter.closures ?? []]].map(([name, all]) => all.length > 0 && [name, html`<ul class="plain">${all.slice(0, 50).map((/** @type {any} */ one, /** @type {number} */ i) => html`<li key=${i}>${one.kind !== "REDRIVEN" && `${capital(words(one.kind))} `}<${Order} redrive=${one} /></li>`)}</ul>`]),
            ]}
          />
        </section>
      </article>`;
    }}
  <//>`;
}
