/**
 * The HTTP server under the API: listener, security, limits, errors, readiness, and metrics. Handlers depend on it; it
 * knows no route by name. Start at {@link dev.parley.server.http.SecurityFilter}, which every request passes.
 */
package dev.parley.server.http;
