package dev.parley.load.sample;

import dev.parley.load.Base62;
import dev.parley.topology.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Kinds of input. All messages are accepted, except some of the sample mix. */
public enum Traffic {
    /** Messages of 66 bytes outside any task. */
    SLIP("nSLIP") {
        @Override
        public Input over(long conversations) {
            return inTurn(conversations, Traffic::slip);
        }
    },
    /** Cycles of state, intent, action and trace. */
    SUBIT("SUBIT") {
        private static final String[] TYPES = {"STATE", "INTENT", "ACTION", "TRACE"};
        private static final String[] PAYLOADS = {"101010", "101010010101", "101010111000", "101010010101111000"};

        @Override
        public Input over(long conversations) {
            return inTurn(conversations, (conversation, turn) -> {
                int step = (int) ((turn - 1) % TYPES.length);
                String wire = "{\"type\":\"" + TYPES[step] + "\",\"payload\":\"" + PAYLOADS[step]
                        + "\",\"meta\":{\"session\":\"session-" + conversation + "\",\"note\":\"step " + turn + "\"}}";
                return new Message("subit", "session-" + conversation, wire, null);
            });
        }
    },
    /** Tasks with their results. */
    CSP("CSP without patches") {
        @Override
        public Input over(long conversations) {
            return inTurn(conversations, (conversation, turn) -> {
                long task = (turn + 1) / 2;
                return csp(
                        conversation,
                        turn % 2 == 1
                                ? task(task)
                                : block("CODER", "MAIN", "RESULT")
                                        + "RESULT T" + task + "\nSTATUS OK\nPRODUCED SITES_" + task
                                        + "\nDATA lib/session.ts:" + task);
            });
        }
    },
    /** Patches, each on the checkpoint of the previous one, which change one of ten definitions. */
    CSP_PATCHES("CSP patches") {
        private static final int DEFINITIONS = 10;

        @Override
        public Input over(long conversations) {
            return inTurn(conversations, (conversation, turn) -> {
                String name = "NAME_" + turn % DEFINITIONS;
                String operation = turn <= DEFINITIONS ? "+ DEF " + name + " = " : "~ DEF " + name + " := ";
                return csp(
                        conversation,
                        block("MAIN", "MEM", "PATCH") + "PATCH P" + turn + "\nBASE C" + (turn - 1) + "\n" + operation
                                + "src/middleware/version" + turn + ".ts\nAPPLY -> C" + turn);
            });
        }
    },
    /** Questions with answers, and commands with results. */
    LAMBDA("Λ") {
        @Override
        public Input over(long conversations) {
            return inTurn(conversations, Traffic::lambda);
        }
    },
    /** The sample traffic of all protocols, replayed in its own namespace each time. */
    MIX("sample mix") {
        @Override
        public Input over(long conversations) {
            return new SampleMix(conversations);
        }
    };

    private static final int SLIP_BYTES = 66;
    /** Speaker and message of each step: question, answer, agreement; command, acknowledgment, result, agreement. */
    private static final String[][] LAMBDA_STEPS = {
        {"A1", "?Uc/la{no:\"dense retrieval\"}"},
        {"A2", "!Ic/la{no:\"late interaction\"}"},
        {"A1", "<+"},
        {"A1", ".Rn/te{no:\"sixty seconds\"}"},
        {"A2", "<"},
        {"A2", "!rs/te{no:\"ok\"}"},
        {"A1", "<+"}
    };

    private final String title;

    Traffic(String title) {
        this.title = title;
    }

    /** Returns its name in tables. */
    public String title() {
        return title;
    }

    /** Returns its name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns its messages in that many conversations, one of each in turn. */
    public abstract Input over(long conversations);

    /**
     * A message.
     *
     * @param protocol protocol in lower case, which names the input topic
     * @param conversation key of the record, which is the conversation
     * @param wire text of the message
     * @param sender header {@code parley-sender}; null for none
     */
    public record Message(String protocol, String conversation, String wire, String sender) {
        private ProducerRecord<byte[], byte[]> record() {
            ProducerRecord<byte[], byte[]> record =
                    new ProducerRecord<>(Topics.WIRE + "." + protocol, utf8(conversation), utf8(wire));
            if (sender != null) {
                record.headers().add("parley-sender", utf8(sender));
            }
            return record;
        }
    }

    /** Creates the message of a conversation and turn, both from 1. */
    @FunctionalInterface
    public interface Dialogue {
        Message at(long conversation, long turn);
    }

    /** Returns the messages of conversations from 1, one of each in turn. */
    public static Input inTurn(long conversations, Dialogue dialogue) {
        return number -> dialogue.at(1 + number % conversations, 1 + number / conversations)
                .record();
    }

    /**
     * Returns input of which one conversation, number 1, has three in ten messages, and the others the rest in turn.
     *
     * @param conversations number of the other conversations
     */
    public static Input withHotConversation(long conversations) {
        return number -> {
            long ten = number / 10;
            long rest = number % 10;
            if (rest < 3) {
                return slip(1, 3 * ten + rest + 1).record();
            }
            long other = 7 * ten + rest - 3;
            return slip(2 + other % conversations, 1 + other / conversations).record();
        };
    }

    /**
     * Returns input that first lets each conversation remember entries, one per message, and then continues without
     * further entries.
     *
     * @param traffic SLIP or CSP, which remember tasks, or LAMBDA, which remembers definitions
     * @param entries number of entries per conversation
     */
    public static Input remembering(Traffic traffic, long entries, long conversations) {
        return switch (traffic) {
            case SLIP ->
                inTurn(
                        conversations,
                        (conversation, turn) -> turn <= entries
                                ? slip(conversation, turn, "a3|f0", "|k" + Base62.of(turn))
                                : slip(conversation, turn, "a0|f2", "|k" + Base62.of(1 + turn % entries)));
            case CSP ->
                inTurn(
                        conversations,
                        (conversation, turn) -> csp(
                                conversation,
                                turn <= entries
                                        ? task(turn)
                                        : block("MAIN", "MEM", "MEM") + "MEM M" + turn + "\nFACT task " + turn));
            case LAMBDA ->
                inTurn(
                        conversations,
                        (conversation, turn) -> turn <= entries
                                ? new Message("lambda", "conversation-" + conversation, definition(turn), "A1")
                                : lambda(conversation, turn - entries));
            case SUBIT, CSP_PATCHES, MIX -> throw new IllegalArgumentException(traffic + " remembers no entries");
        };
    }

    private static Message slip(long conversation, long turn) {
        return slip(conversation, turn, "a0|f2", "");
    }

    private static Message slip(long conversation, long turn, String act, String task) {
        String start = "@" + act + "|c" + Base62.of(conversation) + "|S0|d1|T" + Base62.of(turn) + task + "|t\"";
        return new Message(
                "slip", Long.toString(conversation), start + "x".repeat(SLIP_BYTES - start.length() - 2) + "\"#", null);
    }

    private static Message lambda(long conversation, long turn) {
        String[] step = LAMBDA_STEPS[(int) ((turn - 1) % LAMBDA_STEPS.length)];
        return new Message("lambda", "conversation-" + conversation, step[1], step[0]);
    }

    private static String definition(long number) {
        StringBuilder name = new StringBuilder();
        for (long rest = number; rest > 0; rest /= 26) {
            name.append((char) ('a' + rest % 26));
        }
        return "{def:" + name + "=\"meaning of " + number + "\"}";
    }

    private static Message csp(long conversation, String wire) {
        return new Message("csp", "context-" + conversation, wire, null);
    }

    private static String task(long task) {
        return block("MAIN", "CODER", "TASK") + "TASK T" + task + "\nREQ find the callers of verify" + task
                + "\nIN src/\nOUT lib/\nOWNER CODER\nPRIORITY HIGH";
    }

    private static String block(String from, String to, String intent) {
        return "CSP/1\nFROM " + from + "\nTO " + to + "\nCTX C0\nINTENT " + intent + "\n\n";
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
