/** What codecs and rules cost, measured with JMH against what they should cost at most; {@code docs/benchmarks.md} explains it. */
package dev.parley.benchmarks;
