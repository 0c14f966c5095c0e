/**
 * Authentication, roles and rate limits: bearer tokens of a file, tokens of an OpenID provider, and a token bucket per
 * caller. The HTTP server and its handlers use it; it never stores, prints or logs a token. Start with
 * {@link dev.parley.server.auth.Authenticator}.
 */
package dev.parley.server.auth;
