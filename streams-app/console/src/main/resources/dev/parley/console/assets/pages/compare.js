// Two conversations next to each other, aligned by what their messages do.
import * as api from "../api.js";
import { Code, DraftInput, Empty, Label, Loaded, PageHeader, Protocol, Text, Verdict } from "../parts.js";
import { conversationLink, go, href, ofChain, sibling } from "../router.js";
import { count, counted, isDecision, plain, words } from "../text.js";
import { html, useLoad, useMemo } from "../ui.js";
import { rowsOf } from "./conversation.js";

const MAX_ROWS = 500;

/** Whether the act of a message is unknown, because it was redacted. */
function isUnknown(/** @type {any} */ row) {
  return row.redacted && !row.performative;
}

/** What each message does, apart from its conversation and its content: equal numbers for equal, known acts. */
function acts(/** @type {any[]} */ rows, /** @type {Map<string, number>} */ known) {
  return rows.map((row) => {
    if (isUnknown(row)) {
      return NaN;
    }
    const text = [row.performative, row.sender, row.to.join(",")].join("\u0000");
    const number = known.get(text) ?? known.size;
    known.set(text, number);
    return number;
  });
}

/** Pairs of rows of two conversations: the longest common subsequence of what they do, and the rows between. */
export function align(/** @type {any[]} */ left, /** @type {any[]} */ right) {
  const known = /** @type {Map<string, number>} */ (new Map());
  const leftActs = acts(left, known);
  const rightActs = acts(right, known);
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        leftActs[i] === rightActs[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const pairs = /** @type {[any, any][]} */ ([]);
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && leftActs[i] === rightActs[j]) {
      pairs.push([left[i++], right[j++]]);
    } else if (j >= right.length || (i < left.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) {
      pairs.push([left[i++], null]);
    } else {
      pairs.push([null, right[j++]]);
    }
  }
  return pairs;
}

async function read(/** @type {string} */ chain, /** @type {AbortSignal} */ signal) {
  const ref = ofChain(chain);
  if (!ref) {
    throw new api.ApiProblem({ title: "Unknown conversation", detail: `"${chain}" is not the name of a conversation (namespace|protocol|ID).` }, 0);
  }
  const base = api.path("conversations", ref.namespace, ref.protocol.toLowerCase(), ref.conversation);
  const conversation = await api.get(base, {}, signal);
  const rows = await rowsOf(base, conversation.lastSequence)(conversation.firstSequence, MAX_ROWS, signal);
  return { ref, conversation, rows };
}

/** A message, or the lack of one; it is not certain if a redacted message could be the counterpart. */
function Side({ row, of, certain }) {
  return row
    ? html`<td>
        <a class="compare-cell" href=${conversationLink(of, { m: row.sequence })}>
          <span class="compare-head"><span class="number">#${count(row.sequence)}</span> <${Verdict} name=${row.verdict} compact=${true} />
            <b>${isUnknown(row) ? "redacted" : isDecision(row) ? "decision" : plain(words(row.performative), 40)}</b> ${row.code && html`<${Code} name=${row.code} />`}</span>
          <span class="row-gloss"><${Label} value=${row.gloss ?? ""} max=${240} /></span>
        </a>
      </td>`
    : html`<td class="gap"><span class="faint">${certain ? "no counterpart" : "counterpart unknown, because of redacted messages"}</span></td>`;
}

/** Whether two counterparts were judged differently. */
function judgedOtherwise(/** @type {[any, any]} */ [left, right]) {
  return Boolean(left && right) && (left.verdict !== right.verdict || left.code !== right.code);
}

function differs(/** @type {[any, any]} */ pair) {
  return !pair[0] || !pair[1] || judgedOtherwise(pair);
}

/** Names both conversations; the second may be an ID alone, in the namespace and protocol of the first. */
function Pair({ a, b }) {
  const start = (/** @type {any} */ event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const first = String(form.get("a")).trim();
    const second = String(form.get("b")).trim();
    go(href(["compare"], { a: first, b: sibling(first, second) }));
  };
  return html`<form class="filters" aria-label="Conversations to compare" onSubmit=${start}>
    <label class="field"><span>First: namespace|protocol|ID</span><${DraftInput} name="a" value=${a} /></label>
    <label class="field"><span>Second, or its ID</span><${DraftInput} name="b" value=${b} /></label>
    <button type="submit">Compare</button>
  </form>`;
}

export function Compare({ place }) {
  const { a, b, all } = place.query;
  const state = useLoad((signal) => Promise.all([read(a ?? "", signal), read(b ?? "", signal)]), [a, b]);
  const pairs = useMemo(() => (state.data ? align(state.data[0].rows, state.data[1].rows) : []), [state.data]);
  return html`
    <${PageHeader}
      title="Compare conversations"
      crumbs=${html`<a href=${href(["conversations"])}>Conversations</a>`}
      lead="Messages are aligned by sender, recipient and kind. Colored rows have different verdicts; hatched sides have no counterpart."
    />
    <${Pair} a=${a} b=${b} />
    <${Loaded} state=${state} lines=${10}>
      ${(/** @type {any[]} */ [left, right]) => {
        const unknown = [left, right].map((side) => side.rows.filter(isUnknown).length);
        // A redacted message can be the counterpart of any of the other side.
        const certain = (/** @type {any} */ counterpart, /** @type {number} */ side) => unknown[side] === 0 && !(counterpart && isUnknown(counterpart));
        const different = pairs.filter(differs).length;
        const first = pairs.findIndex(differs);
        return html`
          <p class="verdict-line" role="status">
            ${different === 0
              ? html`<b>No difference</b> in ${counted(pairs.length, "row")}.`
              : html`<b>${counted(different, "row")}</b> of ${count(pairs.length)} differ${different === 1 ? "s" : ""}, the first is row ${count(first + 1)}.`}
            ${" "}<a href=${href(["compare"], { a, b, all: all ? "" : "1" })}>${all ? "Show only differences" : different < pairs.length && different > 0 ? "Show all rows" : ""}</a>
          </p>
          ${unknown[0] + unknown[1] > 0 && html`<p class="note">${counted(unknown[0] + unknown[1], "message is", "messages are")} redacted: whether they have counterparts is unknown.</p>`}
          ${[left, right].some((side) => side.conversation.messages > MAX_ROWS) && html`<p class="note">The first ${count(MAX_ROWS)} messages of each conversation are compared.</p>`}
          ${pairs.length === 0
            ? html`<${Empty} title="Both conversations are empty" />`
            : html`<div class="table-box"><table class="rows compare">
                <caption class="sr-only">Aligned messages</caption>
                <thead><tr><th scope="col" class="num">Row</th>${[left, right].map((side, i) => html`<th scope="col" key=${i}><a href=${conversationLink(side.ref)}><${Text} value=${side.ref.conversation} max=${60} /></a> <${Protocol} name=${side.conversation.protocol} /> <span class="faint">${counted(side.conversation.messages, "message")}</span></th>`)}</tr></thead>
                <tbody>
                  ${pairs
                    .map((pair, i) => ({ pair, i }))
                    .filter(({ pair }) => all || different === 0 || differs(pair))
                    .slice(0, 600)
                    .map(
                      ({ pair, i }) => html`<tr key=${i} class=${judgedOtherwise(pair) ? "differs" : ""}>
                        <th scope="row" class="num faint">${count(i + 1)}</th>
                        <${Side} row=${pair[0]} of=${left.ref} certain=${certain(pair[1], 0)} /><${Side} row=${pair[1]} of=${right.ref} certain=${certain(pair[0], 1)} />
                      </tr>`,
                    )}
                </tbody>
              </table></div>`}
        `;
      }}
    <//>
  `;
}
