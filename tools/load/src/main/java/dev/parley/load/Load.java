package dev.parley.load;

import dev.parley.load.ConversationGenerator.Line;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Endless traffic: a number of concurrent conversations of all four protocols, line by line in turn, each replaced when
 * it ends. The seed determines the records. The records of a conversation have one key and one topic, so that they keep
 * their order and their outcome. Not thread-safe.
 */
public final class Load {
    /** One record in this many belongs to no conversation. */
    private static final int STRAY = 200;

    private final String namespace;
    private final RandomGenerator random;
    private final ConversationGenerator[] open;
    private long started;
    private long made;
    private boolean ending;

    /**
     * Creates a load.
     *
     * @param namespace agent system of its conversations, which separates loads
     * @param seed seed of all other choices
     * @param conversations number of concurrent conversations
     */
    public Load(String namespace, long seed, int conversations) {
        this.namespace = namespace;
        this.random = new SplittableRandom(seed);
        this.open = new ConversationGenerator[conversations];
    }

    /** Starts no further conversation. Those that cannot end in their current state continue until they can. */
    public void end() {
        ending = true;
    }

    /** The next record; null after {@link #end} once every conversation has ended. */
    public LoadRecord next() {
        if (ending) {
            return last();
        }
        if (random.nextInt(STRAY) == 0) {
            return stray();
        }
        int at = random.nextInt(open.length);
        if (open[at] == null || open[at].over()) {
            open[at] = start(++started);
        }
        return record(open[at], open[at].next());
    }

    private LoadRecord last() {
        for (ConversationGenerator conversation : open) {
            if (conversation != null && !conversation.mayEnd()) {
                return record(conversation, conversation.legal());
            }
        }
        return null;
    }

    private LoadRecord record(ConversationGenerator conversation, Line line) {
        // Half of the conversations use the topic of their protocol, the others detection.
        boolean own = Math.floorMod(conversation.conversation().hashCode(), 2) == 0;
        return record(own ? conversation.topic() : "parley.wire", conversation.conversation(), line);
    }

    private ConversationGenerator start(long number) {
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> new SlipGenerator(random, number);
            case 3, 4 -> new SubitGenerator(random, number);
            case 5, 6, 7 -> new CspGenerator(random, number);
            case 8, 9 -> new McpGenerator(random, number);
            default -> new LambdaGenerator(random, number);
        };
    }

    private LoadRecord stray() {
        String key = "stray-" + random.nextInt(1_000);
        Line line = switch (random.nextInt(3)) {
            case 0 -> ConversationGenerator.undecodable("NULL_VALUE", null);
            case 1 -> ConversationGenerator.undecodable("UNKNOWN_PROTOCOL", "Hello team, please deploy");
            default ->
                new Line(
                        "!Ik/co",
                        Map.of("parley-protocol", "fipa-acl"),
                        ExpectedOutcome.undecodable("UNKNOWN_PROTOCOL"),
                        false);
        };
        return record("parley.wire", key, line);
    }

    private LoadRecord record(String topic, String key, Line line) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(topic, utf8(key), line.value() == null ? null : utf8(line.value()));
        line.headers().forEach((name, value) -> record.headers().add(name, utf8(value)));
        record.headers()
                .add("parley-namespace", utf8(namespace))
                .add(LoadRecord.ID, utf8(Long.toString(made++)))
                .add(LoadRecord.EXPECTED, utf8(line.expected().toString()));
        return new LoadRecord(record, line.expected(), line.awaitsBase());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
