/**
 * The handlers of the HTTP API; openapi.yaml is their contract. The server and the commands depend on it. Start at
 * {@link dev.parley.query.api.Routes}, the table of all routes, and {@link dev.parley.query.api.QueryServer}.
 */
package dev.parley.query.api;
