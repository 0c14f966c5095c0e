// Patches that wait for their bases.
import * as api from "../api.js";
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

export function Parked({ place, me, status }) {
  const { namespace, conversation, cursor } = place.query;
  const total = status.data?.pipeline.total.parked;
  const state = useLoad((signal) => api.getPage("/v1/parked", { namespace, conversation, cursor, limit: 50 }, signal), [namespace, conversation, cursor]);
  return html`<${PageHeader} title="Parked patches" crumbs=${html`<a href=${href([])}>Overview</a>`} lead="CSP patches that wait for their bases. Each has a verdict when its base arrives, or when it expires: the oldest, which expires next, is first." />
    ${total !== undefined && html`<p class="result-count faint" role="status">${counted(total, "patch is", "patches are")} parked in all contexts${namespace || conversation ? "; this list has some of them" : ""}</p>`}
    <${Loaded} state=${state} lines=${8}>
      ${(/** @type {any} */ data) =>
        data.items.length === 0
          ? html`<${Nothing} title=${cursor ? "This page is the end of the list" : namespace || conversation ? "No patch is parked here" : "No patch is parked"} me=${me} query=${{ namespace, conversation }} />`
          : html`<div class="table-box" tabindex="0"><table class="rows parked-table">
                <caption class="sr-only">Parked patches</caption>
                <thead><tr><th scope="col">Context</th><th scope="col">Patch</th><th scope="col">From</th><th scope="col">Waits for</th><th scope="col">Creates</th><th scope="col">Received</th><th scope="col">Expires</th><th scope="col">Input position</th></tr></thead>
                <tbody>${data.items.map(
                  (/** @type {any} */ item) => html`<tr key=${item.position}>
                    <th scope="row">${item.links.conversation ? html`<a href=${conversationLink({ ...item, protocol: "csp" })}><${Label} value=${item.conversation} max=${60} /></a>` : html`<${Text} value=${item.conversation} max=${60} />`} <span class="faint"><${Label} value=${item.namespace} max=${40} /></span></th>
                    <td><${Text} value=${item.patch} max=${40} /></td>
                    <td><${Text} value=${item.sender ?? "unknown"} max=${40} /></td>
                    <td><${Text} value=${item.base} max=${40} /></td>
                    <td><${Text} value=${item.target} max=${40} /></td>
                    <td><${Time} value=${item.since} form="ago" /></td>
                    <td><${Until} value=${item.until} /></td>
                    <td><${Text} value=${item.position} max=${80} /></td>
                  </tr>`,
                )}</tbody>
              </table></div>
              ${data.next && html`<nav class="pager" aria-label="Pages"><a class="button primary-quiet" href=${href(["parked"], { namespace, conversation, cursor: data.next })}>Next page <${Icon} name="right" /></a></nav>`}`}
    <//>`;
}
