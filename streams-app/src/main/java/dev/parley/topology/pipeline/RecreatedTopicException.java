package dev.parley.topology.pipeline;

import org.apache.kafka.streams.errors.StreamsException;

/**
 * An input topic was deleted and created again: its offsets no longer mean what the audit trail says of them. No record
 * is at fault, so the stream thread stops.
 */
final class RecreatedTopicException extends StreamsException {
    private static final long serialVersionUID = 1L;

    RecreatedTopicException(String topic) {
        super("Topic " + topic + " was deleted and created again, so its offsets begin anew and would be audited twice."
                + " Stop every instance and run parley reset --empty-outputs, or restore the topic.");
    }
}
