/**
 * The processor time of an idle demo. Only the command {@code tools/load/run} uses it. Start with
 * {@link dev.parley.load.idle.Idle}.
 */
package dev.parley.load.idle;
