/**
 * The routes and handlers of the HTTP API; openapi.yaml is their contract. Server, features and commands depend on it.
 * Start at {@link dev.parley.server.api.Routes}, which lists all routes and tells how a request reaches the views.
 */
package dev.parley.server.api;
