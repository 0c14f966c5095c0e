// Charts, drawn as SVG; each has its numbers in a table too.
import { Time, VERDICTS } from "./parts.js";
import { go } from "./router.js";
import { count, counted, plain } from "./text.js";
import { html, useRef, useSize, useState } from "./ui.js";

export const SERIES = ["ACCEPTED", "FLAGGED", "REJECTED", "UNDECODABLE"];

const HEIGHT = 168;
const BOTTOM = 20;
const DIGIT = 7;

/** A round number that is at least a value and has a whole half, for the end of an axis. */
function ceiling(/** @type {number} */ value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return ([2, 4, 6, 8, 10].find((step) => step * power >= value) ?? 10) * power;
}

const MINUTE = 60000;
const HOUR = 60 * MINUTE;
const INTERVALS = [5, 10, 15, 30].map((n) => n * MINUTE).concat([1, 2, 3, 6, 12, 24, 48].map((n) => n * HOUR));

/** Round times between two others, at equal distances, up to a maximum number. */
function ticksOf(/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ most) {
  const interval = INTERVALS.find((one) => (to - from) / one < most) ?? 48 * HOUR;
  const ticks = [];
  for (let time = Math.ceil(from / interval) * interval; time <= to; time += interval) {
    ticks.push(time);
  }
  return ticks;
}

function label(/** @type {number} */ time, /** @type {number} */ span) {
  const date = new Date(time);
  const clock = date.toISOString().slice(11, 16);
  return span > 2 * 86400000 ? date.toISOString().slice(5, 10) : clock;
}

/**
 * Stacked bars of verdicts over time.
 *
 * @param {{from: number, to: number, kept: number, complete: number, step: number,
 *     buckets: Map<number, Record<string, number>>, link: (verdict: string, times?: {from: string, to: string}) =>
 *     string}} props times in ms: the numbers before kept may be deleted, and those after complete may grow; link leads
 *     to the messages of a total, or of a bar
 */
export function TrafficChart({ from, to, kept, complete, step, buckets, link }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const { width } = useSize(box);
  const [at, setAt] = useState(/** @type {number | null} */ (null));
  const times = [];
  for (let time = Math.floor(from / step) * step; time < to; time += step) {
    times.push(time);
  }
  const sum = (/** @type {number} */ time) => SERIES.reduce((total, name) => total + (buckets.get(time)?.[name] ?? 0), 0);
  const max = ceiling(Math.max(1, ...times.map(sum)));
  const left = 16 + DIGIT * count(max).length;
  const plot = { width: Math.max(10, width - left - 8), height: HEIGHT - BOTTOM - 8 };
  const slot = plot.width / Math.max(1, times.length);
  const bar = Math.max(1, slot - Math.min(2, slot * 0.25));
  const total = times.reduce((all, time) => all + sum(time), 0);
  const x = (/** @type {number} */ time) => left + (plot.width * (time - from)) / (to - from);
  const bars = (/** @type {string} */ name, /** @type {number} */ time) => link(name, { from: new Date(time).toISOString(), to: new Date(time + step - 1).toISOString() });
  const shown = at === null ? null : { time: times[at], of: buckets.get(times[at]) ?? {} };
  return html`<figure class="chart" ref=${box}>
    <svg
      width="100%"
      height=${HEIGHT}
      role="img"
      aria-label=${`${count(total)} messages by verdict over time; the table below has the numbers`}
      onMouseLeave=${() => setAt(null)}
      onMouseMove=${(/** @type {any} */ e) => {
        const i = Math.floor((e.clientX - e.currentTarget.getBoundingClientRect().left - left) / slot);
        setAt(i >= 0 && i < times.length ? i : null);
      }}
    >
      ${[0, 0.5, 1].map(
        (part) => html`<line key=${part} class="grid" x1=${left} x2=${left + plot.width} y1=${8 + plot.height * (1 - part)} y2=${8 + plot.height * (1 - part)} />
          <text key=${"t" + part} class="axis" x=${left - 8} y=${8 + plot.height * (1 - part) + 4} text-anchor="end">${count(part * max)}</text>`,
      )}
      <defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="6" /></pattern></defs>
      ${kept > from && html`<rect class="not-kept" x=${left} y="8" width=${x(Math.min(kept, to)) - left} height=${plot.height} />`}
      ${at !== null && html`<rect class="cursor" x=${left + at * slot} y="8" width=${slot} height=${plot.height} />`}
      ${times.map((time, i) => {
        let top = 8 + plot.height;
        return SERIES.map((name) => {
          const value = buckets.get(time)?.[name] ?? 0;
          const height = (value / max) * plot.height;
          top -= height;
          return value > 0 && html`<rect key=${name + i} class=${"bar leads " + name.toLowerCase()} x=${left + i * slot} y=${top} width=${bar} height=${Math.max(1, height)} onClick=${() => go(bars(name, time))} />`;
        });
      })}
      ${complete < to && html`<rect class="open" x=${x(Math.max(complete, from))} y="8" width=${x(to) - x(Math.max(complete, from))} height=${plot.height} fill="url(#hatch)" />`}
      ${ticksOf(from, to, Math.max(4, Math.min(9, Math.floor(plot.width / 80)))).map(
        (time) =>
          // A label that would leave the chart is left out.
          x(time) >= left + 14 && x(time) <= left + plot.width - 8 && html`<text key=${"x" + time} class="axis time" x=${x(time)} y=${HEIGHT - 4} text-anchor="middle">${label(time, to - from)}</text>`,
      )}
    </svg>
    <figcaption>
      ${SERIES.map((name) => {
        const value = shown ? (shown.of[name] ?? 0) : times.reduce((all, time) => all + (buckets.get(time)?.[name] ?? 0), 0);
        return html`<span key=${name} class="legend"><span class=${"swatch " + name.toLowerCase()} aria-hidden="true"></span>${VERDICTS[name].label} <b>${shown || value === 0 ? count(value) : html`<a href=${link(name)} aria-label=${`${count(value)} ${VERDICTS[name].label.toLowerCase()}`}>${count(value)}</a>`}</b></span>`;
      })}
      ${kept > from && html`<span class="legend"><span class="swatch not-kept" aria-hidden="true"></span>not kept</span>`}
      ${complete < to && html`<span class="legend"><span class="swatch open" aria-hidden="true"></span>not complete</span>`}
      <span class="faint">${shown ? new Date(shown.time).toISOString().slice(0, 16).replace("T", " ") + " UTC" : "UTC"}</span>
    </figcaption>
    <details>
      <summary>Numbers</summary>
      <table class="rows compact-table"><caption class="sr-only">Messages by verdict over time</caption>
        <thead><tr><th scope="col">From (UTC)</th>${SERIES.map((name) => html`<th scope="col" class="num" key=${name}>${VERDICTS[name].label}</th>`)}</tr></thead>
        <tbody>${times.filter((time) => sum(time) > 0).slice(-200).map((time) => html`<tr key=${time}><th scope="row">${new Date(time).toISOString().slice(0, 16).replace("T", " ")}</th>${SERIES.map((name) => {
          const value = buckets.get(time)?.[name] ?? 0;
          return html`<td class="num" key=${name}>${value === 0 ? "0" : html`<a href=${bars(name, time)}>${count(value)}</a>`}</td>`;
        })}</tr>`)}</tbody>
      </table>
    </details>
  </figure>`;
}

const LAG_HEIGHT = 64;
/** What the history of lag has for each minute. */
const LAGS = [
  ["lag", "not read", "flagged"],
  ["pending", "in flight", "accepted"],
];

/** Pairs of bars: the most inputs that were not read, or had no verdict, in each minute. */
export function LagChart({ history }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const { width } = useSize(box);
  const most = (/** @type {string} */ name) => Math.max(0, ...history.map((/** @type {any} */ sample) => sample[name]));
  const max = ceiling(Math.max(1, most("lag"), most("pending")));
  const left = 16 + DIGIT * count(max).length;
  const slot = Math.max(2, (width - left) / Math.max(1, history.length));
  return html`<figure class="chart lag-chart" ref=${box}>
    <svg width="100%" height=${LAG_HEIGHT + 16} role="img" aria-label=${`At most ${LAGS.map(([name, text]) => `${count(most(name))} ${text}`).join(" and ")} in the last ${counted(history.length, "minute")}; the table below has the numbers`}>
      ${[0, 1].map((part) => html`<line key=${part} class="grid" x1=${left} x2=${width} y1=${8 + LAG_HEIGHT * (1 - part)} y2=${8 + LAG_HEIGHT * (1 - part)} /><text key=${"t" + part} class="axis" x=${left - 8} y=${12 + LAG_HEIGHT * (1 - part)} text-anchor="end">${count(part * max)}</text>`)}
      ${history.map((/** @type {any} */ sample, /** @type {number} */ i) => LAGS.map(([name, , style], j) => {
        const height = (sample[name] / max) * LAG_HEIGHT;
        return html`<rect key=${sample.minute + name} class=${"bar " + style} x=${left + (i + 0.45 * j) * slot} y=${8 + LAG_HEIGHT - height} width=${0.4 * slot} height=${height} />`;
      }))}
    </svg>
    <figcaption>${LAGS.map(([name, text, style]) => html`<span key=${name} class="legend"><span class=${"swatch " + style} aria-hidden="true"></span>${text}, at most <b>${count(most(name))}</b></span>`)}<span class="faint">the most in each of the last ${counted(history.length, "minute")}</span></figcaption>
    <details>
      <summary>Numbers</summary>
      <table class="rows compact-table"><caption class="sr-only">Inputs without a verdict over time</caption>
        <thead><tr><th scope="col">Minute (UTC)</th>${LAGS.map(([name, text]) => html`<th scope="col" class="num" key=${name}>${text}</th>`)}</tr></thead>
        <tbody>${history.map((/** @type {any} */ sample) => html`<tr key=${sample.minute}><th scope="row">${sample.minute.slice(11, 16)}</th>${LAGS.map(([name]) => html`<td class="num" key=${name}>${count(sample[name])}</td>`)}</tr>`)}</tbody>
      </table>
    </details>
  </figure>`;
}

/** Says up to when statistics are complete, and since when they are kept. */
export function Completeness({ of }) {
  const cut = of?.keptFrom && Date.parse(of.keptFrom) > Date.parse(of.from);
  return (
    of &&
    html`<span class="faint">${of.completeTo ? html`complete up to <${Time} value=${of.completeTo} form="clock" />` : "records wait to be counted: not complete"}${cut && html`, kept since <${Time} value=${of.keptFrom} />`}</span>`
  );
}

/** Names with a bar in proportion to a number. */
export function Bars({ rows, caption }) {
  const max = Math.max(1, ...rows.map((/** @type {any} */ row) => row.value));
  return html`<ul class="bars" aria-label=${caption}>
    ${rows.map(
      (/** @type {any} */ row) => html`<li key=${row.key}>
        <span class="bars-name">${row.name}</span>
        <span class="bars-track" aria-hidden="true"><span class=${"bars-fill " + (row.style ?? "")} style=${{ width: `${Math.max(0.5, (100 * row.value) / max)}%` }}></span></span>
        <span class="number">${row.text ?? count(row.value)}</span>
      </li>`,
    )}
  </ul>`;
}

/** Space for the names of agents next to the ellipse. */
const NAME_WIDTH = 90;
const NAME_HEIGHT = 34;

/** Angles of points on an ellipse, at equal distances along it, from the top. */
function evenly(/** @type {number} */ n, /** @type {{x: number, y: number}} */ radius) {
  const STEPS = 720;
  const angle = (/** @type {number} */ step) => (2 * Math.PI * step) / STEPS - Math.PI / 2;
  const lengths = [0];
  for (let step = 0; step < STEPS; step++) {
    lengths.push(lengths[step] + Math.hypot(radius.x * Math.sin(angle(step)), radius.y * Math.cos(angle(step))));
  }
  return Array.from({ length: n }, (_, i) => angle(lengths.findIndex((length) => length >= (i * lengths[STEPS]) / n)));
}

/**
 * A graph of agents on an ellipse. The width of an edge is its share of messages, its color the share of errors. An
 * edge leads to its messages.
 *
 * @param {{agents: any[], edges: any[], selected: any, spaces: boolean, onSelect: (id: string | null) => void,
 *     link: (edge: any) => string | null}} props edges are from and to an agent; spaces is whether to name namespaces
 */
export function AgentGraph({ agents, edges, selected, spaces, onSelect, link }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const { width } = useSize(box);
  const height = Math.min(520, Math.max(360, width));
  const nameOf = (/** @type {any} */ agent) => (spaces && agent.namespace ? `${agent.name} (${agent.namespace})` : agent.name);
  const n = agents.length;
  const center = { x: width / 2, y: height / 2 };
  const radius = { x: Math.max(40, Math.min(center.x - NAME_WIDTH, 1.25 * center.y)), y: center.y - NAME_HEIGHT };
  const angles = evenly(n, radius);
  const place = new Map(
    agents.map((agent, i) => {
      const angle = angles[i];
      return [agent, { x: center.x + radius.x * Math.cos(angle), y: center.y + radius.y * Math.sin(angle), angle }];
    }),
  );
  const most = Math.max(1, ...edges.map((edge) => edge.messages));
  const busiest = Math.max(1, ...agents.map((agent) => agent.messages));
  const skip = (/** @type {any} */ event) => {
    event.preventDefault();
    /** @type {HTMLElement | null} */ (document.querySelector(".agents-table button"))?.focus();
  };
  return html`<div ref=${box} class="graph-box"><a class="skip" href="#main" onClick=${skip}>Skip the links of the graph</a><svg class=${"graph" + (selected === null ? "" : " focused")} width="100%" height=${height} role="group" aria-label=${`Graph of ${n} agents; the tables have the same data`}>
    ${edges.map((edge) => {
      const a = place.get(edge.from);
      const b = place.get(edge.to);
      if (!a || !b) {
        return null;
      }
      const active = selected === null || edge.from === selected || edge.to === selected;
      const share = edge.errors / Math.max(1, edge.messages);
      const width = 1 + 5 * Math.sqrt(edge.messages / most);
      const bend = 0.55;
      const mx = center.x + ((a.x + b.x) / 2 - center.x) * bend + (b.y - a.y) * 0.06;
      const my = center.y + ((a.y + b.y) / 2 - center.y) * bend - (b.x - a.x) * 0.06;
      const path =
        a === b
          ? `M${a.x} ${a.y}c${40 * Math.cos(a.angle - 0.5)} ${40 * Math.sin(a.angle - 0.5)} ${40 * Math.cos(a.angle + 0.5)} ${40 * Math.sin(a.angle + 0.5)} 0 0`
          : `M${a.x} ${a.y}Q${mx} ${my} ${b.x} ${b.y}`;
      const line = html`<path class=${`edge ${share > 0.25 ? "bad" : share > 0 ? "mixed" : ""} ${active ? "active" : ""}`} d=${path} stroke-width=${width} stroke-dasharray=${share > 0.25 ? "6 4" : undefined} />`;
      const to = link(edge);
      const name = `${plain(nameOf(edge.from), 60)} to ${plain(edge.to.name, 60)}: ${counted(edge.messages, "message")}, ${counted(edge.errors, "error")}`;
      return to
        ? html`<a key=${edge.key} class="edge-link" href=${to} aria-label=${name}><title>${name}</title><path class="edge-target" d=${path} />${line}</a>`
        : html`<g key=${edge.key} role="img" aria-label=${name}><title>${name}</title>${line}</g>`;
    })}
    ${agents.map((agent) => {
      const at = /** @type {any} */ (place.get(agent));
      const right = Math.cos(at.angle) >= -0.01;
      const top = Math.abs(Math.cos(at.angle)) < 0.2;
      const r = 5 + 9 * Math.sqrt(agent.messages / busiest);
      return html`<g key=${agent.id} class=${"agent" + (selected === agent ? " selected" : "")} onClick=${() => onSelect(selected === agent ? null : agent.id)}>
        <circle cx=${at.x} cy=${at.y} r=${r} />
        <text x=${top ? at.x : at.x + (right ? r + 6 : -r - 6)} y=${top ? at.y + (Math.sin(at.angle) > 0 ? r + 16 : -r - 8) : at.y + 4} text-anchor=${top ? "middle" : right ? "start" : "end"}>${plain(nameOf(agent), top || width > 480 ? 16 : 11)}</text>
      </g>`;
    })}
  </svg></div>`;
}
