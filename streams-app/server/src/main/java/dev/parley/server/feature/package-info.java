/**
 * The type of a feature of the server: one descriptor with its configuration keys, topics, permissions, routes, start
 * and stop. Features implement it, and {@link dev.parley.server} lists them. Start with
 * {@link dev.parley.server.feature.Feature}.
 */
package dev.parley.server.feature;
