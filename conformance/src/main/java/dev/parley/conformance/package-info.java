/**
 * The conformance kit: language-neutral vectors for codecs, records and dialogues, their runner, and the guide to the
 * codes. It runs codecs, rules and checkpoints without Kafka; only commands and tests depend on it. Start reading at
 * {@link dev.parley.conformance.VectorFiles} and {@link dev.parley.conformance.ConformanceRun}.
 */
package dev.parley.conformance;
