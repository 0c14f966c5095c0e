/**
 * Properties of every input, whatever its bytes, and fuzzers that search for a violation; docs/testing.md describes how
 * to run them. Nothing depends on it. Start with {@link dev.parley.fuzz.DecoderPromises}.
 */
package dev.parley.fuzz;
