/**
 * The codec of CSP/1. {@link dev.parley.codec.csp.CspCodec} is its contract; everything that memory or meaning is needed for (tasks,
 * checkpoints, definitions) belongs to the judge.
 */
package dev.parley.codec.csp;
