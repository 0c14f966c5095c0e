// Patches that wait for their bases.
import * as api from "../api.js";
import { List, ListBar, useLive } from "../list.js";
import { Icon, Label, Loaded, Nothing, PageHeader, Text, Time } from "../parts.js";
import { conversationLink, href } from "../router.js";
import { useTicks } from "../stats.js";
import { counted } from "../text.js";
import { html, useLoad } from "../ui.js";

const COUNTED = 100;
const REFRESH_MS = 10000;

/** How many patches of a context wait, with a link to them; nothing if none does. */
export function WaitingPatches({ namespace, conversation }) {
  const { data } = useLoad((signal) => api.getPage("/v1/parked", { namespace, conversation, limit: COUNTED }, signal), [namespace, conversation], useTicks(REFRESH_MS));
  return (
    data?.items.length > 0 &&
    html`<p class="note"><${Icon} name="pause" size=${13} /> <a href=${href(["parked"], { namespace, conversation })}>${data.next ? "at least " : ""}${counted(data.items.length, "patch waits for its base", "patches wait for their bases")}</a></p>`
  );
}

/** When a patch expires. Its time passes with the records of its partition of conversations, not with the clock. */
function Until({ value }) {
  return html`<${Time} value=${value} />${Date.parse(value) < Date.now() && html` <span class="warned">has passed: expires with the next record of its partition</span>`}`;
}

/** @type {import("../list.js").Column[]} */
const COLUMNS = [
  { key: "context", name: "Context", row: true, cell: (item) => html`${item.links.conversation ? html`<a href=${conversationLink({ ...item, protocol: "csp" })}><${Label} value=${item.conversation} max=${60} /></a>` : html`<${Text} value=${item.conversation} max=${60} />`} <span class="faint"><${Label} value=${item.namespace} max=${40} /></span>` },
  { key: "patch", name: "Patch", cell: (item) => html`<${Text} value=${item.patch} max=${40} />` },
  { key: "from", name: "From", optional: true, cell: (item) => html`<${Text} value=${item.sender ?? "unknown"} max=${40} />` },
  { key: "base", name: "Waits for", cell: (item) => html`<${Text} value=${item.base} max=${40} />` },
  { key: "target", name: "Creates", optional: true, cell: (item) => html`<${Text} value=${item.target} max=${40} />` },
  { key: "since", name: "Received", optional: true, cell: (item) => html`<${Time} value=${item.since} form="ago" />` },
  { key: "until", name: "Expires", optional: true, cell: (item) => html`<${Until} value=${item.until} />` },
  { key: "position", name: "Input position", optional: true, cell: (item) => html`<${Text} value=${item.position} max=${80} />` },
];

const PATH = ["parked"];

export function Parked({ place, me, status }) {
  const { namespace, conversation, cursor } = place.query;
  const total = status.data?.pipeline.total.parked;
  const state = useLive((signal) => api.getPage("/v1/parked", { namespace, conversation, cursor, limit: 50 }, signal), [namespace, conversation], [cursor], (item) => item.position);
  const parked = total !== undefined && `${counted(total, "patch is", "patches are")} parked in all contexts${namespace || conversation ? "; this list has some of them" : ""}`;
  return html`<${PageHeader} title="Parked patches" crumbs=${html`<a href=${href([])}>Overview</a>`} lead="CSP patches that wait for their bases. Each has a verdict when its base arrives, or when it expires: the oldest, which expires next, is first." />
    <${Loaded} state=${state} lines=${8}>
      ${(/** @type {any} */ data) => html`<${ListBar} name="parked" columns=${COLUMNS} path=${PATH} query=${place.query} live=${cursor ? null : state}>${parked}<//>
        ${data.items.length === 0
          ? html`<${Nothing} me=${me} query=${{ namespace, conversation }} title=${cursor ? "This page is the end of the list" : namespace || conversation ? "No patch is parked here" : "No patch is parked"} />`
          : html`<${List} name="parked" caption="Parked patches" className="parked-table" columns=${COLUMNS} items=${data.items} id=${(/** @type {any} */ item) => item.position} path=${PATH} query=${place.query} />
              ${data.next && html`<nav class="pager" aria-label="Pages"><a class="button primary-quiet" href=${href(PATH, { namespace, conversation, cursor: data.next })}>Next page <${Icon} name="right" /></a></nav>`}`}`}
    <//>`;
}
