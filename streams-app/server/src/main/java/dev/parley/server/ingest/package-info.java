/**
 * HTTP ingest: {@code POST /v1/wire} sends messages to an input topic, those with an idempotency key once. Only the
 * list of features and the demo use it. Start with {@link dev.parley.server.ingest.IngestFeature}.
 */
package dev.parley.server.ingest;
