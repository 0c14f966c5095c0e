// The range of time that a page shows: in its address a preset, or two absolute times.
import { Choice } from "./parts.js";
import { choose, useLocalTime } from "./settings.js";
import { RANGES } from "./stats.js";
import { html } from "./ui.js";

const CUSTOM = "custom";

function presetOf(/** @type {Record<string, string>} */ query) {
  return /** @type {[string, string, number, number] | undefined} */ (RANGES.find((range) => range[0] === query.range));
}

const second = (/** @type {number} */ ms) => new Date(ms).toISOString().replace(/\.\d+/, "");

/** The times that the API gets: those of a preset end now, and have no end, so that new messages belong to them. */
export function boundsOf(/** @type {Record<string, string>} */ query) {
  const preset = presetOf(query);
  return preset ? { from: second(Date.now() - preset[2] * 1000), to: undefined } : { from: query.from, to: query.to };
}

/** The address of the same view, for others and for later: a range that ends now, or has no end, ends where it does. */
export function absolute(/** @type {Record<string, string>} */ query) {
  const { from, to } = boundsOf(query);
  return { ...query, range: "", from, to: to ?? (from ? second(Date.now()) : undefined) };
}

/** A time as the picker has it: without its zone. */
function picked(/** @type {string | undefined} */ time, /** @type {boolean} */ local) {
  const ms = Date.parse(time ?? "");
  return Number.isNaN(ms) ? "" : second(ms - (local ? new Date(ms).getTimezoneOffset() * 60000 : 0)).slice(0, -1);
}

/**
 * Presets, a picker of two times, and the zone of all times in the console.
 *
 * @param {{query: Record<string, string>, set: (changes: Record<string, string>) => void, any?: boolean, clock?:
 *     boolean}} props any: whether there may be no range; clock: whether the range may be of times that senders claim
 */
export function Range({ query, set, any = false, clock = false }) {
  const local = useLocalTime();
  const value = presetOf(query)?.[0] ?? (query.from || query.to || query.range === CUSTOM ? CUSTOM : any ? "" : RANGES[0][0]);
  const change = (/** @type {string} */ range) => {
    const { from, to } = absolute(query);
    set(range === CUSTOM ? { range: from ? "" : CUSTOM, from: from ?? "", to: to ?? "" } : { range, from: "", to: "" });
  };
  const entry = (/** @type {"from" | "to"} */ name) => html`<label class="field"
    ><span>${name === "from" ? "From" : "To"}</span>
    <input type="datetime-local" name=${name} step="1" value=${picked(query[name], local)} onChange=${(/** @type {any} */ e) => {
      const ms = Date.parse(e.currentTarget.value + (local ? "" : "Z"));
      set({ range: CUSTOM, [name]: Number.isNaN(ms) ? "" : second(ms) });
    }} />
  </label>`;
  return html`<fieldset class="range"><legend class="sr-only">Time</legend>
    <${Choice} label="Time" name="range" value=${value} onChange=${change} options=${[...(any ? [["", "Any time"]] : []), ...RANGES.map((range) => [range[0], range[1]]), [CUSTOM, "From … to …"]]} />
    ${value === CUSTOM && entry("from")}${value === CUSTOM && entry("to")}
    ${clock && value !== "" && html`<${Choice} label="By the time" name="clock" value=${query.clock ?? ""} onChange=${(/** @type {string} */ by) => set({ clock: by })} options=${[["", "received"], ["claimed", "its sender claims"]]} />`}
    <${Choice} label="Shown in" name="zone" value=${local ? "local" : ""} onChange=${(/** @type {string} */ zone) => choose("zone", zone || null)} options=${[["", "UTC"], ["local", "local time"]]} />
  </fieldset>`;
}
