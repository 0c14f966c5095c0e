// What a reader has chosen about the console itself, such as columns and named views. It has no data and no token.
import { useEffect, useReducer } from "./ui.js";

const PREFIX = "parley.";

const chosen = /** @type {Map<string, string | null>} */ (new Map());
const listeners = /** @type {Set<() => void>} */ (new Set());

/** Uses the storage of the browser, which may refuse it: then a choice ends with a reload. */
function stored(/** @type {(storage: Storage) => string | null} */ use) {
  try {
    return use(localStorage);
  } catch {
    return null;
  }
}

/** Remembers a choice in this browser; null forgets it. */
export function choose(/** @type {string} */ name, /** @type {string | null} */ value) {
  chosen.set(name, value);
  stored((storage) => {
    if (value === null) {
      storage.removeItem(PREFIX + name);
    } else {
      storage.setItem(PREFIX + name, value);
    }
    return null;
  });
  listeners.forEach((listener) => listener());
}

/** A choice, as it changes; null if there is none. */
export function useSetting(/** @type {string} */ name) {
  const [, changed] = useReducer((/** @type {number} */ n) => n + 1, 0);
  useEffect(() => {
    const listener = () => changed(0);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  if (!chosen.has(name)) {
    chosen.set(name, stored((storage) => storage.getItem(PREFIX + name)));
  }
  return chosen.get(name) ?? null;
}

/** Whether times are those of the reader's clock, in place of UTC. */
export function useLocalTime() {
  return useSetting("zone") === "local";
}
