/**
 * The harness: the speed of Parley next to a topology of the same shape without its logic, on one broker in one run.
 * Only {@code load.run.LoadCommand} depends on it. Start with {@link dev.parley.load.speed.Throughput}.
 */
package dev.parley.load.speed;
