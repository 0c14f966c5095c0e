// Views are fragments (#/path?query): they can be shared, and neither servers nor proxies see the names in them.
import { isNamed } from "./protocols.js";
import { useEffect, useState } from "./ui.js";

/**
 * @typedef {{path: string[], query: Record<string, string>}} Place
 */

/** Parses a fragment; one that is not valid percent-encoding is an unknown page. */
export function parse(/** @type {string} */ hash) {
  const [, path, query] = /** @type {RegExpExecArray} */ (/^#?\/?([^?]*)\??(.*)$/s.exec(hash));
  try {
    return /** @type {Place} */ ({
      path: path.split("/").filter(Boolean).map(decodeURIComponent),
      query: Object.fromEntries(new URLSearchParams(query)),
    });
  } catch {
    return /** @type {Place} */ ({ path: ["?"], query: {} });
  }
}

/** The link to a view; parameters without a value are left out. */
export function href(/** @type {(string | number)[]} */ path, /** @type {Record<string, any>} */ query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "" && value !== false) {
      search.set(name, String(value));
    }
  }
  const tail = search.toString();
  return "#/" + path.map((part) => encodeURIComponent(part)).join("/") + (tail ? "?" + tail : "");
}

export function go(/** @type {string} */ link) {
  location.hash = link;
}

/** Changes the address of the same view, without an entry in the history. */
export function replace(/** @type {string} */ link) {
  history.replaceState(history.state, "", link);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

const SCROLL_REST_MS = 150;
const RETURN_MS = 5000;
const HELD_FRAMES = 10;

function scrolled() {
  return [document.scrollingElement, document.querySelector(".list")];
}

/** Keeps the scroll position of each entry of the history, and returns to it when its content is there again. */
export function keepScroll() {
  let rest = 0;
  let returning = 0;
  const save = () => {
    clearTimeout(rest);
    if (!returning) {
      history.replaceState({ scroll: scrolled().map((box) => box?.scrollTop ?? 0) }, "");
    }
  };
  const stay = () => {
    cancelAnimationFrame(returning);
    returning = 0;
  };
  addEventListener("scroll", () => { clearTimeout(rest); rest = setTimeout(save, SCROLL_REST_MS); }, true);
  addEventListener("click", save, true);
  ["wheel", "pointerdown", "keydown"].forEach((name) => addEventListener(name, stay, true));
  addEventListener("popstate", (event) => {
    clearTimeout(rest);
    stay();
    const wanted = /** @type {number[] | undefined} */ (event.state?.scroll);
    const end = performance.now() + RETURN_MS;
    let held = 0;
    const step = () => {
      const there = scrolled().every((box, i) => {
        const to = wanted?.[i] ?? 0;
        if (box && to > 0) {
          box.scrollTop = to;
        }
        return to === 0 || Math.abs((box?.scrollTop ?? 0) - to) < 2;
      });
      // The effects of the page that appears, which starts at its top, come after its first frame.
      held = there ? held + 1 : 0;
      returning = held > HELD_FRAMES || performance.now() > end ? 0 : requestAnimationFrame(step);
    };
    if (wanted) {
      returning = requestAnimationFrame(step);
    }
  });
}

/** The current place. */
export function usePlace() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const listener = () => setHash(location.hash);
    addEventListener("hashchange", listener);
    return () => removeEventListener("hashchange", listener);
  }, []);
  return parse(hash);
}

/** The link to a conversation. */
export function conversationLink(/** @type {any} */ c, query = {}) {
  return href(["conversations", c.namespace, String(c.protocol).toLowerCase(), c.conversation], query);
}

function fromBase64(/** @type {string} */ text) {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(bytes, (unit) => unit.charCodeAt(0)));
}

/** Namespace, protocol and conversation of a path of the API. */
export function ofPath(/** @type {string} */ path) {
  const [namespace, protocol, conversation] = path
    .slice(path.indexOf("/v1/conversations/"))
    .split("/")
    .slice(3)
    .map((part) => (part.startsWith("~") ? fromBase64(part.slice(1)) : decodeURIComponent(part)));
  return { namespace, protocol, conversation };
}

const NO_NAMESPACE = "-";

/** Namespace, protocol and conversation of the name of an audit chain, as in paths; null for any other text. */
export function ofChain(/** @type {string} */ chain) {
  const first = chain.indexOf("|");
  const second = chain.indexOf("|", first + 1);
  if (first < 0 || second < 0) {
    return null;
  }
  const decode = (/** @type {string} */ text) => text.replaceAll("%7C", "|").replaceAll("%25", "%");
  const protocol = chain.slice(first + 1, second);
  const known = isNamed(protocol);
  const rest = chain.slice(second + 1);
  return {
    namespace: decode(chain.slice(0, first)) || NO_NAMESPACE,
    protocol: known ? protocol : "EXTENSION",
    conversation: known ? rest : protocol + "|" + rest,
  };
}

/** The chain of a conversation that is named by its ID alone, in the namespace and protocol of another. */
export function sibling(/** @type {string} */ chain, /** @type {string} */ other) {
  const [namespace, protocol] = chain.split("|");
  return other.includes("|") || protocol === undefined ? other : `${namespace}|${protocol}|${other}`;
}
