/**
 * A Kafka broker and a Schema Registry endpoint inside this JVM, on data directories that survive restarts. The demo,
 * benchmarks and tests depend on it; {@code parley run} does not, and it does not depend on Parley. Start reading at
 * {@link dev.parley.embedded.EmbeddedKafka} and {@link dev.parley.embedded.SchemaRegistryEndpoint}.
 */
package dev.parley.embedded;
