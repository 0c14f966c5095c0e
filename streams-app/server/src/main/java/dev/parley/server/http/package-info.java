/**
 * The HTTP server under the API: listener, security, limits, and errors. Handlers depend on it; it
 * knows no route but the health checks by name. Start at {@link dev.parley.server.http.SecurityFilter}, which requests
 * of callers pass.
 */
package dev.parley.server.http;
