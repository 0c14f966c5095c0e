/**
 * Traffic that is sent to measure: the sample conversations, and endless input whose messages are accepted. Load,
 * benchmarks and tests use it. Start with {@link dev.parley.load.sample.Traffic}.
 */
package dev.parley.load.sample;
