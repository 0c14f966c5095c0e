// The pages of the documentation that rules and codes refer to, from the Markdown that this build contains.
import * as api from "../api.js";
import { Loaded, PageHeader } from "../parts.js";
import { href } from "../router.js";
import { html, useEffect, useLoad, useMemo } from "../ui.js";

const PAGES = /** @type {Record<string, string>} */ ({ protocols: "Protocols", codes: "Codes" });

/** The link to a rule: its section, and its decision if it has one, such as "4.2 L1". */
export function ruleLink(/** @type {string} */ rule) {
  const [at, row] = String(rule).split(" ");
  return href(["docs", "protocols"], { at, row });
}

/** The link to the entry of a code. */
export function codeLink(/** @type {string} */ code) {
  return href(["docs", "codes"], { at: code.toLowerCase() });
}

function slug(/** @type {string} */ text) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s/g, "-");
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)]*)\)/g;

/** A link to a page that is here; other pages are only in the documentation. */
function linkOf(/** @type {string} */ target, /** @type {string} */ page) {
  const [file, at] = target.split("#");
  const name = file === "" ? page : file.replace(/\.md$/, "");
  return PAGES[name] ? href(["docs", name], { at: decodeURIComponent(at ?? "") }) : null;
}

/** Code, emphasis and links of a line. */
function inline(/** @type {string} */ text, /** @type {string} */ page) {
  const result = /** @type {any[]} */ ([]);
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    result.push(text.slice(at, match.index));
    const [, code, bold, em, label, target] = match;
    const link = target === undefined ? null : linkOf(target, page);
    result.push(code ? html`<code>${code}</code>` : bold ? html`<b>${inline(bold, page)}</b>` : em ? html`<em>${em}</em>` : link ? html`<a href=${link}>${inline(label, page)}</a>` : inline(label, page));
    at = match.index + match[0].length;
  }
  result.push(text.slice(at));
  return result;
}

function cells(/** @type {string} */ line) {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** Blocks of a page: headings, code, tables, lists and paragraphs. */
function blocks(/** @type {string} */ source) {
  const lines = source.split("\n");
  const result = /** @type {any[]} */ ([]);
  for (let i = 0; i < lines.length; ) {
    const line = lines[i];
    const take = (/** @type {(line: string) => boolean} */ while_) => {
      const start = i++;
      while (i < lines.length && while_(lines[i])) {
        i++;
      }
      return lines.slice(start, i);
    };
    const item = /^(?:-|\d+\.) +/;
    if (line.startsWith("#")) {
      i++;
      result.push({ heading: line.replace(/^#+ /, ""), level: line.indexOf(" ") });
    } else if (line.startsWith("```")) {
      result.push({ code: take((next) => !next.startsWith("```")).slice(1).join("\n") });
      i++;
    } else if (line.startsWith("|")) {
      result.push({ table: take((next) => next.startsWith("|")).map(cells) });
    } else if (item.test(line)) {
      const items = /** @type {string[]} */ ([]);
      for (const next of take((more) => item.test(more) || /^ +\S/.test(more))) {
        if (item.test(next)) {
          items.push(next.replace(item, ""));
        } else {
          items[items.length - 1] += " " + next.trim();
        }
      }
      result.push({ items });
    } else if (line.trim() === "") {
      i++;
    } else {
      result.push({ text: take((next) => next.trim() !== "" && !/^(#|```|\|)/.test(next)).join(" ") });
    }
  }
  return result;
}

function Block({ block, page, row }) {
  if (block.heading) {
    const id = slug(block.heading);
    return block.level === 2 ? html`<h2 id=${id} tabindex="-1">${inline(block.heading, page)}</h2>` : html`<h3 id=${id} tabindex="-1">${inline(block.heading, page)}</h3>`;
  }
  if (block.code !== undefined) {
    return html`<pre class="command" tabindex="0"><code>${block.code}</code></pre>`;
  }
  if (block.table) {
    const [head, , ...rows] = block.table;
    return html`<div class="table-box" tabindex="0"><table class="rows">
      <thead><tr>${head.map((/** @type {string} */ cell, /** @type {number} */ i) => html`<th scope="col" key=${i}>${inline(cell, page)}</th>`)}</tr></thead>
      <tbody>${rows.map((/** @type {string[]} */ each, /** @type {number} */ i) => html`<tr key=${i} id=${each[0] === row ? "row" : undefined} class=${each[0] === row ? "current" : ""}>${each.map((cell, j) => html`<td key=${j}>${inline(cell, page)}</td>`)}</tr>`)}</tbody>
    </table></div>`;
  }
  return block.items ? html`<ul class="bullets">${block.items.map((/** @type {string} */ one, /** @type {number} */ i) => html`<li key=${i}>${inline(one, page)}</li>`)}</ul>` : html`<p>${inline(block.text, page)}</p>`;
}

export function Docs({ place }) {
  const page = place.path[1];
  const { at, row } = place.query;
  const state = useLoad((signal) => api.text(`/docs/${page}.md`, signal), [page]);
  const content = useMemo(() => blocks(state.data ?? "").slice(1), [state.data]);
  useEffect(() => {
    const heading = at && content.find((block) => block.heading && (slug(block.heading) === at || block.heading.split(/\.? /)[0] === at));
    if (heading) {
      const target = document.getElementById(slug(heading.heading));
      target?.focus({ preventScroll: true });
      ((row && document.getElementById("row")) || target)?.scrollIntoView({ block: row ? "center" : "start" });
    }
  }, [content, at, row]);
  return html`<${PageHeader} title=${PAGES[page]} crumbs=${html`${Object.entries(PAGES).map(([name, title]) => name !== page && html`<a key=${name} href=${href(["docs", name])}>${title}</a>`)}`} />
    <${Loaded} state=${state} lines=${12}>
      ${() => html`<div class="docs">${content.map((block, i) => html`<${Block} key=${i} block=${block} page=${page} row=${row} />`)}</div>`}
    <//>`;
}

/** Whether a path is a page of the documentation. */
export function isDocs(/** @type {string[]} */ path) {
  return path.length === 2 && path[0] === "docs" && Object.hasOwn(PAGES, path[1]);
}
