/** One-process mode: a real Kafka broker and a Schema Registry endpoint inside this JVM, on a data directory that survives restarts. */
package dev.parley.embedded;
