/**
 * The contract of a feature of the server. {@link dev.parley.server.feature.Feature} describes it to a deployment:
 * keys, topics, permissions, preflight checks. A {@link dev.parley.server.feature.RunningFeature} adds
 * {@link dev.parley.server.feature.Contributions} to the API of its instance, and reads what
 * {@link dev.parley.server.feature.FeatureContext} offers. The contract uses {@code Route} and {@code AccessLog} of
 * {@code server.http}, {@code AclRole} of {@code server.deployment}, and {@code TopicSpec} of {@code topology.topics}.
 * {@code dev.parley.server.Features} lists the features.
 */
package dev.parley.server.feature;
