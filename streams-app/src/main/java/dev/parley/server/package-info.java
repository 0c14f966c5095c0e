/**
 * The lifecycle of one Parley process: preconditions, start, readiness, graceful shutdown, and the Kafka clients behind
 * redrive and redaction. It wires topologies, views and the HTTP API together; only commands and the demo depend on it.
 * Start reading at {@link dev.parley.server.lifecycle.Application}.
 */
package dev.parley.server;
