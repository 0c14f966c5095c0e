package dev.parley.server.operations;

import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.RecordMac;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Checks {@link AuditKeys#INTERNAL_KEY_FILES} against the last internal records. With another key, an instance would
 * drop unjudged messages, and the others would refuse the state that it writes. One acceptable record is enough, so
 * that another client cannot prevent the start with a few records.
 */
record InternalKeyCheck(ParleyConfig config, List<Finding> findings) {
    /**
     * Numbers of offsets that are read of each partition, until one is acceptable. Some are markers of transactions.
     */
    private static final List<Integer> LAST = List.of(3, 2_000);

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** @param topics the existing internal topics of the applications of this instance */
    void run(Collection<String> topics) {
        Optional<RecordMac> mac = RecordMac.of(config);
        Set<Boolean> accepted = new HashSet<>();
        try (TopicReader reader = new TopicReader(StreamsSettings.clientSettings(config), TIMEOUT)) {
            for (int i = 0; i < LAST.size() && !accepted.contains(true); i++) {
                reader.readLast(
                        reader.partitions(topics),
                        LAST.get(i),
                        record -> accepted.add(mac.map(keys -> keys.isValid(record))
                                .orElse(record.headers().lastHeader(RecordMac.HEADER) == null)));
            }
        } catch (AuthorizationException e) {
            // AccessCheck reports a missing permission on a topic.
        }
        if (!accepted.equals(Set.of(false))) {
            return;
        }
        findings.add(Check.INTERNAL_KEY_DIFFERS.finding(
                AuditKeys.INTERNAL_KEY_FILES,
                mac.isPresent()
                        ? "None of the last internal records has a valid code of these keys: this instance would drop"
                                + " unjudged messages, and refuse the state of the deployment."
                        : "The last internal records have codes, but this instance has no key: the others would refuse"
                                + " the state that it writes.",
                mac.isPresent()
                        ? "If the deployment has another key, name its file. If these are its keys, another client"
                                + " wrote the last records: stop every instance and run parley seal --execute. For the"
                                + " first key, or if all are lost, add --trust-all, which believes every client"
                                + " (docs/security.md, \"Internal records\")."
                        : "Set " + AuditKeys.INTERNAL_KEY_FILES + " to the key files of the deployment."));
    }
}
