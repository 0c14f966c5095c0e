/**
 * The type of a feature of the server: one descriptor with its configuration keys, topics, permissions, routes, start
 * and stop. Features implement it, and {@code Features} lists them. Start with
 * {@link dev.parley.server.feature.Feature}; its parts are {@code DeploymentFeature} (keys, topics, permissions) and
 * {@code RunningFeature} (routes and clients of a started feature, which get a {@code FeatureContext}).
 */
package dev.parley.server.feature;
