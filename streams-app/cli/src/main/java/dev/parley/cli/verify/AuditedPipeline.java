package dev.parley.cli.verify;

import dev.parley.codec.Limits;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.RecordMac;
import dev.parley.topology.topics.InputTopics;
import java.util.List;
import java.util.Optional;

/**
 * The pipeline whose audit trail is verified.
 *
 * @param applicationId its application ID, whose committed offsets show the messages in flight
 * @param sources all topics that it reads
 * @param limits limits of messages, which also decide what is a CloudEvent
 * @param codes codes of internal records; empty if each record counts
 */
public record AuditedPipeline(String applicationId, List<String> sources, Limits limits, Optional<RecordMac> codes) {
    /** The pipeline of a configuration. */
    public static AuditedPipeline of(ParleyConfig settings) {
        return new AuditedPipeline(
                settings.getString(ParleyConfig.APPLICATION_ID),
                InputTopics.of(settings).sources(),
                settings.decodeOptions().limits(),
                RecordMac.of(settings));
    }
}
