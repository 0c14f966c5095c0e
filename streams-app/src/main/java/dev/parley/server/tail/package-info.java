/**
 * Live tail: audit records as they are committed, filtered, and resumable from any position. Each reader has a consumer
 * of its own, so its position is the only state, and no handover between catching up and following can lose or repeat a
 * record. Depends on {@code core} and {@code topology.setup}; {@code server} has the Kafka client, {@code query.api}
 * the HTTP route. Start with {@link dev.parley.server.tail.TailReader}.
 */
package dev.parley.server.tail;
