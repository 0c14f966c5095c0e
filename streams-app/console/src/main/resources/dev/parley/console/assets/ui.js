// Binds the view library: h and Fragment of Preact, its hooks, and templates.
import { Fragment, createContext, h, render } from "./vendor/preact.js";
import {
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "./vendor/hooks.js";

import { html } from "./template.js";

export {
  Fragment,
  createContext,
  h,
  html,
  render,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
};

/**
 * Loads data for a view, and aborts the request when the view or its dependencies change.
 *
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} load
 * @param {unknown[]} dependencies what is loaded: data of other dependencies is not returned
 * @param {unknown} version with each new one, the same is loaded again
 * @returns {{data: T | null, problem: any, loading: boolean, reload: () => void}} data stays while it loads again
 */
export function useLoad(load, dependencies, version = 0) {
  const [state, setState] = useState(/** @type {any} */ (NOTHING));
  const [round, setRound] = useState(0);
  const key = JSON.stringify(dependencies);
  useEffect(() => {
    const controller = new AbortController();
    setState((/** @type {any} */ old) => ({ ...old, loading: true }));
    load(controller.signal).then(
      (data) => controller.signal.aborted || setState({ key, data, problem: null, loading: false }),
      (problem) => controller.signal.aborted || setState({ key, data: null, problem, loading: false }),
    );
    return () => controller.abort();
  }, [key, version, round]);
  return { ...(state.key === key ? state : NOTHING), reload: () => setRound((old) => old + 1) };
}

const NOTHING = { key: null, data: null, problem: null, loading: true };

/** Whether a media query matches now. */
export function useMedia(/** @type {string} */ media) {
  const [matches, setMatches] = useState(() => matchMedia(media).matches);
  useEffect(() => {
    const query = matchMedia(media);
    const listener = () => setMatches(query.matches);
    listener();
    query.addEventListener("change", listener);
    return () => query.removeEventListener("change", listener);
  }, [media]);
  return matches;
}

/** Calls a function with each key press outside of form fields, without modifiers. */
export function useKeys(/** @type {(key: string) => boolean} */ handle) {
  const latest = useRef(handle);
  latest.current = handle;
  useEffect(() => {
    const listener = (/** @type {KeyboardEvent} */ event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) {
        return;
      }
      if (latest.current(event.key)) {
        event.preventDefault();
      }
    };
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}

/** Width and height of an element, in CSS pixels. */
export function useSize(/** @type {{current: HTMLElement | null}} */ ref) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) {
      return undefined;
    }
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return size;
}

let announcer = /** @type {((text: string) => void) | null} */ (null);

/** Has screen readers read a sentence. */
export function announce(/** @type {string} */ text) {
  announcer?.(text);
}

/** The live region of {@link announce}. */
export function Announcer() {
  const [text, setText] = useState("");
  useEffect(() => {
    announcer = setText;
    return () => {
      announcer = null;
    };
  }, []);
  return html`<div class="sr-only" role="status" aria-live="polite">${text}</div>`;
}
