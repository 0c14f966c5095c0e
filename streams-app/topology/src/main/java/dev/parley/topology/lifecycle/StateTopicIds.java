package dev.parley.topology.lifecycle;

import dev.parley.file.OwnerOnly;
import dev.parley.logging.FileErrors;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.TopicInventory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.utils.Utils;

/**
 * The IDs of the topics that the local state of a deployment belongs to, in a file next to it. A recreated topic keeps
 * its name but starts with new offsets, and Kafka Streams would continue with the state of the old topic.
 */
public final class StateTopicIds {
    private static final String SUFFIX = "-topics.properties";

    private final Path file;

    /**
     * The IDs in a file, which need not exist.
     *
     * @param applicationId names the file, because deployments may share the directory
     */
    public StateTopicIds(Path stateDirectory, String applicationId) {
        this.file = stateDirectory.resolve(applicationId + SUFFIX);
    }

    /**
     * Stores the IDs of the existing topics, unless the directory belongs to other topics.
     *
     * @param topics names of the topics that the local state derives from or belongs to
     * @return a finding if the state belongs to topics that no longer exist; nothing is stored then
     */
    public Optional<Finding> keep(Admin admin, Collection<String> topics) {
        TopicInventory seen = TopicInventory.describe(admin, topics);
        Optional<Finding> stale = check(seen.existing());
        if (stale.isEmpty()) {
            Map<String, String> marks = new TreeMap<>(read());
            seen.existing()
                    .forEach((name, topic) -> marks.put(name, topic.topicId().toString()));
            write(marks);
        }
        return stale;
    }

    /** Checks whether the state belongs to other topics than these. */
    public Optional<Finding> check(Map<String, TopicDescription> existing) {
        Map<String, String> marks = read();
        return existing.values().stream()
                .filter(topic -> marks.containsKey(topic.name())
                        && !marks.get(topic.name()).equals(topic.topicId().toString()))
                .findFirst()
                .map(topic -> Check.STATE_STALE.finding(
                        "state.dir " + file.getParent(),
                        "The state belongs to another topic " + topic.name()
                                + ", which was deleted or is in another cluster.",
                        "If the current topics are the right ones, run parley clean --execute here. The next "
                                + "start restores the state from Kafka."));
    }

    /** The file with the IDs. */
    public Path file() {
        return file;
    }

    private Map<String, String> read() {
        if (!Files.exists(file)) {
            return Map.of();
        }
        try {
            return Utils.propsToStringMap(Utils.loadProps(file.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file + ": " + FileErrors.reason(e), e);
        }
    }

    private void write(Map<String, String> marks) {
        try {
            Files.createDirectories(file.getParent(), OwnerOnly.directory(file.getFileSystem()));
            Properties properties = new Properties();
            properties.putAll(marks);
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            properties.store(content, "IDs of the topics that the state in this directory belongs to");
            Files.move(OwnerOnly.draft(file, content.toByteArray()), file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file + ": " + FileErrors.reason(e), e);
        }
    }
}
