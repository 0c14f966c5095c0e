// Binds the view library: h and render of Preact, its hooks, and templates.
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "./vendor/hooks.js";
import htm from "./vendor/htm.js";
import { h } from "./vendor/preact.js";

export { render } from "./vendor/preact.js";
export * from "./vendor/hooks.js";
export { h };

/** Elements of a template, as calls of {@link h}: no build step, and no strings that become markup. */
export const html = htm.bind(h);

/** Problems of mounted views that end by themselves, with the time of the first. */
const outages = /** @type {{problems: Set<any>, since: Date | null}} */ ({ problems: new Set(), since: null });
let onOutage = /** @type {(outage: any) => void} */ (() => {});

/** Has a function called now, and whenever a view has such a problem, or none has any more. */
export function whenOutagesChange(/** @type {(outage: {problem: any, since: Date} | null) => void} */ listener) {
  onOutage = listener;
  reportOutages();
}

function reportOutages() {
  const [problem] = outages.problems;
  outages.since = problem ? (outages.since ?? new Date()) : null;
  onOutage(problem ? { problem, since: outages.since } : null);
}

/** Whether a problem ends by itself. A position that is not visible yet is the subject of its request. */
function passes(/** @type {any} */ problem) {
  return (problem?.status === 503 && problem.code !== "POSITION_NOT_SHOWN") || problem?.status === 429;
}

const REPEAT_MS = 4000;

/**
 * The problem of a view, unless it ends by itself: then the banner of the page reports it, and the view is loaded
 * again.
 *
 * @param {any} problem
 * @param {() => void} reload
 */
export function useProblem(problem, reload) {
  const passing = passes(problem) ? problem : null;
  useEffect(() => {
    if (passing === null) {
      return undefined;
    }
    outages.problems.add(passing);
    reportOutages();
    const timer = setTimeout(reload, REPEAT_MS);
    return () => {
      clearTimeout(timer);
      outages.problems.delete(passing);
      // After the effect of a problem that follows, which continues the outage.
      queueMicrotask(reportOutages);
    };
  }, [passing]);
  return passing === null ? problem : null;
}

/**
 * Loads data for a view, and aborts the request when the view or its dependencies change.
 *
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} load
 * @param {unknown[]} dependencies what is loaded: data of other dependencies is not returned
 * @param {unknown} version with each new one, the same is loaded again, unless it is loading
 * @returns {{data: T | null, problem: any, loading: boolean, reload: () => void}} data stays while it loads again, also
 *     after a problem of {@link useProblem}
 */
export function useLoad(load, dependencies, version = 0) {
  const [state, setState] = useState(/** @type {any} */ (NOTHING));
  const [round, setRound] = useState(0);
  const key = JSON.stringify(dependencies);
  const busy = useRef(false);
  useEffect(() => {
    const controller = new AbortController();
    const settle = (/** @type {(old: any) => any} */ next) => {
      if (!controller.signal.aborted) {
        busy.current = false;
        setState((/** @type {any} */ old) => ({ key, data: null, problem: null, loading: false, ...next(old) }));
      }
    };
    busy.current = true;
    setState((/** @type {any} */ old) => ({ ...old, loading: true }));
    load(controller.signal).then(
      (data) => settle(() => ({ data })),
      (problem) => settle((old) => ({ problem, data: passes(problem) && old.key === key ? old.data : null })),
    );
    return () => controller.abort();
  }, [key, round]);
  const reload = () => setRound((old) => old + 1);
  useEffect(() => {
    // A slow response is not aborted by each new version.
    if (!busy.current) {
      reload();
    }
  }, [version]);
  const current = state.key === key ? state : NOTHING;
  return { ...current, problem: useProblem(current.problem, reload), reload };
}

/**
 * Loads the items of a list, page by page; those so far are returned at once.
 *
 * @param {(cursor: string | null, signal: AbortSignal) => Promise<{items: any[], next: string | null}>} load reads a
 *     page
 * @param {unknown[]} dependencies as for {@link useLoad}
 * @returns {{data: any, complete: boolean, problem: any, reload: () => void}}
 */
export function usePages(load, dependencies) {
  const [state, setState] = useState(/** @type {any} */ ({ data: null, complete: false, problem: null }));
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setState((/** @type {any} */ old) => ({ ...old, data: null, complete: false }));
    (async () => {
      const items = /** @type {any[]} */ ([]);
      let cursor = null;
      do {
        const page = /** @type {any} */ (await load(cursor, controller.signal));
        items.push(...page.items);
        cursor = page.next;
        setState({ data: items.slice(), complete: cursor === null, problem: null });
      } while (cursor !== null);
    })().catch((problem) => controller.signal.aborted || setState({ data: null, complete: false, problem }));
    return () => controller.abort();
  }, [JSON.stringify(dependencies), round]);
  const reload = () => setRound((old) => old + 1);
  return { ...state, problem: useProblem(state.problem, reload), reload };
}

const NOTHING = { key: null, data: null, problem: null, loading: true };

const drafts = /** @type {Map<string, any>} */ (new Map());

/**
 * State of a form, which stays in memory while other pages are shown, until the caller signs out or a reload.
 *
 * @template T
 * @param {string} key names the form, what it is about, and the caller
 * @param {T} initial
 * @returns {[T, (value: T) => void]} the state, and a function that sets it; the initial value ends the draft
 */
export function useDraft(key, initial) {
  const [, changed] = useReducer((/** @type {number} */ n) => n + 1, 0);
  const set = (/** @type {T} */ value) => {
    if (value === initial) {
      drafts.delete(key);
    } else {
      drafts.set(key, value);
    }
    changed(0);
  };
  return [drafts.has(key) ? drafts.get(key) : initial, set];
}

/** Forgets the state of all forms. */
export function forgetDrafts() {
  drafts.clear();
}

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

const helps = /** @type {Set<string[][]>} */ (new Set());

/** The keys of the page and what they do. */
export function keyHelp() {
  return [...helps].flat();
}

/**
 * Calls a function with each key press outside of form fields and dialogs, without modifiers.
 *
 * @param {(key: string) => boolean} handle returns whether it has used the key
 * @param {string[][]} help pairs of keys and what they do
 */
export function useKeys(handle, help) {
  const latest = useRef(handle);
  latest.current = handle;
  useEffect(() => {
    helps.add(help);
    return () => {
      helps.delete(help);
    };
  }, []);
  useEffect(() => {
    const listener = (/** @type {KeyboardEvent} */ event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (event.ctrlKey || event.altKey || event.metaKey || target.isContentEditable || target.closest("input, textarea, select, dialog")) {
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
