/**
 * Throughput of Parley compared with topologies without its logic, on the same broker and over the same input. Start
 * with {@link dev.parley.benchmarks.throughput.Throughput}.
 */
package dev.parley.benchmarks.throughput;
