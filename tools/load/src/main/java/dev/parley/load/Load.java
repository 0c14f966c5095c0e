package dev.parley.load;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

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

    private LoadRecord record(ConversationGenerator conversation, ConversationGenerator.Line line) {
        // Half of the conversations use the topic of their protocol, the others detection.
        String topic =
                Math.floorMod(conversation.conversation().hashCode(), 2) == 0 ? conversation.topic() : "parley.wire";
        return record(
                topic, conversation.conversation(), line.value(), line.headers(), line.expected(), line.awaitsBase());
    }

    private ConversationGenerator start(long number) {
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> new SlipGenerator(random, number);
            case 3, 4 -> new SubitGenerator(random, number);
            case 5, 6, 7 -> new CspGenerator(random, number);
            default -> new LambdaGenerator(random, number);
        };
    }

    private LoadRecord stray() {
        String key = "stray-" + random.nextInt(1_000);
        return switch (random.nextInt(3)) {
            case 0 -> stray(key, null, Map.of(), "NULL_VALUE");
            case 1 -> stray(key, "Hello team, please deploy", Map.of(), "UNKNOWN_PROTOCOL");
            default -> stray(key, "!Ik/co", Map.of("parley-protocol", "fipa-acl"), "UNKNOWN_PROTOCOL");
        };
    }

    private LoadRecord stray(String key, String value, Map<String, String> headers, String code) {
        return record("parley.wire", key, value, headers, ExpectedOutcome.undecodable(code), false);
    }

    private LoadRecord record(
            String topic,
            String key,
            String value,
            Map<String, String> more,
            ExpectedOutcome expected,
            boolean awaitsBase) {
        Map<String, String> headers = new LinkedHashMap<>(more);
        headers.put("parley-namespace", namespace);
        headers.put(LoadRecord.ID, Long.toString(made++));
        headers.put(LoadRecord.EXPECTED, expected.toString());
        return new LoadRecord(topic, utf8(key), value == null ? null : utf8(value), headers, expected, awaitsBase);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
