// Exact bytes, in hexadecimal next to their text.
import { html, useMemo, useRef, useSize, useState } from "./ui.js";
import { Text } from "./parts.js";
import { bytesOf, count } from "./text.js";

const STEP = 4096;

/** Bytes of a text or of base64, as the API encodes them. */
export function decodeBytes(/** @type {string} */ value, /** @type {string | null} */ encoding) {
  return encoding === "base64" ? Uint8Array.from(atob(value), (c) => c.charCodeAt(0)) : new TextEncoder().encode(value);
}

export function toBase64(/** @type {Uint8Array} */ bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) {
    text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  }
  return btoa(text);
}

/** The bytes as text, if they are UTF-8. */
export function textOf(/** @type {Uint8Array} */ bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function printable(/** @type {number} */ byte) {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·";
}

const MAX_TEXT = 20000;

/** Most characters that are reformatted, and most levels: indentation multiplies them. */
const MAX_JSON = 200000;
const MAX_LEVELS = 32;

/** Strings, brackets, commas, colons, and what is between them apart from white space. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

/** JSON in several lines, in which only the white space differs: keys may repeat. Null for any other text. */
function pretty(/** @type {string} */ text) {
  if (!/^\s*[[{]/.test(text) || text.length > MAX_JSON) {
    return null;
  }
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  let level = 0;
  let result = "";
  let last = "";
  for (const [token] of text.matchAll(TOKENS)) {
    const closes = token === "]" || token === "}";
    const opened = last === "[" || last === "{";
    level -= closes ? 1 : 0;
    if (last === "," || opened !== closes) {
      result += "\n" + "  ".repeat(level);
    }
    result += token === ":" ? ": " : token;
    level += token === "[" || token === "{" ? 1 : 0;
    if (level > MAX_LEVELS) {
      return null;
    }
    last = token;
  }
  return result;
}

/** Bytes as text, in several lines if they are JSON without a mark, with the character at the mark set apart. */
function Plain({ bytes, text, mark, label, total }) {
  const before = mark === null ? null : textOf(bytes.subarray(0, mark));
  const json = useMemo(() => (mark === null ? pretty(text) : null), [text, mark]);
  const at = before === null ? "" : ([...text.slice(before.length, before.length + 2)][0] ?? "");
  return html`<pre class="dump plain-text" role="group" aria-label=${`${label}, ${bytesOf(total ?? bytes.length)}`} tabindex="0">${
    before === null
      ? html`<${Text} value=${json ?? text} lines=${true} max=${MAX_TEXT} />`
      : html`<${Text} value=${before} lines=${true} max=${MAX_TEXT} /><mark class=${at ? "" : "end"}><${Text} value=${at || " "} /></mark><${Text} value=${text.slice(before.length + at.length)} lines=${true} max=${MAX_TEXT} />`
  }</pre>
  ${json !== null && json !== text && html`<p class="dump-note faint">reformatted: only the white space differs from the bytes</p>`}`;
}

/** Bytes as text, if they are text, or in hexadecimal; the reader chooses. */
export function Bytes(props) {
  const text = useMemo(() => (props.bytes.length > 0 ? textOf(props.bytes) : null), [props.bytes]);
  const [hex, setHex] = useState(false);
  const marked = props.mark === null || props.mark === undefined || textOf(props.bytes.subarray(0, props.mark)) !== null;
  if (text === null || !marked) {
    return html`<${Dump} bytes=${props.bytes} mark=${props.mark} label=${props.label} total=${props.total} />`;
  }
  const choice = (/** @type {boolean} */ to, /** @type {string} */ name) => html`<button type="button" class="small" aria-pressed=${hex === to ? "true" : "false"} onClick=${() => setHex(to)}>${name}</button>`;
  return html`<div class="dump-box">
    <div class="button-group dump-choice" role="group" aria-label=${`${props.label} as`}>${choice(false, "Text")}${choice(true, "Hex")}</div>
    ${hex
      ? html`<${Dump} bytes=${props.bytes} mark=${props.mark} label=${props.label} total=${props.total} />`
      : html`<${Plain} bytes=${props.bytes} text=${text} mark=${props.mark ?? null} label=${props.label} total=${props.total ?? null} /><${Position} bytes=${props.bytes} mark=${props.mark ?? null} total=${props.total ?? null} />`}
  </div>`;
}

/** Where the mark is, and whether bytes are left out. */
function Position({ bytes, mark, total }) {
  return html`${mark !== null && html`<p class="dump-note"><mark>▲</mark> error at byte ${count(mark)} of ${count(total ?? bytes.length)}</p>`}
    ${total !== null && total > bytes.length && html`<p class="dump-note faint">the first ${count(bytes.length)} of ${count(total)} bytes</p>`}`;
}

/** One line of the dump, with the byte at the mark set apart. */
function Line({ bytes, offset, width, mark }) {
  const part = bytes.subarray(offset, offset + width);
  const at = mark === null ? -1 : mark - offset;
  const ends = at === part.length && offset + part.length === bytes.length && part.length < width;
  const marked = (/** @type {string[]} */ cells, /** @type {string} */ gap, /** @type {string} */ end) =>
    at >= 0 && at < part.length
      ? [cells.slice(0, at).join(gap), at > 0 && gap, html`<mark>${cells[at]}</mark>`, at + 1 < part.length && gap, cells.slice(at + 1).join(gap)]
      : [cells.join(gap), ends && gap, ends && html`<mark class="end">${end}</mark>`];
  return html`<div class="dump-line">
    <span class="dump-offset">${offset.toString(16).padStart(4, "0")}</span>
    <span class="dump-hex">${marked(Array.from(part, (/** @type {number} */ byte) => byte.toString(16).padStart(2, "0")), " ", "  ")}</span>
    <span class="dump-text">${marked(Array.from(part, printable), "", " ")}</span>
  </div>`;
}

/**
 * A dump of bytes, from a step before the mark on.
 *
 * @param {{bytes: Uint8Array, mark?: number | null, label: string, total?: number | null}} props mark is the offset of
 *     an error; total is the size of the message if these are only its first bytes
 */
function Dump({ bytes, mark = null, label, total = null }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const { width } = useSize(box);
  const [shown, setShown] = useState(STEP);
  const perLine = width >= 560 ? 16 : 8;
  const start = mark === null || mark < STEP ? 0 : Math.floor((mark - STEP / 4) / 16) * 16;
  const end = Math.min(bytes.length, start + shown);
  const lines = useMemo(() => {
    const offsets = [];
    for (let offset = start; offset < end || (offset === start && bytes.length === 0); offset += perLine) {
      offsets.push(offset);
    }
    return offsets;
  }, [bytes, start, end, perLine]);
  return html`<div class="dump-box" ref=${box}>
    <div class="dump" role="group" aria-label=${`${label}, ${bytesOf(total ?? bytes.length)}`} tabindex="0">
      ${lines.map((offset) => html`<${Line} key=${offset} bytes=${bytes} offset=${offset} width=${perLine} mark=${mark} />`)}
    </div>
    ${start > 0 && html`<p class="dump-note faint">from byte ${count(start)}</p>`}
    ${end < bytes.length &&
    html`<button type="button" onClick=${() => setShown(shown + 4 * STEP)}>
      Show more of ${bytesOf(bytes.length)}
    </button>`}
    <${Position} bytes=${bytes} mark=${mark} total=${total} />
  </div>`;
}
