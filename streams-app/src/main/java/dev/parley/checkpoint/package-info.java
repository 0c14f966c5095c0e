/**
 * The checkpoints of CSP contexts: patches, the tree of states that they make, and how any state is rebuilt (PROTOCOLS 3.3b). Pure: it
 * knows stores only as {@link dev.parley.checkpoint.SortedStore}, and nothing of who fills them.
 */
package dev.parley.checkpoint;
