/**
 * Checkpoints of CSP contexts: patches, the tree of states that they build, and how any state is rebuilt (PROTOCOLS
 * 3.3b). It depends on codecs and Avro records only, and sees stores as {@link dev.parley.checkpoint.SortedStore}.
 * Start reading at {@link dev.parley.checkpoint.Checkpoints}.
 */
package dev.parley.checkpoint;
