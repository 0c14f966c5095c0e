/**
 * The HTTP server under the API: listeners, security, limits, and errors. Handlers depend on it. It defines no route of
 * the API, but answers health checks on a listener of their own, passes requests of peers to {@code PeerService}, and
 * serves the console and a witness. Start at {@link dev.parley.server.http.SecurityFilter}, which requests of callers
 * pass.
 */
package dev.parley.server.http;
