// Lists of any length: only the visible rows exist, and windows of data come from the server when they are needed.
import { html, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useSize, useState } from "./ui.js";

/** Browsers limit the height of elements; a longer list is scrolled in proportion. */
const MAX_HEIGHT = 8_000_000;
const OVERSCAN = 6;
/** Rows that are read together. */
export const WINDOW = 100;
const MAX_WINDOWS = 40;

/**
 * Windows of rows with consecutive indexes, as many as needed, and at most {@link MAX_WINDOWS} in memory.
 */
export class Windows {
  /**
   * @param {(from: number, limit: number, signal: AbortSignal) => Promise<any[]>} load rows from an index on
   * @param {() => void} changed called when rows arrive
   */
  constructor(load, changed) {
    this.load = load;
    this.changed = changed;
    this.windows = /** @type {Map<number, any[]>} */ (new Map());
    this.requests = /** @type {Map<number, AbortController>} */ (new Map());
    this.problem = /** @type {any} */ (null);
    /** Windows whose last request failed; until retry, no other is requested. */
    this.failed = /** @type {Set<number>} */ (new Set());
    this.wanted = { first: 0, last: 0 };
    this.closed = false;
  }

  /** The row with an index, or undefined while it is not loaded. */
  row(/** @type {number} */ index) {
    return this.windows.get(Math.floor(index / WINDOW))?.[index % WINDOW];
  }

  /** Loads the rows of a range; aborts requests for rows that are far from it. */
  need(/** @type {number} */ first, /** @type {number} */ last) {
    this.wanted = { first, last };
    const low = Math.floor(Math.max(0, first) / WINDOW);
    const high = Math.floor(Math.max(0, last) / WINDOW);
    for (const [key, controller] of this.requests) {
      if (key < low - 1 || key > high + 1) {
        controller.abort();
        this.requests.delete(key);
      }
    }
    for (let key = low; key <= high; key++) {
      this.fetch(key);
    }
  }

  /** Loads a window again, such as the last one of a growing conversation. */
  refresh(/** @type {number} */ index) {
    const key = Math.floor(index / WINDOW);
    if (!this.requests.has(key)) {
      this.fetch(key, true);
    }
  }

  /** Requests what failed or was not requested since; the problem remains until a response. */
  retry() {
    const failed = [...this.failed];
    this.failed.clear();
    failed.forEach((key) => this.fetch(key, true));
    this.need(this.wanted.first, this.wanted.last);
  }

  fetch(/** @type {number} */ key, again = false) {
    const known = this.windows.get(key);
    if (known && !again) {
      // Most recently used last.
      this.windows.delete(key);
      this.windows.set(key, known);
      return;
    }
    if (this.closed || this.requests.has(key) || this.failed.size > 0) {
      return;
    }
    const controller = new AbortController();
    this.requests.set(key, controller);
    this.load(key * WINDOW, WINDOW, controller.signal).then(
      (rows) => {
        if (!controller.signal.aborted) {
          this.requests.delete(key);
          this.problem = null;
          this.windows.set(key, rows);
          for (const old of this.windows.keys()) {
            if (this.windows.size <= MAX_WINDOWS) {
              break;
            }
            this.windows.delete(old);
          }
          this.changed();
        }
      },
      (failure) => {
        if (!controller.signal.aborted) {
          this.requests.delete(key);
          this.failed.add(key);
          this.problem = failure;
          this.changed();
        }
      },
    );
  }

  close() {
    this.closed = true;
    this.requests.forEach((controller) => controller.abort());
    this.requests.clear();
  }
}

/** Windows that live as long as the view and its key. */
export function useWindows(/** @type {(from: number, limit: number, signal: AbortSignal) => Promise<any[]>} */ load, /** @type {string} */ key) {
  const [, changed] = useReducer((/** @type {number} */ n) => n + 1, 0);
  const latest = useRef(load);
  latest.current = load;
  const windows = useMemo(
    () => new Windows((from, limit, signal) => latest.current(from, limit, signal), () => changed(0)),
    [key],
  );
  useEffect(() => {
    windows.closed = false;
    return () => windows.close();
  }, [windows]);
  return windows;
}

/**
 * A list box of rows with equal heights. Arrow keys, Page Up and Down, Home and End select a row.
 *
 * @param {{
 *   total: number,
 *   height: number,
 *   selected: number,
 *   onSelect: (index: number, clicked: boolean) => void,
 *   onRange?: (first: number, last: number) => void,
 *   row: (index: number) => any,
 *   rowClass?: (index: number) => string,
 *   label: string,
 *   id: string,
 *   header?: any,
 *   rowLabel?: (index: number) => string | undefined,
 * }} props
 */
export function VirtualList({ total, height, selected, onSelect, onRange, row, rowClass, label, id, header, rowLabel }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const size = useSize(box);
  const [top, setTop] = useState(0);
  const [head, setHead] = useState(0);
  useLayoutEffect(() => setHead(box.current?.querySelector(".virtual-header")?.clientHeight ?? 0));
  const view = Math.max(0, size.height - head);
  const visible = Math.max(1, Math.ceil(view / height));
  const inner = Math.min(total * height, MAX_HEIGHT);
  const scale = Math.max(1, (total * height - view) / Math.max(1, inner - view));
  const virtualTop = top * scale;
  const first = Math.max(0, Math.floor(virtualTop / height) - OVERSCAN);
  const last = Math.min(total - 1, first + visible + 2 * OVERSCAN);

  useEffect(() => {
    if (total > 0) {
      onRange?.(first, last);
    }
  }, [first, last, total, id]);

  const show = (/** @type {number} */ index, /** @type {boolean} */ center) => {
    const element = box.current;
    if (!element || size.height === 0) {
      return;
    }
    const from = index * height;
    let target = null;
    if (center && (from < virtualTop || from + height > virtualTop + view)) {
      target = from - view / 2 + height / 2;
    } else if (from < virtualTop) {
      target = from;
    } else if (from + height > virtualTop + view) {
      target = from - view + height;
    }
    if (target !== null) {
      element.scrollTop = Math.max(0, target) / scale;
      setTop(element.scrollTop);
    }
  };
  useEffect(() => {
    if (selected >= 0) {
      show(selected, true);
    }
  }, [selected, size.height > 0, total > 0]);

  // A selected row that is shown stays so when the list gets smaller.
  const isShown = selected >= 0 && selected * height >= virtualTop && (selected + 1) * height <= virtualTop + view;
  const wasShown = useRef(false);
  useEffect(() => {
    if (wasShown.current && !isShown) {
      show(selected, true);
    }
  }, [size.height]);
  useEffect(() => {
    wasShown.current = isShown;
  });

  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const moves = /** @type {Record<string, number>} */ ({
      ArrowDown: selected + 1,
      ArrowUp: selected - 1,
      PageDown: selected + visible - 1,
      PageUp: selected - visible + 1,
      Home: 0,
      End: total - 1,
    });
    const to = moves[event.key];
    if (to !== undefined && total > 0 && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
      const index = Math.min(total - 1, Math.max(0, to));
      show(index, false);
      onSelect(index, false);
    }
  };

  const rows = [];
  for (let index = first; index <= last; index++) {
    rows.push(html`<div
      key=${index}
      id=${`${id}-${index}`}
      class=${`virtual-row ${rowClass?.(index) ?? ""}`}
      role="option"
      aria-selected=${index === selected ? "true" : "false"}
      aria-setsize=${total}
      aria-posinset=${index + 1}
      aria-label=${rowLabel?.(index)}
      style=${{ top: `${index * height - virtualTop + top}px`, height: `${height}px` }}
      onClick=${() => onSelect(index, true)}
    >
      ${row(index)}
    </div>`);
  }
  return html`<div class="virtual" ref=${box} onScroll=${(/** @type {any} */ e) => setTop(e.currentTarget.scrollTop)}>
    ${header && html`<div class="virtual-header">${header}</div>`}
    <div
      class="virtual-rows"
      role="listbox"
      tabindex="0"
      aria-label=${label}
      aria-activedescendant=${selected >= first && selected <= last ? `${id}-${selected}` : undefined}
      style=${{ height: `${inner}px` }}
      onKeyDown=${onKeyDown}
    >
      ${rows}
    </div>
  </div>`;
}
