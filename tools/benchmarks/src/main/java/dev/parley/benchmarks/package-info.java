/**
 * JMH benchmarks of codecs and stages. Nothing depends on them. Start with
 * {@link dev.parley.benchmarks.CodecBenchmark}; {@link dev.parley.benchmarks.Ratios} compares the results.
 */
package dev.parley.benchmarks;
