// A list of items: sorted by its headings, with a total, chosen columns, and new items when the reader wants them.
import { Copy, Icon } from "./parts.js";
import { absolute } from "./range.js";
import { go, href } from "./router.js";
import { choose, useSetting } from "./settings.js";
import { useTicks } from "./stats.js";
import { TakeAway } from "./take.js";
import { count } from "./text.js";
import { html, useEffect, useLoad, useState } from "./ui.js";

/**
 * @typedef {{key: string, name: string, cell: (item: any) => any, className?: string, label?: (item: any) => string,
 *     sort?: string, value?: (item: any) => number, first?: "asc" | "desc", initial?: "asc" | "desc",
 *     optional?: boolean, off?: boolean, row?: boolean, meaning?: string}} Column cell is its content; label is its
 *     name next to the content on a phone; sort is the name of its order, value what {@link sorted} sorts by, first the
 *     direction of the first click (descending), initial that of the list without a choice; an optional column may be
 *     hidden, one that is off is hidden until it is chosen; row marks the heading of each row
 */

const REFRESH_MS = 5000;

/** The order of a list in its address: the column, and the direction. */
export function orderOf(/** @type {Column[]} */ columns, /** @type {Record<string, string>} */ query) {
  const initial = columns.find((column) => column.initial);
  const column = columns.find((one) => one.sort !== undefined && one.sort === query.sort) ?? initial;
  const order = ["asc", "desc"].find((one) => one === query.order) ?? (column === initial ? column?.initial : column?.first) ?? "desc";
  return { sort: column?.sort, order };
}

/** The items of a list that is not read in pages, in its order; equal ones stay as they are. */
export function sorted(/** @type {any[]} */ items, /** @type {Column[]} */ columns, /** @type {Record<string, string>} */ query) {
  const { sort, order } = orderOf(columns, query);
  const value = columns.find((column) => column.sort === sort)?.value;
  const sign = order === "asc" ? 1 : -1;
  return value ? items.slice().sort((a, b) => sign * (value(a) - value(b))) : items;
}

/** The columns that are shown, as the reader chose them. */
function useColumns(/** @type {string} */ name, /** @type {Column[]} */ columns) {
  const chosen = useSetting("columns." + name)?.split(",");
  return columns.filter((column) => (!column.optional && !column.off) || (chosen ? chosen.includes(column.key) : !column.off));
}

/**
 * The table of a list.
 *
 * @param {{name: string, caption: string, columns: Column[], items: any[], id: (item: any) => string, path: string[],
 *     query: Record<string, string>, className?: string, box?: string, current?: (item: any) => boolean}} props name is
 *     that of its settings; id identifies an item; path and query are the address of the list; box is the class of what
 *     scrolls
 */
export function List({ name, caption, columns, items, id, path, query, className = "", box = "", current = () => false }) {
  const shown = useColumns(name, columns);
  const { sort, order } = orderOf(columns, query);
  const by = (/** @type {Column} */ column) => go(href(path, { ...query, cursor: "", sort: column.sort, order: column.sort !== sort ? (column.first ?? "desc") : order === "desc" ? "asc" : "desc" }));
  return html`<div class=${"table-box " + box}><table class=${"rows " + className}>
    <caption class="sr-only">${caption}</caption>
    <thead><tr>${shown.map((column) => html`<th key=${column.key} scope="col" class=${column.className} aria-sort=${column.sort !== undefined && column.sort === sort ? order + "ending" : undefined}>${
      column.sort ? html`<button type="button" class="sort" title=${column.meaning} onClick=${() => by(column)}>${column.name}${column.sort === sort && html`<${Icon} name=${order === "desc" ? "down" : "up"} size=${12} />`}</button>` : column.name
    }</th>`)}</tr></thead>
    <tbody>${items.map((item) => html`<tr key=${id(item)} class=${current(item) ? "current" : ""}>${shown.map((column) =>
      column.row
        ? html`<th key=${column.key} scope="row" class=${column.className}>${column.cell(item)}</th>`
        : html`<td key=${column.key} class=${column.className} data-label=${column.label?.(item)}>${column.cell(item)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

/**
 * What is over a list: how much it has, what is new, which columns it shows, and a link to it.
 *
 * @param {{name: string, columns: Column[], path: string[], query: Record<string, string>, live?: {fresh: number, more:
 *     boolean, show: () => void} | null, take?: any, children: any}} props live is that of {@link useLive}; take has
 *     the properties of {@link TakeAway}
 */
export function ListBar({ name, columns, path, query, live = null, take = null, children }) {
  const shown = useColumns(name, columns);
  const toggle = (/** @type {Column} */ column) =>
    choose("columns." + name, columns.filter((one) => (one === column) !== shown.includes(one)).map((one) => one.key).join(","));
  const optional = columns.filter((column) => column.optional || column.off);
  return html`<div class="list-bar">
    <p class="result-count faint" role="status">${children}</p>
    ${live !== null && live.fresh > 0 && html`<button type="button" class="small fresh" onClick=${live.show}>${count(live.fresh)}${live.more ? " or more" : ""} new: show</button>`}
    ${optional.length > 0 && html`<details class="columns"><summary>Columns</summary><div>${optional.map((column) => html`<label key=${column.key}><input type="checkbox" checked=${shown.includes(column)} onChange=${() => toggle(column)} /> ${column.name}</label>`)}</div></details>`}
    <${Copy} text=${() => new URL(href(path, absolute(query)), location.href).href} label="link to this" />
    ${take && html`<${TakeAway} ...${take} place=${{ path, query }} />`}
  </div>`;
}

/**
 * Loads a page of a list, and looks for new items without showing them, so that nothing moves while it is read. What
 * it showed stays while the same list is loaded in another order.
 *
 * @param {(signal: AbortSignal) => Promise<{items: any[]} & Record<string, any>>} load
 * @param {unknown[]} list what is listed, without order and page
 * @param {unknown[]} page its order and page
 * @param {(item: any) => string} version identifies an item with its content: a changed one is new
 * @returns {any} the result of useLoad, with the number of new items, whether there may be more, and a function that
 *     shows them
 */
export function useLive(load, list, page, version) {
  const state = useLoad(load, [list, page], useTicks(REFRESH_MS));
  const ofList = JSON.stringify(list);
  const ofPage = JSON.stringify([list, page]);
  const [kept, keep] = useState(/** @type {any} */ ({ data: null }));
  const show = () => keep({ ofList, ofPage, data: state.data });
  useEffect(() => {
    if (state.data !== null && kept.ofPage !== ofPage) {
      show();
    }
  }, [state.data, ofPage]);
  const data = kept.ofPage !== ofPage && state.data !== null ? state.data : kept.ofList === ofList ? kept.data : null;
  const known = new Set(data?.items.map(version));
  const fresh = kept.ofPage === ofPage ? (state.data ?? data).items.filter((/** @type {any} */ item) => !known.has(version(item))).length : 0;
  return { ...state, data, fresh, more: fresh > 0 && fresh === state.data?.items.length, show };
}
