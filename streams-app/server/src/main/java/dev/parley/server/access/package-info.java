/**
 * Authentication, roles and rate limits: bearer tokens of a file, tokens of an OpenID provider, and a token bucket per
 * caller. Does not depend on the HTTP server. Never stores, prints or logs a token.
 */
package dev.parley.server.access;
