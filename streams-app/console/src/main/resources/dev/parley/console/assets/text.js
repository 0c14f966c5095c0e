// Text from agents: everything invisible, or able to reorder its surroundings, is made visible.

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** A narrow space beyond ASCII at the edge of a line, or next to another space. */
const SPACE = /(?<!\S)(?![ \u3000])\p{Zs}|(?![ \u3000])\p{Zs}(?!\S)/u;

/** Emoji with joiners, selectors or tags: a keycap, the flag of England, Scotland or Wales, or pictographs. */
const EMOJI =
  /[0-9#*]\ufe0f\u20e3|\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}|(?:\p{Extended_Pictographic}\p{Emoji_Modifier}?[\ufe0e\ufe0f]?\u200d)*\p{Extended_Pictographic}\p{Emoji_Modifier}?[\ufe0e\ufe0f]?/u;
const HIDDEN_ALL = new RegExp(`(${EMOJI.source})|${HIDDEN.source}|${SPACE.source}`, "gu");

/** A text of this kind shows nothing to see or click. */
const BLANK = /^\p{Zs}+$/u;

/** The code point as U+XXXX. */
export function codePoint(/** @type {number} */ code) {
  return "U+" + code.toString(16).toUpperCase().padStart(4, "0");
}

/** The visible symbols of hidden characters; the others have their code points. */
const SYMBOLS = /** @type {Record<number, string>} */ ({ 0x09: "→", 0x0a: "↵", 0x0d: "⏎" });

/**
 * Splits a text at its hidden characters.
 *
 * @param {string} text
 * @param {boolean} lines whether line feeds stay as they are
 * @returns {{text: string, hidden: number | null}[]} hidden is the code point that the text stands for
 */
export function parts(text, lines) {
  const result = /** @type {{text: string, hidden: number | null}[]} */ ([]);
  let start = 0;
  for (const match of text.matchAll(BLANK.test(text) ? /\p{Zs}/gu : HIDDEN_ALL)) {
    const code = /** @type {number} */ (match[0].codePointAt(0));
    if (match[1] || (lines && (code === 0x0a || code === 0x09))) {
      continue;
    }
    if (match.index > start) {
      result.push({ text: text.slice(start, match.index), hidden: null });
    }
    result.push({ text: SYMBOLS[code] ?? codePoint(code), hidden: code });
    start = match.index + match[0].length;
  }
  if (start < text.length) {
    result.push({ text: text.slice(start), hidden: null });
  }
  return result;
}

/** A text for attributes and titles, which have no markup: hidden characters as symbols. */
export function plain(/** @type {unknown} */ value, max = 300) {
  const text = String(value ?? "");
  const shown = parts(cut(text, max), false)
    .map((part) => part.text)
    .join("");
  return text.length > max ? shown + "…" : shown;
}

/** The first characters of a text, without half a surrogate pair at the end. */
export function cut(/** @type {string} */ text, /** @type {number} */ max) {
  if (text.length <= max) {
    return text;
  }
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? max - 1 : max);
}

const NUMBER = new Intl.NumberFormat("en-US");

export function count(/** @type {number | null | undefined} */ value) {
  return value === null || value === undefined ? "–" : NUMBER.format(value);
}

/** The singular for one, otherwise the plural. */
export function noun(/** @type {number} */ value, /** @type {string} */ singular, plural = singular + "s") {
  return value === 1 ? singular : plural;
}

/** A count with its noun. */
export function counted(/** @type {number} */ value, /** @type {string} */ singular, plural = singular + "s") {
  return `${count(value)} ${noun(value, singular, plural)}`;
}

export function bytesOf(/** @type {number} */ size) {
  return size < 1024
    ? counted(size, "byte")
    : size < 1048576
      ? (size / 1024).toFixed(1) + " KiB"
      : (size / 1048576).toFixed(1) + " MiB";
}

/** A share in percent. */
export function percent(/** @type {number} */ part, /** @type {number} */ of) {
  const share = of === 0 ? 0 : (100 * part) / of;
  return part > 0 && share < 1 ? "< 1 %" : part < of && share > 99 ? "> 99 %" : `${Math.round(share)} %`;
}

export function duration(/** @type {number} */ ms) {
  const abs = Math.abs(ms);
  if (abs < 1000) {
    return Math.round(ms) + " ms";
  }
  if (abs < 60000) {
    return (ms / 1000).toFixed(abs < 10000 ? 1 : 0) + " s";
  }
  if (abs < 3600000) {
    return Math.round(ms / 60000) + " min";
  }
  return abs < 172800000 ? Math.round(ms / 3600000) + " h" : Math.round(ms / 86400000) + " d";
}

/** "12 min ago" for a time in ISO 8601. */
export function ago(/** @type {string} */ time, now = Date.now()) {
  const ms = now - Date.parse(time);
  return ms < 0 ? "in " + duration(-ms) : ms < 1000 ? "now" : duration(ms) + " ago";
}

/** Escapes of single UTF-16 units, as the server writes hidden characters in a gloss. */
const ESCAPES = /\\u([0-9a-f]{4})/g;

/**
 * The gloss of a record with its hidden characters themselves, which pages mark like those of names; null without one.
 */
export function glossOf(/** @type {any} */ row) {
  return (
    row.gloss?.replace(ESCAPES, (/** @type {string} */ escape, /** @type {string} */ hex) => {
      const unit = String.fromCharCode(parseInt(hex, 16));
      return HIDDEN.test(unit) ? unit : escape;
    }) ?? null
  );
}

/** Whether a row or search result is a redaction or approval: only these are accepted, and have a text, but no kind. */
export function isDecision(/** @type {any} */ row) {
  return row.verdict === "ACCEPTED" && row.performative === null && Boolean(row.gloss ?? row.excerpt);
}

/** The sender of a record, or the one that an undecodable record claims; null without one. */
export function senderOf(/** @type {any} */ row) {
  return row.sender ?? (row.claims?.sender ? row.claims.sender + " (claimed)" : null);
}

/** Symbols of the API as words: PROPOSE_PLAN is "propose plan". */
export function words(/** @type {string | null | undefined} */ name) {
  return String(name ?? "")
    .toLowerCase()
    .replaceAll("_", " ");
}

export function capital(/** @type {string} */ text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Scripts without spaces between words, and symbols: every part of a text in them can be found. */
const UNSPACED = String.raw`\p{So}\p{sc=Han}\p{sc=Bopomofo}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
const IN_WORD = String.raw`(?![${UNSPACED}])[\p{L}\p{N}\p{M}]`;
const LETTERS = /** @type {Record<string, string>} */ ({ ł: "l", ø: "o", đ: "d", ħ: "h", æ: "ae", œ: "oe" });

/** The pattern of the words of a search in folded texts; null without words. */
export function wordPattern(/** @type {string[]} */ words) {
  const patterns = words.map((word) => {
    const whole = word.replace(/\*$/, "").replace(/[^\p{L}\p{N}\p{M}\p{S}]/gu, "\\$&");
    const open = new RegExp(`^[${UNSPACED}]`, "u").test(whole);
    return open ? whole : `(?<!${IN_WORD})${whole}${word.endsWith("*") ? "" : `(?!${IN_WORD})`}`;
  });
  return patterns.length > 0 ? new RegExp(patterns.join("|"), "gu") : null;
}

/** A character with its marks as searches compare it: without case, accents, width and invisible parts. */
function folded(/** @type {string} */ cluster) {
  if (cluster <= "~") {
    return cluster.toLowerCase();
  }
  const base = cluster
    .normalize("NFKD")
    .replace(/([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Common}])\p{Mn}+/gu, "$1")
    .replace(/[\p{Cf}\ufe0f]/gu, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFC");
  return LETTERS[base] ?? base;
}

/** The parts of a text. Every second one, from the second on, is what a pattern finds in the folded text. */
export function pieces(/** @type {string} */ text, /** @type {RegExp} */ pattern) {
  let all = "";
  const origins = /** @type {number[]} */ ([]);
  for (const cluster of text.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
    const part = folded(cluster[0]);
    all += part;
    origins.push(...Array(part.length).fill(cluster.index));
  }
  origins.push(text.length);
  const found = [];
  let at = 0;
  for (const match of all.matchAll(pattern)) {
    const start = origins[match.index];
    const end = origins[match.index + match[0].length];
    if (start >= at && end > start) {
      found.push(text.slice(at, start), text.slice(start, end));
      at = end;
    }
  }
  return [...found, text.slice(at)];
}
