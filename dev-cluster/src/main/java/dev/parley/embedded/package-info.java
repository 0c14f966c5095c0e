/**
 * A Kafka cluster and a Schema Registry endpoint inside this JVM, on data directories that survive restarts. The demo,
 * benchmarks and tests depend on it; it is not part of what is shipped, and knows nothing of Parley. Start reading at
 * {@link dev.parley.embedded.EmbeddedKafka} and {@link dev.parley.embedded.SchemaRegistryEndpoint}.
 */
package dev.parley.embedded;
