/** Verifies JWTs of an OpenID provider. The HTTP API and {@code parley tap} share it. */
package dev.parley.oidc;
