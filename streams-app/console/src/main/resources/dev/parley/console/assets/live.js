// The live tail: records as Parley judges them.
import * as api from "./api.js";
import { Code, Label, Problem, Time, Verdict } from "./parts.js";
import { conversationLink } from "./router.js";
import { glossOf, plain, senderOf } from "./text.js";
import { html, useEffect, useRef, useState } from "./ui.js";

const MAX_ROWS = 60;

/** A list of the latest records, which can be paused; new ones are not read aloud one by one. */
export function LiveTail({ query, title = "Live" }) {
  const [rows, setRows] = useState(/** @type {any[]} */ ([]));
  const [status, setStatus] = useState("connecting");
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const [paused, setPaused] = useState(false);
  const waiting = useRef(/** @type {any[]} */ ([]));
  const held = useRef(false);
  held.current = paused;
  useEffect(() => {
    const controller = new AbortController();
    setProblem(null);
    setRows([]);
    const record = (/** @type {any} */ data) => {
      // Bounded, whatever the rate of the agents.
      waiting.current.unshift(data);
      waiting.current.length = Math.min(waiting.current.length, MAX_ROWS);
    };
    const timer = setInterval(() => {
      if (!held.current && waiting.current.length > 0) {
        const fresh = waiting.current;
        waiting.current = [];
        setRows((old) => [...fresh, ...old].slice(0, MAX_ROWS));
      }
    }, 250);
    api.follow("/v1/tail", query, { record, status: setStatus }, controller.signal).catch(setProblem);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [JSON.stringify(query)]);
  return html`<section class="panel live" aria-label=${title}>
    <header>
      <h2><span class=${"live-dot " + (status === "live" && !paused ? "on" : "")} aria-hidden="true"></span>${title}</h2>
      <div class="aside">
        <span class="faint">${paused ? "paused" : plain(status, 60)}</span>
        <button type="button" class="small" aria-pressed=${paused ? "true" : "false"} onClick=${() => setPaused(!paused)}>
          ${paused ? "Resume" : "Pause"}
        </button>
      </div>
    </header>
    ${problem
      ? html`<${Problem} problem=${problem} />`
      : rows.length === 0
        ? html`<p class="note">Records appear here as Parley judges them.</p>`
        : html`<ol class="live-rows">
            ${rows.map((row) => html`<${LiveRow} key=${row.chain + "@" + row.sequence} row=${row} />`)}
          </ol>`}
  </section>`;
}

function LiveRow({ row }) {
  return html`<li>
    <${Verdict} name=${row.verdict} compact=${true} />
    <div>
      <a href=${conversationLink(row, { m: row.sequence })}><${Label} value=${row.conversation} max=${40} /> <span class="faint">#${row.sequence}</span></a>
      <span class="live-gloss">${row.gloss ? html`<${Label} value=${glossOf(row)} max=${140} />` : html`<${Label} value=${senderOf(row) ?? "unknown sender"} max=${60} />`}</span>
      ${row.code && html`<${Code} name=${row.code} />`}
    </div>
    <${Time} value=${row.time} form="clock" />
  </li>`;
}
