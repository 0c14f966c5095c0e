package dev.parley.topology.pipeline;

import org.apache.kafka.streams.errors.StreamsException;

/**
 * Thrown if an input topic was deleted and created again, so that its offsets differ from those in the audit trail. No
 * record caused it, so the stream thread stops.
 */
final class RecreatedTopicException extends StreamsException {
    private static final long serialVersionUID = 1L;

    RecreatedTopicException(String topic) {
        super("Topic " + topic + " was deleted and created again, so its offsets would be audited twice."
                + " Stop every instance and run parley reset --empty-outputs, or restore the topic.");
    }
}
