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
 * @param {unknown[]} dependencies
 * @returns {{data: T | null, problem: any, loading: boolean, reload: () => void}} data stays while newer data loads
 */
export function useLoad(load, dependencies) {
  const [state, setState] = useState(/** @type {any} */ ({ data: null, problem: null, loading: true }));
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setState((/** @type {any} */ old) => ({ ...old, loading: true }));
    load(controller.signal).then(
      (data) => controller.signal.aborted || setState({ data, problem: null, loading: false }),
      (problem) => controller.signal.aborted || setState({ data: null, problem, loading: false }),
    );
    return () => controller.abort();
  }, [...dependencies, round]);
  return { ...state, reload: () => setRound((old) => old + 1) };
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
