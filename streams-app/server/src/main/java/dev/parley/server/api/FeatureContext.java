package dev.parley.server.api;

import dev.parley.json.model.DeadLetter;
import dev.parley.json.model.InputRecord;
import dev.parley.json.model.ParkedItem;
import dev.parley.protocol.Glosses;
import dev.parley.protocol.TopicNames;
import dev.parley.server.api.view.ViewApi;
import dev.parley.server.api.view.ViewRoute;
import dev.parley.server.http.Metrics;
import dev.parley.topology.views.read.LocalViews;

/**
 * Views, topics and metrics for the routes of a feature.
 *
 * @param api reads the views of all instances
 * @param local views of this instance, which include every redaction
 * @param deadLetters the list of dead letters
 * @param position what the views say about an input position
 * @param parked the parked patch at an input position
 * @param topics names of the deployment's topics
 */
public record FeatureContext(
        ViewApi api,
        LocalViews local,
        ViewRoute<DeadLetter> deadLetters,
        ViewRoute<InputRecord> position,
        ViewRoute<ParkedItem> parked,
        Glosses glosses,
        TopicNames topics,
        Metrics metrics) {}
