package dev.parley.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.Source;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.LinearTime;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.WireRecord;
import dev.parley.diagnosis.ValueDiagnosis;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Decoding takes time in proportion to the size of a message, whatever its bytes: parts of the vectors of all protocols
 * are repeated between the beginning of one message and the end of another. A failure prints the seed, which
 * {@code -Dparley.seed} repeats.
 */
class DecodeCostTest {
    private static final int CASES = 60 * Integer.getInteger("parley.rounds", 100) / 100;
    private static final int MAX_UNIT = 24;
    private static final int MAX_EDGE = 300;
    private static final MessageDecoder DECODER = ValueDiagnosis.decoder(DecodeOptions.LENIENT, Map.of());

    @Test
    void repeatedPartsOfMessagesCostLinearTime() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        List<byte[]> messages = new ArrayList<>();
        Vectors.in("decode").forEach(vector -> messages.add(VectorJson.bytes(vector.get("wire"))));
        messages.removeIf(message -> message.length == 0);
        for (int number = 0; number < CASES; number++) {
            byte[] first = any(messages, random);
            byte[] second = random.nextBoolean() ? first : any(messages, random);
            byte[] unit = unit(second, random);
            byte[] start = Arrays.copyOf(first, Math.min(random.nextInt(first.length + 1), MAX_EDGE));
            byte[] end = Arrays.copyOfRange(
                    second, Math.max(random.nextInt(second.length + 1), second.length - MAX_EDGE), second.length);
            String protocol = random.nextInt(3) == 0
                    ? List.of("slip", "subit", "csp", "lambda").get(random.nextInt(4))
                    : "";
            LinearTime.check(
                    "-Dparley.seed=" + seed + ", case " + number + ", header '" + protocol + "': '"
                            + new String(start, UTF_8) + "' + n * '" + new String(unit, UTF_8) + "' + '"
                            + new String(end, UTF_8) + "'",
                    size -> pumped(start, unit, end, size),
                    value -> decode(value, protocol));
        }
    }

    private static byte[] any(List<byte[]> messages, Random random) {
        return messages.get(random.nextInt(messages.size()));
    }

    private static byte[] unit(byte[] message, Random random) {
        int from = random.nextInt(message.length);
        return Arrays.copyOfRange(message, from, Math.min(message.length, from + 1 + random.nextInt(MAX_UNIT)));
    }

    /** The beginning, the unit as often as the size allows, and the end. */
    private static byte[] pumped(byte[] start, byte[] unit, byte[] end, int size) {
        byte[] value = Arrays.copyOf(start, size);
        int at = start.length;
        for (; at + unit.length + end.length <= size; at += unit.length) {
            System.arraycopy(unit, 0, value, at, unit.length);
        }
        System.arraycopy(end, 0, value, at, end.length);
        return Arrays.copyOf(value, at + end.length);
    }

    private static void decode(byte[] value, String protocol) {
        Source source = new Source("parley.wire", 0, 0L, Instant.EPOCH, null);
        RecordHeaders headers = RecordHeaders.of(
                protocol.isEmpty() ? Map.of() : Map.of(RecordHeaders.PROTOCOL, protocol.getBytes(UTF_8)));
        DECODER.decode(new WireRecord(source, "k".getBytes(UTF_8), value, headers));
    }
}
