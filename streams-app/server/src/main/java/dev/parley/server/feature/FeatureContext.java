package dev.parley.server.feature;

import dev.parley.protocol.Glosses;
import dev.parley.protocol.TopicNames;
import dev.parley.server.api.view.ViewApi;
import dev.parley.server.metrics.Metrics;
import dev.parley.topology.views.Views;

/**
 * What the handlers of a feature read.
 *
 * @param api reads the views of all instances by the operations of the API
 * @param local views of this instance, which include every redaction
 * @param glosses glosses of messages
 * @param topics names of the deployment's topics
 * @param metrics registers the meters of the feature
 */
public record FeatureContext(ViewApi api, Views local, Glosses glosses, TopicNames topics, Metrics metrics) {}
