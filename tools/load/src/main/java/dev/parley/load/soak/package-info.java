/**
 * A long run under full load that checks memory. Only the command {@code tools/load/run} and tests use it. Start with
 * {@link dev.parley.load.soak.Soak}.
 */
package dev.parley.load.soak;
