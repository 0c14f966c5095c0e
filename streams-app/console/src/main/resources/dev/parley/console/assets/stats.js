// Statistics of a range of time, as the overview and the agents page read them.
import * as api from "./api.js";
import { useEffect, useLoad, useState } from "./ui.js";

/** Applications that all data passes. */
export const ALWAYS = ["pipeline", "views"];

/** Enough for a chart; more rows are left out, and the pages say so. */
const MAX_ROWS = 50000;

export const RANGES = [
  ["1h", "Last hour", 3600, 60],
  ["6h", "Last 6 hours", 21600, 300],
  ["24h", "Last 24 hours", 86400, 900],
  ["7d", "Last 7 days", 604800, 7200],
];

const STEPS = [60, 300, 900, 3600, 7200, 21600, 86400];
const MAX_STEPS = 120;

/** Seconds of a range, and of the step of its charts: of a preset, else between two times of an address. */
export function rangeOf(/** @type {string | undefined} */ name, /** @type {Record<string, string>} */ query = {}) {
  const from = Date.parse(query.from ?? "") / 1000;
  const to = query.to ? Date.parse(query.to) / 1000 : Date.now() / 1000;
  const preset = RANGES.find((range) => range[0] === name);
  if (!preset && to > from) {
    const step = STEPS.find((one) => (to - from) / one <= MAX_STEPS) ?? STEPS[STEPS.length - 1];
    const first = Math.floor(from / step) * step;
    return { key: `${query.from}/${query.to}`, label: "Chosen time", seconds: Math.ceil((to - first) / step) * step, step, first };
  }
  const [key, label, seconds, step] = /** @type {[string, string, number, number]} */ (preset ?? RANGES[0]);
  return { key, label, seconds, step, first: null };
}

/** The first time of a range; a preset ends with the step of now. */
export function sinceOf(/** @type {any} */ range) {
  return new Date((range.first ?? Math.floor(Date.now() / 1000 / range.step + 1) * range.step - range.seconds) * 1000).toISOString();
}

/** A number that grows while the page is visible, to read statistics again. */
export function useTicks(/** @type {number} */ ms) {
  const [tick, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && setTick((old) => old + 1), ms);
    return () => clearInterval(timer);
  }, [ms]);
  return tick;
}

/** Rows of a kind of statistics. */
export function useStats(/** @type {string} */ kind, /** @type {any} */ range, /** @type {any} */ query, /** @type {number} */ tick) {
  return useLoad(
    async (signal) => {
      const from = sinceOf(range);
      const asked = { from, to: new Date(Date.parse(from) + range.seconds * 1000).toISOString(), step: range.step, limit: 1000, ...query };
      const rows = /** @type {any[]} */ ([]);
      let cursor = null;
      let page;
      do {
        page = /** @type {any} */ (await api.get(`/v1/stats/${kind}`, { ...asked, cursor }, signal));
        rows.push(...page.rows);
        cursor = page.next;
      } while (cursor !== null && rows.length < MAX_ROWS);
      return { ...page, rows, complete: cursor === null };
    },
    [kind, range.key, query],
    tick,
  );
}

/** Sums of rows by a key. */
export function sums(/** @type {any[]} */ rows, /** @type {(row: any) => string} */ key, /** @type {(row: any) => number} */ value) {
  const result = /** @type {Map<string, number>} */ (new Map());
  for (const row of rows) {
    result.set(key(row), (result.get(key(row)) ?? 0) + value(row));
  }
  return [...result].sort((a, b) => b[1] - a[1]);
}

const UNITS = /** @type {Record<string, number>} */ ({ ms: 1, s: 1000, m: 60000, h: 3600000 });

/** Columns of the cumulative histogram of a turnaround, with their bounds in milliseconds. */
const WITHIN = "10ms 20ms 50ms 100ms 200ms 500ms 1s 2s 5s 10s 20s 30s 1m 2m 5m 10m 30m 1h 2h 6h 24h".split(" ").map((bound) => ({
  name: `within${bound}`,
  ms: parseInt(bound, 10) * UNITS[bound.replace(/\d+/, "")],
}));

/** Outcomes whose time is not that of an answer. */
const UNANSWERED = ["CANCELED", "HUNG"];

/** Answered rows of turnaround with the same key in one, the slowest first by their 95th percentile. */
export function turnarounds(/** @type {any[]} */ rows, /** @type {(row: any) => string} */ key) {
  const merged = /** @type {Map<string, any>} */ (new Map());
  for (const row of rows.filter(({ outcome }) => !UNANSWERED.includes(outcome))) {
    const sum = merged.get(key(row));
    if (!sum) {
      merged.set(key(row), { ...row, key: key(row) });
      continue;
    }
    sum.items += row.items;
    sum.maxMs = Math.max(sum.maxMs, row.maxMs);
    WITHIN.forEach(({ name }) => (sum[name] += row[name]));
  }
  return [...merged.values()]
    .map((sum) => ({ ...sum, median: quantile(sum, 0.5), p95: quantile(sum, 0.95) }))
    .sort((a, b) => b.p95 - a.p95 || b.maxMs - a.maxMs || a.key.localeCompare(b.key));
}

/** Milliseconds within which a share of the items were closed, to the next bound, at most the longest. */
function quantile(/** @type {any} */ row, /** @type {number} */ share) {
  const found = WITHIN.find(({ name }) => row[name] >= share * row.items);
  return found ? Math.min(found.ms, row.maxMs) : row.maxMs;
}
