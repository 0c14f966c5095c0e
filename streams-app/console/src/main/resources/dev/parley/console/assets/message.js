// One audit record: the verdict and why, the state around it, its bytes, and what the record proves.
import * as api from "./api.js";
import { Bytes, decodeBytes } from "./bytes.js";
import { ComposeLink } from "./pages/compose.js";
import { codeLink, ruleLink } from "./pages/docs.js";
import { Code, Copy, Fields, Hash, Icon, Label, Loaded, Loading, Problem, Protocol, Text, Time, Tree, Verdict, keyAndHeaders, verdictOf } from "./parts.js";
import { protocolName } from "./protocols.js";
import { Redriven, SentBy, position, useRedrives } from "./redrives.js";
import { conversationLink, href } from "./router.js";
import { bytesOf, capital, count, glossOf, plain, words } from "./text.js";
import { html, useEffect, useLoad, useMemo, useState } from "./ui.js";

/** What the provenance of a rule stands for. */
const AUTHORITIES = /** @type {Record<string, string>} */ ({
  S: "the protocol document",
  C: "the protocol's companion documents",
  R: "the protocol's reference implementation",
  I: "Parley's interpretation where the documents are silent or contradict themselves",
});

/**
 * The cell of a table that a rule cites: its state with circumstances, the code of its warning, and remarks. Null for
 * other rules.
 */
function cellOf(/** @type {any} */ rule, /** @type {string | null} */ code) {
  const [, state, result] = (rule.act && /^(.+?) × .+? → (.+)$/s.exec(rule.text)) || [];
  if (result === undefined || !(rule.after ?? code)) {
    return null;
  }
  const [, outcome, , warning = null, rest = ""] = /** @type {string[]} */ (/^(.*?)( W ([A-Z_]+))?(;.*)?$/s.exec(result));
  // The outcome begins with its state, or is a violation.
  const remark = rule.after && outcome.startsWith(rule.after) ? outcome.slice(rule.after.length) : "";
  return { state, warning, remark: [remark, rest].map((part) => part.replace(/^[\s;(]+|\)$/g, "")).filter(Boolean).join("; ") };
}

/** A rule: the cell of a table in words, or its text. */
function Ruling({ rule, code, patch }) {
  const cell = cellOf(rule, code);
  return cell
    ? html`<div class="transition">
      <div class="step"><span class="faint">In the state</span><b><${Text} value=${cell.state} max=${120} /></b></div>
      <span class="next"><span class="sign" aria-hidden="true">×</span>
        <div class="step"><span class="faint">the message</span><b><${Text} value=${rule.act} max=${120} /></b></div></span>
      <span class="next"><span class="sign" aria-hidden="true">→</span>
        <div class=${"step " + (rule.after ? "" : "bad")}>
          <span class="faint">${rule.after ? "leads to" : "is a violation"}</span><b><${Text} value=${rule.after ?? code} max=${160} />${cell.warning && html`<span class="faint"> with the warning </span>${cell.warning}`}</b>
          ${cell.remark && html`<span class="faint"><${Text} value=${cell.remark} max=${300} /></span>`}
        </div></span>
    </div>`
    : html`<p class="rule-text"><${Text} value=${rule.text} max=${600} /></p>
      ${patch && /\b[bt]\b/.test(rule.text) && html`<p class="faint">t is the target <${Text} value=${patch.target} max=${40} />, b the base <${Text} value=${patch.base} max=${40} /></p>`}`;
}

export function useCode(/** @type {string | null} */ code) {
  return useLoad(() => (code ? api.explain(code) : Promise.resolve(null)), [code]).data;
}

/** Where a message failed. */
const STAGES = /** @type {Record<string, string>} */ ({
  DECODE: "when it was decoded",
  JUDGE: "by the rules of the dialogue",
  APPLY: "when its patch was applied",
  INTERNAL: "by an internal error",
});

/** Who removed the content of a message, when and why. */
function Redacted({ by }) {
  return html`redacted by <${Text} value=${by.by} max=${60} />, <${Time} value=${by.time} />: <${Text} value=${by.reason} max=${300} />`;
}

/** Why a message has its verdict, by which rule, and how to repair it. */
function Why({ message, links }) {
  const guide = useCode(message.code);
  const rule = message.rule;
  const at = message.dialogue?.position;
  // The rule is that of the last statement, or of the one that failed.
  const moved = message.message?.lambda && at?.exact && rule?.before && rule.before !== at.before;
  const bad = message.verdict === "REJECTED" || message.verdict === "UNDECODABLE" || message.verdict === "FLAGGED";
  return html`<section class=${"why " + verdictOf(message.verdict).style} aria-label="Verdict">
    <div class="why-head">
      <${Verdict} name=${message.verdict} />
      ${message.code && html`<a href=${codeLink(message.code)}><${Code} name=${message.code} /></a>`}
      ${STAGES[message.stage] && message.verdict !== "UNDECODABLE" && html`<span class="faint">${STAGES[message.stage]}</span>`}
    </div>
    ${bad && html`<p class="meaning">${guide ? guide.meaning : message.code ? "" : "This message was not accepted."}</p>`}
    ${message.detail && message.detail !== guide?.meaning && html`<p class="detail"><${Text} value=${message.detail} max=${500} /></p>`}
    ${rule &&
    html`<div class="rule">
      <h3>${bad ? "The rule that decided" : "The rule that allowed it"}</h3>
      <${Ruling} rule=${rule} code=${message.code} patch=${message.message?.csp?.base && message.message.csp} />
      ${moved && html`<p class="faint">An earlier statement of the same message leads from ${plain(at.before, 40)} to ${plain(rule.before, 40)}.</p>`}
      <p class="faint"><a href=${ruleLink(rule.section)}>Section ${plain(rule.section, 60)}</a> of the protocol rules, from ${AUTHORITIES[rule.provenance] ?? plain(rule.provenance, 20)}</p>
    </div>`}
    ${guide?.remedy &&
    html`<div class="remedy">
      <h3><${Icon} name="edit" /> How to repair it</h3>
      <p>${guide.remedy}</p>
      ${bad && links.letters && html`<p><a class="button" href=${links.letters}><${Icon} name="redrive" /> Repair its dead letter</a> ${links.repair}</p>`}
    </div>`}
    ${message.redactedBy && html`<p class="note"><${Icon} name="lock" size=${13} /> Verdict, code and warnings are as recorded. The rule was content, and was <${Redacted} by=${message.redactedBy} />.</p>`}
    ${message.warnings?.length > 0 &&
    html`<div class="warnings">
      <h3>Warnings</h3>
      <ul>
        ${message.warnings.map((/** @type {string} */ code) => html`<${Warning} key=${code} code=${code} />`)}
      </ul>
    </div>`}
  </section>`;
}

function Warning({ code }) {
  const guide = useCode(code);
  return html`<li><a href=${codeLink(code)}><${Code} name=${code} /></a> ${guide?.meaning}</li>`;
}

/** Paths and scalar values of a JSON object, at most 400. */
function flatten(/** @type {any} */ value, /** @type {string} */ prefix, /** @type {Map<string, string>} */ into) {
  if (into.size >= 400) {
    return into;
  }
  if (Array.isArray(value)) {
    if (value.every((item) => item === null || typeof item !== "object")) {
      into.set(prefix, value.length === 0 ? "empty" : value.slice(0, 50).join(", "));
    } else {
      value.forEach((item, i) => {
        const key = NAMES.find((name) => item?.[name] !== undefined && item[name] !== null);
        const rest = key ? Object.fromEntries(Object.entries(item).filter(([name]) => name !== key)) : item;
        flatten(rest, joined(prefix, key ? `${key} ${item[key]}` : String(i + 1)), into);
      });
    }
  } else if (value !== null && typeof value === "object") {
    for (const [key, item] of Object.entries(value)) {
      flatten(item, joined(prefix, key), into);
    }
  } else if (prefix) {
    into.set(prefix, value === null ? "none" : String(value));
  }
  return into;
}

/** Members that name an element of a list. */
const NAMES = ["task", "agent", "id", "name"];

function joined(/** @type {string} */ prefix, /** @type {string} */ key) {
  return prefix ? `${prefix} › ${key}` : key;
}

/** Two states next to each other; what differs is marked. Those without items need no words where they are named. */
export function BeforeAfter({ before, after, named, incomplete = false }) {
  const rows = useMemo(() => {
    const left = flatten(before ?? {}, "", new Map());
    const right = flatten(after ?? {}, "", new Map());
    return [...new Set([...left.keys(), ...right.keys()])].map((key) => ({
      key,
      before: left.get(key),
      after: right.get(key),
      changed: left.get(key) !== right.get(key),
    }));
  }, [before, after]);
  const changed = rows.filter((row) => row.changed);
  const [all, setAll] = useState(false);
  const shown = all || changed.length === 0 ? rows : changed;
  if (rows.every((row) => !row.changed && (row.before === "empty" || row.before === "none"))) {
    return named ? null : html`<p class="note">The state contains no items.</p>`;
  }
  return html`
    <h4>${changed.length > 0 ? "Shared state" : incomplete ? "Shared state, as far as it is visible" : "Shared state, unchanged"}</h4>
    <table class="before-after">
      <caption class="sr-only">State before and after the message</caption>
      <thead><tr><th scope="col">Part</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
      <tbody>
        ${shown.slice(0, 100).map(
          (row) => html`<tr key=${row.key} class=${row.changed ? "changed" : ""}>
            <th scope="row"><${Text} value=${row.key} max=${120} /></th>
            <td>${row.before === undefined ? html`<span class="faint">–</span>` : html`<${Text} value=${row.before} max=${120} />`}</td>
            <td>
              ${row.after === undefined
                ? html`<span class="faint">–</span>`
                : row.changed
                  ? html`<ins><${Text} value=${row.after} max=${120} /></ins>`
                  : html`<${Text} value=${row.after} max=${120} />`}
            </td>
          </tr>`,
        )}
      </tbody>
    </table>
    ${changed.length > 0 &&
    changed.length < rows.length &&
    html`<button type="button" class="quiet small" aria-expanded=${all ? "true" : "false"} onClick=${() => setAll(!all)}>
      ${all ? "Only changes" : `Show ${count(rows.length - changed.length)} unchanged`}
    </button>`}
  `;
}

/** Members of a state that say which state it is, not what it contains. */
const STATE_ENVELOPE = ["namespace", "protocol", "conversation", "kind", "at", "asOf", "redacted", "omitted"];

function contents(/** @type {any} */ state) {
  return state === null || state === undefined
    ? null
    : Object.fromEntries(Object.entries(state).filter(([key]) => !STATE_ENVELOPE.includes(key)));
}

/** The states of the protocol's state machine around a message. */
function Positions({ position: at, quiet, hidden }) {
  const changed = at && at.before !== at.after;
  if (!at || (quiet && !changed)) {
    return null;
  }
  return html`<div class="transition">
      <div class="step"><span class="faint">Dialogue state before</span><b><${Text} value=${at.before} max=${160} /></b></div>
      <span class="next"><span class="sign" aria-hidden="true">→</span>
        <div class=${"step " + (changed ? "good-edge" : "")}><span class="faint">${changed ? "after" : "after, unchanged"}</span><b><${Text} value=${at.after} max=${160} /></b></div></span>
    </div>
    ${!at.exact && html`<p class="note">${at.recorded ? `As recorded with its rule. A replay would differ: earlier messages ${hidden}, or settings have changed.` : `From a replay that differs from the recorded verdicts: earlier messages ${hidden}, or settings have changed. The state that decided may have been another one.`}</p>`}`;
}

const MAX_TOUCHED = 8;

/** What a rejected patch found: its definitions at its base. */
function Touched({ base, patch }) {
  const names = [...new Set(patch.operations.map((/** @type {any} */ op) => op.name))].slice(0, MAX_TOUCHED);
  const state = useLoad(
    async (signal) =>
      Promise.all(names.map(async (name) => (await api.get(`${base}/blame`, { at: `checkpoint:${patch.base}`, entry: name, limit: 1 }, signal)).items[0] ?? { entry: name, value: null })),
    [base, patch.base, names],
  );
  // Without its base, which the verdict reports, there is nothing to show.
  return state.problem
    ? null
    : html`<h4>Before, at its base <${Label} value=${patch.base} max=${40} /></h4>
        <${Loaded} state=${state}>
          ${(/** @type {any[]} */ entries) => html`<${Fields}
            rows=${entries.map((item) => [
              html`<${Text} value=${item.entry} max=${80} />`,
              item.value === null
                ? html`<span class="faint">not defined</span>`
                : html`<${Text} value=${item.value} max=${160} /> <span class="faint">set by <${Label} value=${item.by?.sender ?? "unknown"} max=${30} /> in <${Label} value=${item.by?.checkpoint ?? "an earlier checkpoint"} max=${30} /></span>`,
            ])}
          />`}
        <//>`;
}

/** What the records around a redacted message tell of the states. */
function Neighbors({ base, message }) {
  const state = useLoad((signal) => api.get(`${base}/messages`, { from: Math.max(0, message.sequence - 1), limit: 3 }, signal), [base, message.sequence]);
  const rules = (state.data?.items ?? []).filter((/** @type {any} */ item) => Math.abs(item.sequence - message.sequence) === 1 && item.rule?.before);
  return html`<${Loaded} state=${state} lines=${2}>
    ${() =>
      rules.length > 0 &&
      html`<${Fields} rows=${rules.map((/** @type {any} */ item) =>
        item.sequence < message.sequence
          ? ["Recorded before it", html`message #${count(item.sequence)} left the state <b><${Text} value=${item.rule.after ?? item.rule.before} max=${60} /></b>`]
          : ["Recorded after it", html`message #${count(item.sequence)} was judged in the state <b><${Text} value=${item.rule.before} max=${60} /></b>`],
      )} />`}
  <//>`;
}

/** The state around a message. That of a CSP context is in its checkpoints. */
function Around({ base, message, conversation, me }) {
  const dialogue = message.dialogue;
  const hidden = (me.roles ?? []).includes("auditor") ? "were redacted" : "were redacted, or are private and hidden from your role";
  const unknown = message.redactedBy
    ? html`Unknown, because the message was <${Redacted} by=${message.redactedBy} />.`
    : message.redacted
      ? "The message is private, and your role does not see the states around it. An auditor does."
      : null;
  const incomplete = Boolean(dialogue?.before?.redacted);
  const csp = conversation.protocol === "CSP";
  const known = message.message?.csp?.base ?? message.message?.csp?.ctx ?? null;
  const target = dialogue?.after?.asOf?.id ?? null;
  const checkpoint = (/** @type {string | null} */ at, entry = "") => href(["contexts", conversation.namespace, conversation.conversation], { at, entry });
  return html`
    ${!dialogue
      ? html`<p class="note">Not available.</p>`
      : dialogue.omitted
        ? html`<p class="note"><${Text} value=${dialogue.omitted} max=${300} /></p>`
        : unknown && !csp
          ? html`<p class="note">${unknown}</p>${message.redactedBy && html`<${Neighbors} base=${base} message=${message} />`}`
          : html`<${Positions} position=${dialogue.position} quiet=${csp} hidden=${hidden} />
              ${incomplete && html`<p class="note">Incomplete: earlier messages ${hidden}.</p>`}
              <${BeforeAfter} before=${contents(dialogue.before)} after=${contents(dialogue.after)} named=${csp || incomplete || Boolean(dialogue.position)} incomplete=${incomplete} />`}
    ${csp &&
    html`${message.verdict === "REJECTED" && message.message?.csp?.base && html`<${Touched} base=${base} patch=${message.message.csp} />`}
      <h4>Definitions of the context</h4>
      ${message.redactedBy && created(message, conversation) && html`<p class="note warned"><${Icon} name="flag" size=${13} /> The message was redacted, but definitions that the patch applied remain in the checkpoints: delete them with a later patch, and csp.retention.ms removes the earlier checkpoints.</p>`}
      <${Difference} base=${base} from=${message.sequence > 0 ? `sequence:${message.sequence - 1}` : "checkpoint:C0"} to=${`sequence:${message.sequence}`} link=${(/** @type {string} */ entry) => checkpoint(target, entry)} empty="The message changed no definition." />
      <p class="section-links">
        ${known && html`<a href=${checkpoint(known)}><${Icon} name="contexts" /> What its sender knew: <${Label} value=${known} max=${30} /></a>`}
        ${target !== known && html`<a href=${checkpoint(target)}><${Icon} name="contexts" /> ${target ? html`After it: <${Label} value=${target} max=${30} />` : "Checkpoints of this context"}</a>`}
      </p>`}
  `;
}

/** The fields of a message without its envelope, which other parts of the page show. */
function content(/** @type {any} */ message) {
  return message[message.protocol?.toLowerCase()] ?? message.extension ?? message;
}

/** Complete messages inside a value that is none. */
export function Inner({ messages }) {
  return (
    messages.length > 0 &&
    html`<h4>Messages inside the value</h4>
      <ul class="plain">${messages.slice(0, 100).map((/** @type {any} */ one) => html`<li key=${one.start}><${Protocol} name=${one.protocol} /> bytes ${count(one.start)} to ${count(one.end - 1)}</li>`)}</ul>
      ${messages.length > 100 && html`<p class="note">The first 100 of ${count(messages.length)}.</p>`}`
  );
}

/** What proved a caller; without one of these, caller and delegation are claims. */
const PROOFS = /** @type {Record<string, string>} */ ({
  MTLS: "proven by its certificate, as the capture states",
  TOKEN: "proven by a token, as the capture states",
  PROCESS: "proven as the owner of the process, as the capture states",
});
const CLAIMED = "claimed, not proven";

/** On whose behalf a message was sent: rows of caller, actors and client, as far as they are known. */
function callers(/** @type {any} */ fields) {
  const { caller = null, callerProof = "CLAIM", delegation = [] } = fields.capture ?? {};
  const row = (/** @type {string} */ label, /** @type {string | null} */ value, /** @type {string} */ proof) =>
    value ? [[label, html`<${Text} value=${value} max=${600} /> <span class="faint">${proof}</span>`]] : [];
  return [
    ...row("Caller", caller, PROOFS[callerProof] ?? CLAIMED),
    ...row("Acting for it", delegation.join(", before it "), callerProof === "TOKEN" ? PROOFS.TOKEN : CLAIMED),
    ...row("Client", fields.client ?? null, CLAIMED),
  ];
}

/** The link to all messages of the trace of a message; null without one. */
function storyOf(/** @type {any} */ message) {
  const trace = message.message?.references?.find((/** @type {any} */ one) => one.kind === "trace");
  return trace ? href(["search"], { reference: `trace:${trace.id}` }) : null;
}

function Decoded({ message }) {
  const envelope = message.message;
  if (!envelope) {
    const claims = message.claims;
    return html`<p class="note">
        ${message.verdict === "UNDECODABLE" ? "The bytes are not a message of a known protocol, so nothing was decoded." : "There is no decoded message."}
      </p>
      ${claims &&
      html`<${Fields}
        rows=${[
          ["Claims protocol", protocolName(claims.protocol)],
          ["Claims namespace", html`<${Text} value=${claims.namespace ?? "none"} />`],
          ["Claims conversation", html`<${Text} value=${claims.conversation ?? "none"} />`],
          ["Claims sender", html`<${Text} value=${claims.sender ?? "none"} />`],
        ]}
      />`}
      <${Inner} messages=${message.inner ?? []} />`;
  }
  return html`
    <${Fields}
      rows=${[
        ["From", html`<${Text} value=${envelope.sender ?? "unknown"} />`],
        ["To", html`<${Text} value=${(envelope.recipients ?? []).slice(0, 20).join(", ") || "no recipient named"} />`],
        ["Kind", capital(words(envelope.performative))],
        ...callers(content(envelope)),
      ]}
    />
    <h4>Its fields in the protocol</h4>
    <${Tree} value=${content(envelope)} />
  `;
}

/** Whether the bytes have the payload hash of the record, computed in this browser; null if it cannot compute. */
function usePayloadCheck(/** @type {Uint8Array | null} */ bytes, /** @type {string} */ expected) {
  const [result, setResult] = useState(/** @type {boolean | null} */ (null));
  useEffect(() => {
    let current = true;
    setResult(null);
    if (bytes && globalThis.crypto?.subtle) {
      crypto.subtle.digest("SHA-256", /** @type {any} */ (bytes)).then((digest) => {
        const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
        if (current) {
          setResult(hex === expected);
        }
      });
    }
    return () => {
      current = false;
    };
  }, [bytes, expected]);
  return result;
}

function Check({ state, children }) {
  const [icon, label, style] = state === true ? ["check", "Verified", "accepted"] : state === false ? ["cross", "Does not match", "rejected"] : ["link", "Not checked here", "parked"];
  return html`<li class=${"proof " + style}>
    <span class="proof-mark" role="img" aria-label=${label}><${Icon} name=${icon} size=${14} /></span>
    <div>${children}</div>
  </li>`;
}

const LINKS = /** @type {Record<string, [boolean | null, string]>} */ ({
  LINKED: [true, "The record names the hash of the record before it. To change, remove or reorder an earlier record, all later hashes have to change."],
  NONE: [true, "The record is the first of its chain."],
  BROKEN: [false, "The record does not name the hash of the record before it: one of the two was changed."],
  UNAVAILABLE: [null, "The previous record is not in the views any more, so the link was not compared."],
});

const CONTENTS = /** @type {Record<string, [boolean | null, string]>} */ ({
  VERIFIED: [true, "The server computed the hashes of bytes, decoded message and verdict again: they are those of the record."],
  REDACTED: [null, "The content was redacted. Its hashes remain, so the chain still verifies."],
  OMITTED: [null, "The record was too large to be kept. The input topic has its bytes."],
  UNVERIFIED: [null, "The record has no content hash, so only its bytes and verdict are covered."],
});

/** A button that saves the proof of a record. */
function ProofFile({ path, file }) {
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const save = () => api.download(path, file).then(() => setProblem(null), setProblem);
  return html`<button type="button" onClick=${save}>Download the proof</button>${problem && html`<${Problem} problem=${problem} />`}`;
}

/** The place of a record in its chain, and what that proves. */
function Proof({ base, message, bytes, keys }) {
  const payload = usePayloadCheck(bytes, message.payloadHash);
  const integrity = message.integrity ?? {};
  const log = integrity.log ?? null;
  const signed = Boolean(integrity.links);
  const faults = integrity.faults ?? [];
  const commands = integrity.commands ?? [];
  const content = faults.length > 0 ? [false, `A hash is wrong: ${faults.map(words).join(", ")}.`] : (CONTENTS[integrity.content] ?? [null, "Not checked."]);
  const link = LINKS[integrity.previous] ?? [null, "Not checked."];
  return html`
    <div class="links">
      <div class="link-box"><span class="faint">${message.sequence === 0 ? "start" : `#${count(message.sequence - 1)}`}</span><${Hash} value=${message.previousHash} label="previous hash" /></div>
      <span class="link-arrow" aria-hidden="true">→</span>
      <div class="link-box current"><span class="faint">#${count(message.sequence)}, this record</span><${Hash} value=${message.hash} label="hash" /></div>
    </div>
    ${integrity.proves && html`<p class=${"proves " + (integrity.proof === "NONE" ? "rejected" : "")}><${Text} value=${integrity.proves} max=${600} /></p>`}
    <ul class="proofs">
      ${payload !== null &&
      html`<${Check} state=${payload}>
        <b>Bytes.</b> ${payload ? "This browser computed the SHA-256 of the bytes above: it is the payload hash of the record." : "The SHA-256 of the bytes above is not the payload hash of the record."}
      <//>`}
      <${Check} state=${content[0]}><b>Content.</b> ${content[1]}<//>
      <${Check} state=${link[0]}><b>Order.</b> ${link[1]}<//>
      ${log &&
      html`<${Check} state=${null}>
        <b>Log.</b> The record has the index ${count(log.index)} in the audit log of partition ${count(log.partition)}.
        ${signed && " Its proof shows that a signed head contains it; check the proof with the public key alone."}
      <//>`}
    </ul>
    ${commands.length > 0 &&
    html`<h4>Prove it to an outsider <${Copy} text=${commands.join("\n")} label="commands" /></h4>
      ${signed &&
      html`<div class="button-row"><${ProofFile} path=${`${base}/messages/${message.sequence}/proof`} file=${`parley-${message.hash.slice(0, 12)}.proof`} /></div>
        <p class="note">The first command checks the downloaded proof of this record. audit.vkey is the file with the verifier key of the deployment${keys.length > 0 && `, ${keys.map((/** @type {string} */ key) => plain(key, 80)).join(" or ")}`}: get it from its owner, because a key from this server proves nothing about the server.</p>`}
      <p class="note">${signed ? "The last two commands" : "The commands"} export the chain from Kafka, and check it. Replace BROKERS and REGISTRY by the addresses of the deployment. Whoever has the files can check them again, without Kafka.</p>
      <pre class="command"><code>${commands.join("\n")}</code></pre>`}
    <details>
      <summary>All hashes</summary>
      <${Fields}
        rows=${[
          ["Hash", html`<code class="wrap">${message.hash}</code>`],
          ["Previous hash", html`<code class="wrap">${message.previousHash}</code>`],
          ["Payload hash", html`<code class="wrap">${message.payloadHash ?? (message.masked ? "masked with values of the content" : "removed with the content")}</code>`],
          ["Content hash", html`<code class="wrap">${plain(integrity.contentHash, 80)}</code>`],
          ["Input position", html`<${Text} value=${position(message.source) ?? "unknown"} />`],
        ]}
      />
    </details>
  `;
}

/** Where the input topic has the bytes of a record. */
export function Position({ source }) {
  return source?.topic
    ? html`<span class="faint">from <${Text} value=${source.topic} max=${120} />, partition ${source.partition}, offset ${count(source.offset)}</span>`
    : null;
}

/** Bytes that a record shows, or null. */
function useBytes(/** @type {any} */ message) {
  return useMemo(() => (message?.raw === null || message?.raw === undefined ? null : decodeBytes(message.raw, message.rawEncoding)), [message]);
}

/** Whether the message created a checkpoint: the last one after it is another than before. If unknown, it may have. */
function created(/** @type {any} */ message, /** @type {any} */ conversation) {
  const dialogue = message.dialogue;
  if (dialogue?.omitted) {
    return conversation?.protocol === "CSP" && message.verdict === "ACCEPTED";
  }
  const after = dialogue?.after?.asOf?.id ?? null;
  return after !== null && after !== (dialogue.before?.asOf?.id ?? null);
}

/** Why a message has no bytes. */
export function Missing({ message }) {
  return html`<p class="note">
    ${message.redactedBy
      ? html`<${Icon} name="lock" /> The content was <${Redacted} by=${message.redactedBy} />. The chain still verifies.`
      : message.redacted
        ? html`<${Icon} name="lock" /> The message is private, and your role does not see its content. An auditor does.`
        : message.omitted
          ? html`The record exceeded the maximum size (${bytesOf(message.omitted.valueBytes ?? 0)}). Only the input topic has its bytes.`
          : message.bodyOmitted
            ? "The message is larger than a response may be. parley export returns it."
            : "The record has no bytes."}
  </p>`;
}

/** A redaction or approval that a record asks for, or that approves its definition. */
function Decision({ decision, conversation }) {
  const link = conversationLink(conversation, { m: decision.sequence });
  const name = decision.approves ? "Approval" : "Redaction";
  return html`<section aria-label=${name}>
    <h3><${Icon} name=${decision.approves ? "check" : "lock"} /> ${name}</h3>
    <${Fields}
      rows=${[
        [decision.approves ? "Approves" : "Redacts", html`<a href=${link}>message #${count(decision.sequence)}</a>`],
        ["By", html`<${Text} value=${decision.by} max=${120} />`],
        ["Reason", html`<${Text} value=${decision.reason} max=${1000} />`],
        ["Requested", html`<${Time} value=${decision.time} />`],
      ]}
    />
  </section>`;
}

/** The request to approve a changed definition. */
function Approve({ path }) {
  const [reason, setReason] = useState("");
  const [state, setState] = useState(/** @type {any} */ ({ busy: false, sent: false, problem: null }));
  const send = () => {
    setState({ busy: true, sent: false, problem: null });
    api.post(path, { reason: reason.trim() }, new AbortController().signal).then(
      () => setState({ busy: false, sent: true, problem: null }),
      (problem) => setState({ busy: false, sent: false, problem }),
    );
  };
  return html`<section aria-label="Approve">
    <h3><${Icon} name="flag" /> Approve the changed definition</h3>
    <label class="field"><span>Reason (recorded in the audit trail)</span>
      <input name="reason" value=${reason} maxlength="1000" onInput=${(/** @type {any} */ e) => setReason(e.currentTarget.value)} autocomplete="off" /></label>
    <div class="button-row"><button type="button" disabled=${state.busy || state.sent || !reason.trim()} onClick=${send}>Approve</button></div>
    ${state.sent && html`<p role="status" class="note">Sent. The message shows the approval when the pipeline has recorded it.</p>`}
    ${state.problem && html`<${Problem} problem=${state.problem} />`}
  </section>`;
}

const NO_DETAILS = /** @type {Record<string, string>} */ ({
  EXPIRED: "The input topic no longer has the record, so its key and headers have expired.",
  REDACTED: "The message is redacted, so its key and headers are not shown.",
  REPLACED: "The input topic has another record at this position, so key and headers are lost.",
});

/** Key and headers, which only the input topic has. */
function InputDetails({ base, sequence }) {
  const state = useLoad((signal) => api.get(`${base}/messages/${sequence}/input`, {}, signal), [base, sequence]);
  return html`<${Loaded} state=${state} lines=${3}>
    ${(/** @type {any} */ input) => (input.status === "AVAILABLE" ? html`<${Fields} rows=${keyAndHeaders(input)} />` : html`<p class="note">${NO_DETAILS[input.status] ?? words(input.status)}</p>`)}
  <//>`;
}

/** What the broker has with the bytes of a message. */
function InputRecord({ base, message, me, open, setOpen }) {
  const auditor = (me.roles ?? []).includes("auditor");
  return html`<section aria-label="Input record">
    <h3>Input record</h3>
    <${Fields}
      rows=${[
        ["Received", html`<${Time} value=${message.source.timestamp} /> <span class="faint">time of the input record</span>`],
        ["Sent", message.source.producerTime ? html`<${Time} value=${message.source.producerTime} /> <span class="faint">as the sender claims</span>` : html`<span class="faint">the sender claims no time</span>`],
        ["Position", html`<${Text} value=${position(message.source) ?? "unknown"} max=${200} />`],
      ]}
    />
    ${me.features?.redrives && (auditor
      ? html`<details open=${open} onToggle=${(/** @type {any} */ e) => setOpen(e.currentTarget.open)}>
          <summary>Record key and headers</summary>
          ${open && html`<${InputDetails} base=${base} sequence=${message.sequence} />`}
        </details>`
      : html`<p class="note"><${Icon} name="lock" /> Record key and headers need the role auditor, because they may contain credentials.</p>`)}
  </section>`;
}

function showProof(/** @type {any} */ event) {
  event.currentTarget.closest("article").querySelector("[aria-label='Audit record']").scrollIntoView();
}

/**
 * One message of a conversation.
 *
 * @param {{base: string, sequence: number, conversation: any, me: any, keys: string[]}} props base is the path of the
 *     conversation, keys are the names of the keys that sign the audit log
 */
export function Message({ base, sequence, conversation, me, keys }) {
  const state = useLoad((signal) => api.get(`${base}/messages/${sequence}`, { dialogue: true }, signal), [base, sequence]);
  const message = state.data;
  const bytes = useBytes(message);
  const at = position(message?.source);
  const redrives = useRedrives([at], me).data ?? [];
  // Stays open from message to message.
  const [details, setDetails] = useState(false);
  if (!message || message.sequence !== sequence) {
    return state.problem ? html`<${Loaded} state=${state}>${() => null}<//>` : html`<div class="message"><${Loading} lines=${10} /></div>`;
  }
  const links = {
    letters:
      message.stage && message.stage !== "NONE" && message.source?.topic
        ? href(["dead-letters"], { stage: message.stage.toLowerCase(), code: message.code, source: position(message.source) })
        : null,
    repair: html`<${ComposeLink} me=${me} conversation=${conversation} repair=${sequence} />`,
    story: me.features?.search ? storyOf(message) : null,
  };
  const exact = html`<div>
    <h3>
      Exact bytes ${bytes && html`<span class="faint">${bytesOf(bytes.length)}</span><${Copy} text=${message.raw} label=${message.rawEncoding === "base64" ? "bytes as Base64" : "message"} />`}
    </h3>
    ${message.masked && html`<p class="note"><${Icon} name="lock" /> The server masks values that your role does not see: [masked] stands for each of them. An auditor sees them.</p>`}
    ${bytes ? html`<${Bytes} bytes=${bytes} mark=${message.position} label="Exact bytes" />` : html`<${Missing} message=${message} />`}
  </div>`;
  return html`<article class="message" aria-label=${`Message ${sequence}`} aria-busy=${state.loading}>
    <header class="message-head">
      <p class="gloss">${message.gloss ? html`<${Text} value=${glossOf(message)} max=${320} />` : html`<span class="faint">${message.verdict === "UNDECODABLE" ? "Bytes that are not a message" : message.redactedBy ? html`Redacted by <${Text} value=${message.redactedBy.by} max=${60} />` : "No summary: the content is not visible"}</span>`}</p>
      <p class="meta">
        <${Protocol} name=${conversation.protocol} />
        <span><${Icon} name="clock" size=${13} /> received <${Time} value=${message.source?.timestamp} /></span>
        ${message.source?.producerTime && html`<span class="faint">sent <${Time} value=${message.source.producerTime} />, as the sender claims</span>`}
        <${Position} source=${message.source} />
        ${links.story && html`<a href=${links.story}><${Icon} name="link" size=${13} /> Story of its trace</a>`}
        <button type="button" class="quiet small" onClick=${showProof}><${Icon} name="chain" size=${13} /> Proof for an outsider</button>
      </p>
    </header>
    ${redrives.map((/** @type {any} */ redrive) => (redrive.sent === at ? html`<${SentBy} key=${redrive.source} redrive=${redrive} />` : html`<${Redriven} key=${redrive.source} redrive=${redrive} />`))}
    <${Why} message=${message} links=${links} />
    ${[message.redaction, message.approvedBy].map((/** @type {any} */ decision) => decision && html`<${Decision} decision=${decision} conversation=${conversation} />`)}
    ${me.features?.approve && !message.approvedBy && message.warnings?.includes("MCP_DEFINITION_CHANGED") && html`<${Approve} key=${sequence} path=${`${base}/messages/${sequence}/approve`} />`}
    <section aria-label="State">
      <h3>State before and after</h3>
      <${Around} base=${base} message=${message} conversation=${conversation} me=${me} />
    </section>
    <section aria-label="Message">
      ${message.redaction ? html`<details><summary>Bytes of the request</summary>${exact}</details>` : html`<div class="decoded-and-bytes"><div><h3>Decoded</h3><${Decoded} message=${message} /></div>${exact}</div>`}
    </section>
    ${!message.redaction && html`<${InputRecord} base=${base} message=${message} me=${me} open=${details} setOpen=${setDetails} />`}
    <section aria-label="Audit record">
      <h3><${Icon} name="chain" /> What the record proves</h3>
      <${Proof} base=${base} message=${message} bytes=${bytes} keys=${keys} />
    </section>
  </article>`;
}

/** Added, changed and removed entries between two moments, each with a link to its history. */
export function Difference({ base, from, to, link, empty = "No entry differs." }) {
  const name = (/** @type {string} */ entry) => html`<a href=${link(entry)} title="Who set it, and when"><${Label} value=${entry} max=${160} /></a>`;
  const state = useLoad((signal) => api.get(`${base}/diff`, { from, to }, signal), [base, from, to]);
  return html`<${Loaded} state=${state}>
    ${(/** @type {any} */ diff) =>
      diff.added.length + diff.changed.length + diff.removed.length === 0
        ? html`<p class="note">${diff.redacted ? "Unknown: the states lack messages that were redacted, or that your role does not see." : empty}</p>`
        : html`<ul class="diff">
            ${diff.added.slice(0, 500).map((/** @type {any} */ e) => html`<li key=${"+" + e.entry} class="added"><span class="op" role="img" aria-label="added">+</span>${name(e.entry)}<span class="values"><ins><${Text} value=${e.value} max=${300} /></ins></span></li>`)}
            ${diff.changed.slice(0, 500).map((/** @type {any} */ e) => html`<li key=${"~" + e.entry} class="changed"><span class="op" role="img" aria-label="changed">~</span>${name(e.entry)}<span class="values"><del><${Text} value=${e.old} max=${300} /></del> <ins><${Text} value=${e.new} max=${300} /></ins></span></li>`)}
            ${diff.removed.slice(0, 500).map((/** @type {any} */ e) => html`<li key=${"-" + e.entry} class="removed"><span class="op" role="img" aria-label="removed">−</span>${name(e.entry)}<span class="values"><del><${Text} value=${e.value} max=${300} /></del></span></li>`)}
          </ul>
          ${Math.max(diff.added.length, diff.changed.length, diff.removed.length) > 500 &&
          html`<p class="note">${count(diff.added.length)} added, ${count(diff.changed.length)} changed, ${count(diff.removed.length)} removed; the first 500 of each are listed.</p>`}`}
  <//>`;
}
