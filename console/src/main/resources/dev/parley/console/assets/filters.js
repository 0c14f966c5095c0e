// The filters of the lists of messages and conversations.
import { Choice, Entry, PROTOCOLS, protocolName } from "./parts.js";
import { href } from "./router.js";
import { counted } from "./text.js";
import { html, useMedia } from "./ui.js";

const VERDICTS = ["accepted", "rejected", "flagged", "undecodable"];

/** Label and placeholder of the filters that are texts. */
const TEXTS = /** @type {Record<string, [string, string]>} */ ({
  namespace: ["Namespace", "any"],
  code: ["Code", "any"],
  sender: ["Sender", "any"],
  q: ["Words", "any"],
  from: ["From (UTC)", "2026-01-31T12:00Z"],
  to: ["To (UTC)", "now"],
});

/**
 * Filters in a line; on a phone folded, so that they do not push the list away.
 *
 * @param {{page: string, query: Record<string, string>, names: string[], set: (name: string) => (value: string) => void,
 *     verdicts?: string, codes?: any[]}} props names of the filters; verdicts is a word before each verdict
 */
export function Filters({ page, query, names, set, verdicts = "", codes = [] }) {
  const folded = useMedia("(max-width: 639px)");
  const used = names.filter((name) => query[name]).length;
  const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);
  const filters = html`<div class="filters">
    ${names.map((name) =>
      name === "verdict"
        ? html`<${Choice} key=${name} label="Verdict" name=${name} value=${query.verdict ?? ""} onChange=${set(name)}
            options=${[["", "Any verdict"], ...VERDICTS.map((verdict) => [verdict, capital(verdicts + verdict)])]} />`
        : name === "protocol"
          ? html`<${Choice} key=${name} label="Protocol" name=${name} value=${query.protocol ?? ""} onChange=${set(name)}
              options=${[["", "Any protocol"], ...PROTOCOLS.map((protocol) => [protocol.toLowerCase(), protocolName(protocol)])]} />`
          : html`<${Entry} key=${name} label=${TEXTS[name][0]} name=${name} value=${query[name]} onChange=${set(name)} placeholder=${TEXTS[name][1]}
              list=${name === "code" && codes.length > 0 ? "codes" : undefined} />`,
    )}
    ${codes.length > 0 && html`<datalist id="codes">${codes.map((code) => html`<option key=${code.code} value=${code.code}></option>`)}</datalist>`}
    ${used > 0 && html`<a class="button quiet" href=${href([page], { q: names.includes("q") ? "" : query.q })}>Clear ${counted(used, "filter")}</a>`}
  </div>`;
  return folded
    ? html`<details class="filter-fold"><summary>Filters${used > 0 ? `: ${counted(used, "filter")} set` : ""}</summary>${filters}</details>`
    : filters;
}
