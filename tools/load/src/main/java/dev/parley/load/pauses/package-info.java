/**
 * Pauses of a stream thread in the topology's longest calls, without brokers. Start with
 * {@link dev.parley.load.pauses.Pauses}.
 */
package dev.parley.load.pauses;
