/**
 * The access log: an entry in {@code parley.access.v1} for each read of conversations over HTTP. The filter of the API
 * calls it through {@link dev.parley.server.http.AccessLog}. Start with
 * {@link dev.parley.server.accesslog.AccessLogFeature}.
 */
package dev.parley.server.accesslog;
