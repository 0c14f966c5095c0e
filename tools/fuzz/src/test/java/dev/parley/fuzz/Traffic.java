package dev.parley.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Profile;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.checkpoint.ParkingLimits;
import dev.parley.checkpoint.StateCacheBudget;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.stage.StageSettings;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Settings and records of a pipeline, read from a fuzzer's bytes: two bytes of settings, then steps. The first byte of
 * a step selects its message: a template with its choices, a sample, raw bytes, an earlier message, or an earlier
 * message with one changed byte. The last byte selects sender and time.
 *
 * @param options options of the decoder
 * @param dialogue settings of the dialogue rules
 * @param checkpoints settings of the checkpoints
 * @param records the records, in order
 */
record Traffic(DecodeOptions options, DialogueSettings dialogue, CheckpointSettings checkpoints, List<Sent> records) {
    /** First byte of a step with a sample; two more bytes select it. */
    static final int SAMPLE = 0x80;

    private static final int RAW = 0xA0;
    private static final int AGAIN = 0xC0;
    private static final int DAMAGED = 0xE0;
    private static final int MAX_RECORDS = 150;
    private static final long HOUR = 3_600_000L;
    private static final long[] STEPS = {0, 1, 1_000, 5_000, HOUR, 24 * HOUR, -1_000, -24 * HOUR};
    private static final int[] PARKING = {0, 1, 2, 100};
    private static final long[] MILLIS = {1, 5_000, HOUR, 24 * HOUR};
    private static final int[] ENTRIES = {1, 2, 3, 1_000};
    private static final List<String> SENDERS = List.of("A1", "A2", "1");

    /**
     * One record.
     *
     * @param record the record for the decoder
     * @param headers its headers, to store with it
     */
    record Sent(WireRecord record, List<InboundHeader> headers) {}

    /** Reads the traffic; any bytes are valid. */
    static Traffic of(byte[] data) {
        Input input = new Input(data);
        int first = input.next();
        int second = input.next();
        DecodeOptions options = new DecodeOptions((first & 1) == 0 ? Profile.LENIENT : Profile.STRICT, Limits.DEFAULT);
        DialogueSettings dialogue = new DialogueSettings(
                (first & 2) == 0 ? DialogueSettings.Mode.ENFORCE : DialogueSettings.Mode.OBSERVE,
                MILLIS[3 - (second & 3)],
                ENTRIES[3 - (second >> 2 & 3)]);
        CheckpointSettings checkpoints = new CheckpointSettings(
                (first & 4) == 0 ? CheckpointSettings.Branching.WARN : CheckpointSettings.Branching.REJECT,
                PARKING[3 - (first >> 3 & 3)],
                MILLIS[3 - (first >> 5 & 3)],
                (first & 0x80) == 0 ? 8L << 20 : 24,
                new StateCacheBudget((second & 0x10) == 0 ? 64L << 20 : 0),
                -1L,
                ParkingLimits.DEFAULT);
        return new Traffic(options, dialogue, checkpoints, records(input));
    }

    private static List<Sent> records(Input input) {
        List<Sent> records = new ArrayList<>();
        long millis = 1_700_000_000_000L;
        while (!input.isEmpty() && records.size() < MAX_RECORDS) {
            int kind = input.next();
            byte[] key = null;
            byte[] value;
            List<InboundHeader> headers = null;
            if (kind < SAMPLE) {
                value = Templates.message(kind, input::next, records.size() + 1).getBytes(UTF_8);
            } else if (kind < RAW) {
                Seeds.Sample sample = Seeds.ALL.get(input.nextPair() % Seeds.ALL.size());
                key = sample.key() == null ? null : sample.key().getBytes(UTF_8);
                value = sample.wire();
                headers = headersOf(sample);
            } else if (kind < AGAIN || records.isEmpty()) {
                value = input.piece(input.nextPair());
            } else {
                Sent earlier = records.get(input.next() % records.size());
                key = earlier.record().key();
                headers = earlier.headers();
                value = kind < DAMAGED
                        ? earlier.record().value()
                        : damaged(earlier.record().value(), input);
            }
            int whose = input.next();
            if (headers == null) {
                headers = headers(whose);
                key = (whose & 8) == 0 ? "k".getBytes(UTF_8) : "k|%".getBytes(UTF_8);
            }
            millis = Math.max(0, millis + STEPS[whose >> 5]);
            Source source = new Source("parley.wire", 0, (long) records.size(), Instant.ofEpochMilli(millis), null);
            records.add(new Sent(new WireRecord(source, key, value, lookup(headers)), headers));
        }
        return records;
    }

    private static byte[] damaged(byte[] value, Input input) {
        if (value == null || value.length == 0) {
            return value;
        }
        byte[] damaged = value.clone();
        damaged[input.next() % damaged.length] = (byte) input.next();
        return damaged;
    }

    /** A sender by the last two bits, or none; a namespace by the third bit. */
    private static List<InboundHeader> headers(int whose) {
        List<InboundHeader> headers = new ArrayList<>(2);
        if ((whose & 3) < SENDERS.size()) {
            headers.add(header(RecordHeaders.SENDER, SENDERS.get(whose & 3)));
        }
        if ((whose & 4) != 0) {
            headers.add(header(RecordHeaders.NAMESPACE, "a|b%"));
        }
        return headers;
    }

    private static List<InboundHeader> headersOf(Seeds.Sample sample) {
        List<InboundHeader> headers = new ArrayList<>();
        for (Map.Entry<String, JsonNode> header : sample.headers().properties()) {
            headers.add(header(header.getKey(), header.getValue().asText()));
        }
        return headers;
    }

    private static InboundHeader header(String name, String value) {
        return new InboundHeader(name, ByteBuffer.wrap(value.getBytes(UTF_8)));
    }

    private static RecordHeaders lookup(List<InboundHeader> headers) {
        return visitor -> headers.forEach(
                header -> visitor.accept(header.getKey(), header.getValue().array()));
    }

    StageSettings settings() {
        return StageSettings.of(options, dialogue).with(checkpoints);
    }
}
