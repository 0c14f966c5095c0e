// One CSP context: its checkpoints, the state at any of them, differences, blame and history.
import * as api from "../api.js";
import { Difference } from "../message.js";
import { DraftInput, Empty, Fields, Hash, Icon, Label, Loaded, Loading, PageHeader, Problem, Protocol, Text, Time } from "../parts.js";
import { conversationLink, go, href, replace } from "../router.js";
import { bytesOf, count, counted, plain } from "../text.js";
import { TreeColumns } from "../tree.js";
import { announce, html, useEffect, useLoad, useMemo, usePages, useState } from "../ui.js";
import { VirtualList } from "../virtual.js";
import { useWide } from "./conversation.js";
import { WaitingPatches } from "./parked.js";
import { State } from "./state.js";

const PAGE = 1000;
const ROW = 40;
const COLUMN = 16;

/** The part of the tree that is next to one row. */
function Branches({ tree, row, node, onPath, selected }) {
  const x = (/** @type {number} */ column) => column * COLUMN + 10;
  const middle = ROW / 2;
  const column = tree.columns[row];
  const branches = tree.branches.get(row) ?? [];
  const drawn = [...new Set(branches.map((/** @type {any} */ chain) => chain.column))];
  return html`<svg class="branches" width=${tree.width * COLUMN + 4} height=${ROW} aria-hidden="true">
    ${tree.lines(row).map(
      (line, i) => html`
        ${line.above && html`<line key=${"a" + i} x1=${x(i)} x2=${x(i)} y1="0" y2=${middle} />`}
        ${line.below && html`<line key=${"b" + i} x1=${x(i)} x2=${x(i)} y1=${middle} y2=${ROW} />`}
      `,
    )}
    ${drawn.map((to) => html`<path key=${"c" + to} d=${`M${x(column)} ${middle} C ${x(to)} ${middle}, ${x(to)} ${middle + 6}, ${x(to)} ${ROW}`} />`)}
    <circle class=${`node ${node.head ? "tip" : ""} ${node.prunedAt ? "pruned" : ""} ${onPath ? "on-path" : ""} ${selected ? "selected" : ""}`} cx=${x(column)} cy=${middle} r=${node.head ? 5.5 : 4.5} />
  </svg>`;
}

function CheckpointRow({ node, tree, row, onPath, selected, base }) {
  return html`
    <${Branches} tree=${tree} row=${row} node=${node} onPath=${onPath} selected=${selected} />
    <span class="checkpoint-name"><b><${Label} value=${node.id} max=${40} /></b>${base && html`<span class="tag">base</span>`}${node.head && !base && html`<span class="tag">head</span>`}</span>
    <span class="checkpoint-by faint">${node.sender ? html`<${Label} value=${node.sender} max=${30} />` : "empty"}</span>
    <span class="checkpoint-ops number">${node.patch === null ? "" : counted(node.operationCount, "change")}</span>
    <span class="checkpoint-time faint">${node.time && html`<${Time} value=${node.time} form="clock" />`}</span>
  `;
}

const OPERATORS = /** @type {Record<string, string[]>} */ ({ ADD: ["+", "added"], CHANGE: ["~", "changed"], REMOVE: ["−", "removed"] });

function Patch({ base, id }) {
  const state = useLoad((signal) => api.get(`${base}/checkpoints/${api.path(id).slice(4)}`, {}, signal), [base, id]);
  return html`<${Loaded} state=${state}>
    ${(/** @type {any} */ node) => html`
      <${Fields}
        rows=${[
          ["Patch", html`<${Text} value=${node.patch ?? "none"} max=${60} />`],
          ["By", html`<${Text} value=${node.sender ?? "–"} max=${60} />`],
          ["Time", html`<${Time} value=${node.time} />`],
          ["State", `${bytesOf(node.stateBytes)}${node.snapshot ? ", stored as a snapshot" : ""}`],
          ["Hash", html`<${Hash} value=${node.hash} label="hash of the checkpoint" />`],
          node.prunedAt && ["Pruned", html`<${Time} value=${node.prunedAt} />`],
        ]}
      />
      ${node.operations.length === 0
        ? html`<p class="note">No change.</p>`
        : html`<ul class="diff">
            ${node.operations.slice(0, 1000).map((/** @type {any} */ op, /** @type {number} */ i) => {
              const [sign, label] = OPERATORS[op.operator] ?? ["?", "unknown change"];
              return html`<li key=${i} class=${label}><span class="op" role="img" aria-label=${label}>${sign}</span><${Text} value=${op.name} max=${160} /><span class="values"><${Text} value=${op.value ?? ""} max=${300} /></span></li>`;
            })}
          </ul>`}
    `}
  <//>`;
}

export function Context({ place }) {
  const [, namespace, name] = place.path;
  const { query } = place;
  const base = api.path("conversations", namespace, "csp", name);
  const checkpoints = usePages((cursor, signal) => api.get(`${base}/checkpoints`, { limit: PAGE, cursor }, signal), [base]);
  const nodes = checkpoints.data;
  const wide = useWide();
  const tree = useMemo(() => new TreeColumns(nodes ?? []), [nodes]);
  const latest = nodes ? nodes.length - 1 : -1;
  // The last checkpoint is known when all are.
  const row = query.at !== undefined ? (tree.rows.get(query.at) ?? -1) : checkpoints.complete ? latest : -1;
  const node = row >= 0 ? nodes[row] : null;
  const tab = ["state", "patch", "diff"].includes(query.view) ? query.view : "state";
  const from = query.from && tree.rows.has(query.from) ? query.from : (node?.parent ?? null);
  const link = (/** @type {Record<string, any>} */ changes) => href(["contexts", namespace, name], { ...query, ...changes });
  const path = useMemo(() => (node ? tree.path(node.id) : new Set()), [tree, node?.id]);
  const at = query.at !== undefined || node ? `checkpoint:${node?.id ?? query.at}` : "latest";
  // The slider moves at once; the state follows when it rests.
  const [settled, setSettled] = useState(at);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(at), 90);
    return () => clearTimeout(timer);
  }, [at]);
  useEffect(() => {
    if (nodes && query.at !== undefined && row < 0 && checkpoints.complete) {
      announce(`Checkpoint ${plain(query.at, 40)} is not in the tree.`);
    }
  }, [checkpoints.complete, row, query.at]);
  const choose = (/** @type {number} */ index, clicked = false) => (clicked ? go : replace)(link({ at: nodes[index].id }));
  return html`<div class="context-page">
    <${PageHeader}
      document=${`Context ${name}`}
      title=${html`<span class="title-kind">Context</span> <${Text} value=${name} max=${80} />`}
      crumbs=${html`<a href=${href(["conversations"], { protocol: "csp" })}>Contexts</a><span aria-hidden="true">/</span>
        <a href=${href(["conversations"], { namespace, protocol: "csp" })}><${Label} value=${namespace} max=${40} /></a><span aria-hidden="true">/</span><${Protocol} name="CSP" />`}
      actions=${html`<a class="button" href=${conversationLink({ namespace, protocol: "csp", conversation: name })}><${Icon} name="conversations" /> Messages</a>`}
    />
    <${WaitingPatches} namespace=${namespace} conversation=${name} />
    ${checkpoints.problem
      ? html`<${Problem} problem=${checkpoints.problem} retry=${checkpoints.reload} />`
      : nodes === null
        ? html`<${Loading} lines=${10} />`
        : html`
            <div class="slider-row">
              <label for="moment">Time</label>
              <input
                id="moment"
                type="range"
                min="0"
                max=${latest}
                value=${Math.max(0, row)}
                aria-valuetext=${node ? `${plain(node.id, 40)}${node.sender ? ", " + plain(node.sender, 40) : ""}` : ""}
                onInput=${(/** @type {any} */ e) => choose(Number(e.currentTarget.value))}
              />
              <output for="moment"><b>${node || query.at !== undefined ? html`<${Label} value=${node?.id ?? query.at} max=${30} />` : "–"}</b> <span class="faint">${node?.time ? html`<${Time} value=${node.time} />` : node ? "the empty state" : checkpoints.complete ? "is not in the tree" : ""}</span></output>
            </div>
            <div class="panes context-panes">
              <section class="pane" aria-label="Checkpoints">
                <div class="pane-head"><h2>Checkpoints</h2><span class="faint">${count(nodes.length)}${checkpoints.complete ? " in all" : " so far"}, ${counted(nodes.filter((/** @type {any} */ n) => n.head).length, "head")}</span></div>
                <${VirtualList}
                  id="checkpoints"
                  label="Checkpoints in the order of application. Arrow keys select one."
                  total=${nodes.length}
                  height=${ROW}
                  selected=${row}
                  onSelect=${choose}
                  rowClass=${(/** @type {number} */ i) => (path.has(i) ? "checkpoint on-path" : "checkpoint")}
                  rowLabel=${(/** @type {number} */ i) => `${plain(nodes[i].id, 40)}, parent ${plain(nodes[i].parent ?? "none", 40)}, ${counted(nodes[i].operationCount, "change")}${nodes[i].sender ? " by " + plain(nodes[i].sender, 40) : ""}`}
                  row=${(/** @type {number} */ i) => html`<${CheckpointRow} node=${nodes[i]} tree=${tree} row=${i} onPath=${path.has(i)} selected=${i === row} base=${tab === "diff" && nodes[i].id === from} />`}
                />
              </section>
              <section class="pane detail" aria-label="Checkpoint">
                <div class="pane-head">
                  <h2>${node ? html`<${Text} value=${node.id} max=${40} />` : html`<${Text} value=${query.at ?? ""} max=${40} />`}</h2>
                  <nav class="tabs" aria-label="Views of the checkpoint">
                    ${[["state", "State and who set it"], ["patch", "Patch"], ["diff", "Difference"]].map(
                      ([key, text]) => html`<a key=${key} href=${link({ view: key })} aria-current=${tab === key ? "page" : undefined}>${text}</a>`,
                    )}
                  </nav>
                </div>
                ${query.at === undefined && !checkpoints.complete
                  ? html`<${Loading} lines=${8} />`
                  : html`${tab === "state" && html`<${State} base=${base} at=${settled} entry=${query.entry} conversation=${{ namespace, protocol: "csp", conversation: name }} onEntry=${(/** @type {string} */ entry, clicked = false) => (clicked ? go : replace)(link({ entry }))} />`}
                ${tab === "patch" && (node ? html`<${Patch} base=${base} id=${node.id} />` : html`<${Empty} title="Not in the tree" />`)}
                ${tab === "diff" &&
                html`<div class="diff-tools">
                    <label class="field inline"><span>From</span>
                      <${DraftInput} list="checkpoint-ids" value=${from} onChange=${(/** @type {any} */ e) => go(link({ from: e.currentTarget.value.trim() }))} /></label>
                    <datalist id="checkpoint-ids">${nodes.slice(-200).map((/** @type {any} */ n) => html`<option key=${n.id} value=${n.id}></option>`)}</datalist>
                    <span>to <b>${node ? html`<${Label} value=${node.id} max=${40} />` : "–"}</b></span>
                    ${from && node && html`<a class="button quiet small" href=${link({ from: node.id, at: from })}>Swap</a>`}
                  </div>
                  ${from && node
                  ? html`<${Difference} base=${base} from=${`checkpoint:${from}`} to=${at} link=${(/** @type {string} */ entry) => link({ entry, view: "state" })} />`
                  : html`<${Empty} title="C0 has no parent">Choose a checkpoint to compare with.<//>`}`}`}
              </section>
            </div>
          `}
    ${!wide && html`<p class="note">Select a checkpoint, then scroll to its state.</p>`}
  </div>`;
}
