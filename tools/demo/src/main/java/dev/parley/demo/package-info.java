/**
 * The demo: Parley, a Kafka broker and a Schema Registry endpoint in one process, with the sample traffic. {@code
 * parley demo} finds it as a service; load runs and tests start it. Start reading at {@link dev.parley.demo.LocalDemo},
 * which starts everything, and {@link dev.parley.demo.Story}, which reports the results.
 */
package dev.parley.demo;
