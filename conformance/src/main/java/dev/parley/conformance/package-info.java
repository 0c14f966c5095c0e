/**
 * The conformance kit: language-neutral vectors for codecs, records and dialogues, their runner, and the guide to the
 * codes. It runs codecs, rules and checkpoints without Kafka; the HTTP API, commands and the demo use it. Start at
 * {@link dev.parley.conformance.VectorFiles} and {@link dev.parley.conformance.ConformanceRun}.
 */
package dev.parley.conformance;
