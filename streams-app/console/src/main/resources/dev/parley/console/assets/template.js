// Templates of HTML as tagged strings, which become calls of h: no build step, and no strings that become markup.
import { h } from "./vendor/preact.js";

/**
 * @typedef {{tag: string | number, props: [string, string | number | true][], children: Part[]}} Element numbers are
 *     indexes of values
 * @typedef {Element | string | number} Part
 */

/** Stands for a value in the source of a template; no template contains it. */
const VALUE = "\u0000";

const NAME = /[^\s=>/\u0000]+/y;
const BARE = /[^\s>\u0000]+?(?=\s|>|\/>)/y;

/** Parses one template. */
class Parser {
  constructor(/** @type {string} */ source) {
    this.source = source;
    this.at = 0;
    this.values = 0;
  }

  fail(/** @type {string} */ what) {
    return new Error(`template: ${what} at ${this.at} of ${this.source.replaceAll(VALUE, "${}")}`);
  }

  starts(/** @type {string} */ text) {
    return this.source.startsWith(text, this.at);
  }

  take(/** @type {RegExp} */ pattern) {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.source);
    if (!match) {
      throw this.fail("a name is missing");
    }
    this.at += match[0].length;
    return match[0];
  }

  /** Parts up to a closing tag, or the end. */
  parts() {
    const parts = /** @type {Part[]} */ ([]);
    while (this.at < this.source.length && !this.starts("</") && !this.starts("<//>")) {
      if (this.starts(VALUE)) {
        this.at++;
        parts.push(this.values++);
      } else if (this.starts("<")) {
        parts.push(this.element());
      } else {
        const start = this.at;
        while (this.at < this.source.length && !this.starts("<") && !this.starts(VALUE)) {
          this.at++;
        }
        // Line breaks of the source are not content.
        const text = this.source.slice(start, this.at).replace(/^\s*\n\s*|\s*\n\s*$/g, "");
        if (text) {
          parts.push(text);
        }
      }
    }
    return parts;
  }

  element() {
    this.at++;
    const element = /** @type {Element} */ ({ tag: this.tag(), props: [], children: [] });
    for (;;) {
      this.space();
      if (this.starts("/>")) {
        this.at += 2;
        return element;
      }
      if (this.starts(">")) {
        this.at++;
        element.children = this.parts();
        this.close();
        return element;
      }
      element.props.push([this.take(NAME), this.value()]);
    }
  }

  tag() {
    if (this.starts(VALUE)) {
      this.at++;
      return this.values++;
    }
    return this.take(NAME);
  }

  space() {
    while (this.at < this.source.length && /\s/.test(this.source[this.at])) {
      this.at++;
    }
  }

  value() {
    if (!this.starts("=")) {
      return /** @type {true} */ (true);
    }
    this.at++;
    if (this.starts(VALUE)) {
      this.at++;
      return this.values++;
    }
    if (this.starts('"')) {
      const end = this.source.indexOf('"', this.at + 1);
      const text = this.source.slice(this.at + 1, end);
      if (end < 0 || text.includes(VALUE)) {
        throw this.fail("a quoted value has no end, or contains a value");
      }
      this.at = end + 1;
      return text;
    }
    return this.take(BARE);
  }

  close() {
    const end = this.source.indexOf(">", this.at);
    if (end < 0) {
      throw this.fail("an element is not closed");
    }
    this.at = end + 1;
  }

  all() {
    const parts = this.parts();
    if (this.at < this.source.length) {
      throw this.fail("nothing is open here");
    }
    return parts;
  }
}

const parsed = /** @type {WeakMap<TemplateStringsArray, Part[]>} */ (new WeakMap());

/** @returns {any} */
function build(/** @type {Part} */ part, /** @type {any[]} */ values) {
  if (typeof part === "number") {
    return values[part];
  }
  if (typeof part === "string") {
    return part;
  }
  const props = /** @type {Record<string, any>} */ ({});
  for (const [name, value] of part.props) {
    props[name] = typeof value === "number" ? values[value] : value;
  }
  const tag = typeof part.tag === "number" ? values[part.tag] : part.tag;
  return h(tag, props, ...part.children.map((child) => build(child, values)));
}

/**
 * An element, or several, of a template. Values are names of components, values of attributes, or children.
 *
 * @param {TemplateStringsArray} strings
 * @param {any[]} values
 * @returns {any}
 */
export function html(strings, ...values) {
  let parts = parsed.get(strings);
  if (!parts) {
    parts = new Parser(strings.join(VALUE)).all();
    parsed.set(strings, parts);
  }
  return parts.length === 1 ? build(parts[0], values) : parts.map((part) => build(part, values));
}
