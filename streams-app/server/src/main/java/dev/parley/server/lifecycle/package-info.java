/**
 * The lifecycle of one instance: start, readiness, and graceful shutdown. It wires topologies,
 * views, features and the HTTP API together; only commands and the demo depend on it. Start with
 * {@link dev.parley.server.lifecycle.Application}.
 */
package dev.parley.server.lifecycle;
