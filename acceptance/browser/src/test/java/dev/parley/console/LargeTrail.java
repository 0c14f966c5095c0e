package dev.parley.console;

import dev.parley.codec.slip.SlipCodec;
import dev.parley.load.Load;
import dev.parley.protocol.TopicNames;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The wire messages of a large audit trail: one SLIP conversation with a tenth of them, one CSP context with a
 * hundredth as checkpoints of {@link #DEFINITIONS} definitions each, and many small conversations of all protocols,
 * with illegal and undecodable lines.
 */
final class LargeTrail {

    /** Namespace of the large conversation and of the large context. */
    static final String NAMESPACE = "large";

    /** ID of the large conversation. */
    static final String CONVERSATION = "1";

    /** ID of the large context. */
    static final String CONTEXT = "library";

    /** Namespace of the small conversations. */
    static final String SMALL = "small";

    /** One message of the large conversation in this many is rejected. */
    static final int ERROR_INTERVAL = 500;

    /** Code of the rejected messages of the large conversation. */
    static final String ERROR = "SLIP_TURN_REUSED";

    /** A word in every message of the large conversation. */
    static final String COMMON = "migrate";

    /** A word in one message. */
    static final String RARE = "needle";

    /** Definitions that a patch of the large context adds. */
    static final int DEFINITIONS = 10;

    /** One checkpoint of the large context in this many is a branch without children. */
    private static final int BRANCH_INTERVAL = 500;

    private static final int AGENTS = 5;
    private static final int OPEN = 2_000;
    private static final long SEED = 1;

    private final int records;

    /** @param records number of messages, at least 10,000 */
    LargeTrail(int records) {
        if (records < 10_000) {
            throw new IllegalArgumentException("console.records must be at least 10000, but was " + records);
        }
        this.records = records;
    }

    /** Messages of the large conversation. */
    int messages() {
        return records / 10;
    }

    /** Checkpoints of the large context, apart from the empty one. */
    int checkpoints() {
        return records / 100;
    }

    /** Gives each message to a consumer, in order. */
    void forEach(Consumer<ProducerRecord<byte[], byte[]>> consumer) {
        for (int i = 0; i < messages(); i++) {
            consumer.accept(message(i));
        }
        for (int i = 1; i <= checkpoints(); i++) {
            consumer.accept(patch(i));
        }
        Load load = new Load(SMALL, SEED, OPEN);
        for (int i = messages() + checkpoints(); i < records; i++) {
            consumer.accept(load.next().record());
        }
    }

    /** Number of the message with the rare word. */
    int rare() {
        return messages() / 3;
    }

    private ProducerRecord<byte[], byte[]> message(int number) {
        // A message that is rejected uses the turn of the one before it.
        int turn = number % ERROR_INTERVAL == ERROR_INTERVAL - 1 ? number - 1 : number;
        return slip(
                NAMESPACE,
                CONVERSATION,
                number % AGENTS,
                turn + 1,
                COMMON + " module " + number + (number == rare() ? " " + RARE : ""));
    }

    /** A SLIP message that is legal at any time. */
    static ProducerRecord<byte[], byte[]> slip(
            String namespace, String conversation, int sender, int turn, String text) {
        return record(
                TopicNames.DEFAULT.wire() + ".slip",
                namespace,
                conversation,
                "@a2|f2|c" + SlipCodec.digits(Long.parseLong(conversation)) + "|S" + sender + "|d"
                        + (sender + 1) % AGENTS + "|T" + SlipCodec.digits(turn) + "|k1|t\"" + text + "\"#");
    }

    private static ProducerRecord<byte[], byte[]> patch(int number) {
        StringBuilder operations = new StringBuilder();
        for (int i = 0; i < DEFINITIONS; i++) {
            operations.append("+ DEF MODULE_" + number + "_" + i + " = src/modules/" + number + "/" + i + "\n");
        }
        int base = number - 1;
        if (base > 0 && base % BRANCH_INTERVAL == 0) {
            base--;
        } else if (base > 1 && number % BRANCH_INTERVAL != 0) {
            operations.append("~ DEF MODULE_1_0 := changed by ").append(number).append('\n');
        }
        return record(
                TopicNames.DEFAULT.wire() + ".csp",
                NAMESPACE,
                CONTEXT,
                "CSP/1\nFROM " + (number % 3 == 0 ? "CODER" : "MAIN") + "\nTO MEM\nCTX C0\nINTENT PATCH\n\nPATCH P"
                        + number + "\nBASE C" + base + "\n" + operations + "APPLY -> C" + number);
    }

    private static ProducerRecord<byte[], byte[]> record(String topic, String namespace, String key, String wire) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, utf8(key), utf8(wire));
        record.headers().add("parley-namespace", utf8(namespace));
        return record;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
