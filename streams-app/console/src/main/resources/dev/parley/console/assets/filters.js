// The filters of the lists of messages and conversations.
import * as api from "./api.js";
import { Choice, Entry } from "./parts.js";
import { protocolName, protocols } from "./protocols.js";
import { href } from "./router.js";
import { capital, counted } from "./text.js";
import { html, useEffect, useMedia, useState } from "./ui.js";

const VERDICTS = ["accepted", "rejected", "flagged", "undecodable"];

/** The names of all codes, warnings included; none until they are loaded. */
export function useCodes() {
  const [codes, setCodes] = useState(/** @type {string[]} */ ([]));
  useEffect(() => {
    api.allCodes().then(
      (all) => setCodes(all.map((code) => code.code)),
      () => setCodes([]),
    );
  }, []);
  return codes;
}

/** Codes that contain a text, in any case and with spaces for underscores. */
export function codesLike(/** @type {string} */ text, /** @type {string[]} */ codes) {
  const wanted = text.trim().toUpperCase().replaceAll(" ", "_");
  return codes.includes(wanted) ? [wanted] : codes.filter((code) => code.includes(wanted));
}

/** The code that a text means, if there is only one. */
function codeOf(/** @type {string} */ text, /** @type {string[]} */ codes) {
  const like = codesLike(text, codes);
  return text.trim() !== "" && like.length === 1 ? like[0] : text;
}

/** Label and placeholder of the filters that are texts. */
const TEXTS = /** @type {Record<string, [string, string]>} */ ({
  namespace: ["Namespace", "any"],
  code: ["Code", "any"],
  sender: ["Sender", "any"],
  recipient: ["Recipient", "any"],
  reference: ["Reference", "trace:…"],
  q: ["Words", "any"],
  from: ["From (UTC)", "2026-01-31T12:00Z"],
  to: ["To (UTC)", "now"],
});

/**
 * Filters in a line; on a phone folded, so that they do not push the list away.
 *
 * @param {{page: string, query: Record<string, string>, names: string[], set: (name: string) => (value: string) =>
 *     void, verdicts?: string}} props names of the filters; verdicts is a word before each verdict
 */
export function Filters({ page, query, names, set, verdicts = "" }) {
  const codes = useCodes();
  const folded = useMedia("(max-width: 639px)");
  const used = names.filter((name) => query[name]).length;
  const filters = html`<div class="filters">
    ${names.map((name) =>
      name === "verdict"
        ? html`<${Choice} key=${name} label="Verdict" name=${name} value=${query.verdict ?? ""} onChange=${set(name)}
            options=${[["", "Any verdict"], ...VERDICTS.map((verdict) => [verdict, capital(verdicts + verdict)])]} />`
        : name === "protocol"
          ? html`<${Choice} key=${name} label="Protocol" name=${name} value=${query.protocol ?? ""} onChange=${set(name)}
              options=${[["", "Any protocol"], ...protocols().map((protocol) => [protocol.toLowerCase(), protocolName(protocol)])]} />`
          : html`<${Entry} key=${name} label=${TEXTS[name][0]} name=${name} value=${query[name]} onChange=${name === "code" ? (/** @type {string} */ text) => set(name)(codeOf(text, codes)) : set(name)} placeholder=${TEXTS[name][1]}
              list=${name === "code" && codes.length > 0 ? "codes" : undefined} />`,
    )}
    ${codes.length > 0 && html`<datalist id="codes">${codes.map((code) => html`<option key=${code} value=${code}></option>`)}</datalist>`}
    ${used > 0 && html`<a class="button quiet" href=${href([page], { q: names.includes("q") ? "" : query.q })}>Clear ${counted(used, "filter")}</a>`}
  </div>`;
  return folded
    ? html`<details class="filter-fold"><summary>Filters${used > 0 ? `: ${counted(used, "filter")} set` : ""}</summary>${filters}</details>`
    : filters;
}
