/**
 * Costs of parts of Parley in this process: states, verification, and pauses of stream threads. {@code tools/load/run}
 * prints them as tables. Start with {@link dev.parley.load.cost.StatesCost}.
 */
package dev.parley.load.cost;
