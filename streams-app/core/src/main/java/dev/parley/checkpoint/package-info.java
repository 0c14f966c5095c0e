/**
 * Checkpoints of CSP contexts: patches, the tree of states that they create, and the reconstruction of any state
 * (docs/protocols.md 3.3b). The package depends on codecs, Avro records and names of {@code dialogue} only, and sees
 * stores as {@link dev.parley.checkpoint.SortedStore}. Start reading at {@link dev.parley.checkpoint.Checkpoints}.
 */
package dev.parley.checkpoint;
