// Places the checkpoints of a context in the columns of a drawn tree.

export const MAX_COLUMNS = 8;

/**
 * @typedef {{id: string, parent: string | null, ordinal: number}} Node
 * @typedef {{column: number, start: number, end: number, head: number}} Chain start is the row of the parent of the
 *     first node, head that of the first node, end that of the last one
 */

/**
 * The columns of a tree whose nodes are in the order of creation, so that parents precede their children. The first
 * child of a node continues its column, each other child begins one that is free from its parent on. At most
 * {@link MAX_COLUMNS} columns are drawn; further ones share the last.
 */
export class TreeColumns {
  constructor(/** @type {Node[]} */ nodes) {
    /** Row of each node, by ID. */
    this.rows = /** @type {Map<string, number>} */ (new Map());
    /** Column of each row. */
    this.columns = new Int16Array(nodes.length);
    /** Chains that begin at each row of a parent, apart from the one that continues it. */
    this.branches = /** @type {Map<number, Chain[]>} */ (new Map());
    /** Chains of each column in the order of their rows. */
    this.byColumn = /** @type {Chain[][]} */ ([]);
    this.parents = new Int32Array(nodes.length);
    this.place(nodes);
  }

  place(/** @type {Node[]} */ nodes) {
    const continues = new Int32Array(nodes.length).fill(-1);
    nodes.forEach((node, row) => {
      const parent = node.parent === null ? undefined : this.rows.get(node.parent);
      this.rows.set(node.id, row);
      this.parents[row] = parent ?? -1;
      if (parent !== undefined && continues[parent] < 0) {
        continues[parent] = row;
      }
    });
    const chains = /** @type {Chain[]} */ ([]);
    const continued = new Set(continues);
    nodes.forEach((_, row) => {
      if (!continued.has(row)) {
        let end = row;
        while (continues[end] >= 0) {
          end = continues[end];
        }
        chains.push({ column: 0, start: this.parents[row] < 0 ? row : this.parents[row], head: row, end });
      }
    });
    chains.sort((a, b) => a.start - b.start || a.head - b.head);
    for (const chain of chains) {
      let column = this.byColumn.findIndex((used) => used[used.length - 1].end < chain.start);
      if (column < 0) {
        column = Math.min(this.byColumn.length, MAX_COLUMNS - 1);
      }
      chain.column = column;
      (this.byColumn[column] ??= []).push(chain);
      if (this.parents[chain.head] >= 0) {
        const branches = this.branches.get(chain.start) ?? [];
        branches.push(chain);
        this.branches.set(chain.start, branches);
      }
      for (let row = chain.head; row >= 0; row = continues[row]) {
        this.columns[row] = column;
      }
    }
  }

  get width() {
    return this.byColumn.length;
  }

  /** The line of each column at a row: none, through, only above, only below, or from a branch below its parent. */
  lines(/** @type {number} */ row) {
    return this.byColumn.map((chains) => {
      let above = false;
      let below = false;
      for (const chain of near(chains, row)) {
        above ||= chain.start < row && row <= chain.end;
        below ||= (this.parents[chain.head] < 0 ? chain.head : chain.start + 1) <= row && row < chain.end;
      }
      return { above, below };
    });
  }

  /** Rows from a node to the root. */
  path(/** @type {string} */ id) {
    const rows = new Set();
    for (let row = this.rows.get(id) ?? -1; row >= 0; row = this.parents[row]) {
      rows.add(row);
    }
    return rows;
  }
}

/** The chains of a column around a row: columns other than the last have at most one at a time. */
function near(/** @type {Chain[]} */ chains, /** @type {number} */ row) {
  let low = 0;
  let high = chains.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (chains[middle].start <= row) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return chains.slice(Math.max(0, low - 50), low);
}
