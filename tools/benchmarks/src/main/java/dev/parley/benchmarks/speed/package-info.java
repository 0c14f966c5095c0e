/**
 * Speed of the whole application: throughput, latency, start, growth and scaling of Parley next to topologies without
 * its logic, on the same broker and over the same input, and the capacity that follows. Start with
 * {@link dev.parley.benchmarks.speed.Speed}.
 */
package dev.parley.benchmarks.speed;
