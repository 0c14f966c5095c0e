/**
 * The whole contract of a feature of the server. {@link dev.parley.server.feature.Feature} describes it to a
 * deployment: keys, topics, permissions, preflight checks. A {@link dev.parley.server.feature.RunningFeature} adds
 * {@link dev.parley.server.feature.Contributions} to the API of its instance, and reads what
 * {@link dev.parley.server.feature.FeatureContext} offers. {@code Features} lists the features.
 */
package dev.parley.server.feature;
