/**
 * The lifecycle of one Parley process: preconditions, start, readiness, and graceful shutdown. It wires topologies,
 * views, features and the HTTP API together; only commands and the demo depend on it. Start with
 * {@link dev.parley.server.lifecycle.Application}.
 */
package dev.parley.server.lifecycle;
