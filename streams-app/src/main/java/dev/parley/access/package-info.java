/**
 * Who calls, and how often: roles, bearer tokens of a file, tokens of an OpenID provider, and limits on the rate of requests. It knows nothing of
 * the HTTP server that asks it, and no token is ever kept, printed or logged.
 */
package dev.parley.access;
