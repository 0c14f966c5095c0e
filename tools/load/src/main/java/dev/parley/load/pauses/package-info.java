/**
 * Pauses of a stream thread in the topology's longest calls, without brokers. Only the command {@code tools/load/run}
 * and tests use it. Start with {@link dev.parley.load.pauses.Pauses}.
 */
package dev.parley.load.pauses;
