/** What the HTTP clients of the server share: those of peers and of witnesses. */
package dev.parley.server.client;
