/**
 * Folds over audit records: SLIP task boards, SUBIT forms, Λ definitions and agreements, as of any moment; states of
 * CSP contexts are in {@link dev.parley.checkpoint}. It depends on codecs and Avro records only; queries and commands
 * use it. Start reading at {@link dev.parley.state.Fold}.
 */
package dev.parley.state;
