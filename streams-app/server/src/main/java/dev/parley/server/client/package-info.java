/**
 * Code that the HTTP clients of the server share: {@link dev.parley.server.client.LimitedBody} bounds the responses of
 * peers and witnesses.
 */
package dev.parley.server.client;
