/**
 * Throughput of Parley next to topologies without its logic, on the same broker and over the same input. Start reading at {@link
 * dev.parley.benchmarks.throughput.Throughput}.
 */
package dev.parley.benchmarks.throughput;
