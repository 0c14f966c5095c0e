// All conversations, filtered, in stable pages.
import * as api from "../api.js";
import { LiveTail } from "../live.js";
import { Choice, Code, Empty, Entry, Icon, Label, Loaded, PROTOCOLS, PageHeader, Protocol, Time, Verdict, protocolName } from "../parts.js";
import { conversationLink, go, href } from "../router.js";
import { count, counted } from "../text.js";
import { html, useEffect, useLoad, useState } from "../ui.js";

const LIMIT = 50;
const FILTERS = ["namespace", "protocol", "verdict", "code", "sender", "from", "to"];

/** The share of each verdict in a bar, with the counts as its name. */
export function Shares({ of }) {
  const parts = [
    ["accepted", of.accepted],
    ["flagged", of.flagged],
    ["rejected", of.rejected],
    ["undecodable", of.undecodable],
  ].filter((part) => part[1] > 0);
  const total = parts.reduce((sum, part) => sum + part[1], 0);
  const label = parts.map((part) => `${count(part[1])} ${part[0]}`).join(", ");
  return html`<span class="shares" role="img" aria-label=${label} title=${label}>
    ${parts.map((part) => html`<span key=${part[0]} class=${part[0]} style=${{ flexGrow: String(Math.max(part[1] / total, 0.04)) }}></span>`)}
  </span>`;
}

function Row({ item }) {
  const errors = item.rejected + item.undecodable;
  return html`<tr>
    <td class="main">
      <a href=${conversationLink(item)}><${Label} value=${item.conversation} /></a>
      <span class="sub">${item.protocol === "UNKNOWN" ? "undecodable records of an input partition" : html`<${Label} value=${item.namespace} max=${60} />`}</span>
    </td>
    <td><${Protocol} name=${item.protocol} /></td>
    <td class="num" data-label="Messages">${count(item.messages)}</td>
    <td class="bar-cell"><${Shares} of=${item} /></td>
    <td class="num" data-label="Errors">${errors > 0 ? html`<span class="strong-rejected">${count(errors)}</span>` : html`<span class="faint">0</span>`}</td>
    <td class="last"><${Verdict} name=${item.lastVerdict} />${item.lastCode && html` <${Code} name=${item.lastCode} />`}</td>
    <td class="time"><${Time} value=${item.lastTime} form="ago" /></td>
  </tr>`;
}

function Filters({ query, codes }) {
  const set = (/** @type {string} */ name) => (/** @type {string} */ value) =>
    go(href(["conversations"], { ...query, [name]: value.trim(), cursor: "" }));
  const used = FILTERS.filter((name) => query[name]);
  return html`<form class="filters" role="search" aria-label="Filter conversations" onSubmit=${(/** @type {any} */ e) => e.preventDefault()}>
    <${Choice}
      label="Verdict"
      name="verdict"
      value=${query.verdict ?? ""}
      onChange=${set("verdict")}
      options=${[
        ["", "Any verdict"],
        ["rejected", "Has rejected"],
        ["undecodable", "Has undecodable"],
        ["flagged", "Has flagged"],
        ["accepted", "Has accepted"],
      ]}
    />
    <${Choice}
      label="Protocol"
      name="protocol"
      value=${query.protocol ?? ""}
      onChange=${set("protocol")}
      options=${[["", "Any protocol"], ...PROTOCOLS.map((name) => [name.toLowerCase(), protocolName(name)])]}
    />
    <${Entry} label="Namespace" name="namespace" value=${query.namespace} onChange=${set("namespace")} placeholder="any" />
    <${Entry} label="Code" name="code" value=${query.code} onChange=${set("code")} placeholder="any" list="codes" />
    <datalist id="codes">${codes.map((/** @type {any} */ code) => html`<option key=${code.code} value=${code.code}></option>`)}</datalist>
    ${used.length > 0 && html`<a class="button quiet" href=${href(["conversations"])}>Clear ${counted(used.length, "filter")}</a>`}
    <a class="button quiet end" href=${href(["search"])}><${Icon} name="search" /> Search text, agents and times</a>
  </form>`;
}

export function Conversations({ place, me }) {
  const { query } = place;
  const [codes, setCodes] = useState(/** @type {any[]} */ ([]));
  const asked = { ...Object.fromEntries(FILTERS.map((name) => [name, query[name]])), cursor: query.cursor, limit: LIMIT };
  const state = useLoad((signal) => api.get("/v1/conversations", asked, signal), [JSON.stringify(asked)]);
  useEffect(() => {
    api.allCodes().then(setCodes, () => setCodes([]));
  }, []);
  return html`
    <${PageHeader} title="Conversations" lead="Messages with one namespace, protocol and conversation ID, in one audit chain each." />
    <${Filters} query=${query} codes=${codes} />
    <div class="split-live">
      <div aria-busy=${state.loading}>
        <${Loaded} state=${state} lines=${12}>
          ${(/** @type {any} */ data) =>
            data.items.length === 0
              ? html`<${Empty} title="No conversation matches">
                  ${query.cursor ? "This page is the end of the list." : "Change a filter, or send messages to the input topic."}
                <//>`
              : html`<div class="table-box">
                  <table class="rows conversations">
                    <caption class="sr-only">Conversations</caption>
                    <thead>
                      <tr>
                        <th scope="col">Conversation</th>
                        <th scope="col">Protocol</th>
                        <th scope="col" class="num">Messages</th>
                        <th scope="col">Verdicts</th>
                        <th scope="col" class="num">Errors</th>
                        <th scope="col">Last verdict</th>
                        <th scope="col" class="time">Last message</th>
                      </tr>
                    </thead>
                    <tbody>
                      ${data.items.map((/** @type {any} */ item) => html`<${Row} key=${item.chain} item=${item} />`)}
                    </tbody>
                  </table>
                </div>`}
        <//>
        ${state.data &&
        html`<nav class="pager" aria-label="Pages">
          ${query.cursor && html`<a class="button" href=${href(["conversations"], { ...query, cursor: "" })}>First page</a>`}
          <span class="faint">In the order of namespace, protocol and ID</span>
          ${state.data.next &&
          html`<a class="button primary-quiet" href=${href(["conversations"], { ...query, cursor: state.data.next })}
            >Next page <${Icon} name="right"
          /></a>`}
        </nav>`}
      </div>
      ${me.features?.tail &&
      html`<${LiveTail} query=${{ namespace: query.namespace, protocol: query.protocol, verdict: query.verdict, code: query.code }} />`}
    </div>
  `;
}
