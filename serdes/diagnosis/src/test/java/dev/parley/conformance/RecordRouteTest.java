package dev.parley.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.Profile;
import dev.parley.avro.Source;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.Rounds;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import dev.parley.decode.WireRecord;
import dev.parley.diagnosis.ValueDiagnosis;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The route of a record against its decoded form: all vectors of the conformance kit, and mutations of them. */
class RecordRouteTest {
    private static final List<String> HEADERS =
            List.of(RecordHeaders.NAMESPACE, RecordHeaders.PROTOCOL, RecordHeaders.CONVERSATION, RecordHeaders.SENDER);
    private static final int MAX_MUTATED_BYTES = 2_000;

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"LENIENT", "STRICT"})
    void everyVectorHasTheRouteOfItsDecodedForm(Profile profile) {
        MessageDecoder decoder = decoder(profile);
        List<WireRecord> records = records();
        assertThat(records).hasSizeGreaterThan(100);
        records.forEach(record -> assertRouteOfDecodedForm(decoder, record));
    }

    @Test
    void everyMutatedVectorHasTheRouteOfItsDecodedForm() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        MessageDecoder decoder = decoder(Profile.LENIENT);
        List<WireRecord> records = records().stream()
                .filter(record -> record.value() != null && record.value().length < MAX_MUTATED_BYTES)
                .toList();
        for (int round = 0; round < Rounds.of(20_000); round++) {
            WireRecord mutated = mutated(records.get(random.nextInt(records.size())), random);
            try {
                assertRouteOfDecodedForm(decoder, mutated);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("parley.seed=" + seed + " round " + round, e);
            }
        }
    }

    private static void assertRouteOfDecodedForm(MessageDecoder decoder, WireRecord record) {
        byte[] before = record.value() == null ? null : record.value().clone();
        if (decoder.decode(record) instanceof RecordDecodeResult.Message decoded) {
            assertThat(decoded.conversation() + " from " + decoded.sender()).isEqualTo(name(decoded.message()));
        }
        assertThat(record.value()).isEqualTo(before);
    }

    private static String name(AgentMessage message) {
        return new ConversationKey(message.getNamespace(), WireProtocol.nameOf(message), message.getConversation())
                + " from " + message.getSender();
    }

    private static WireRecord mutated(WireRecord record, Random random) {
        byte[] value = record.value().clone();
        for (int i = random.nextInt(4); i > 0 && value.length > 0; i--) {
            value[random.nextInt(value.length)] = (byte) random.nextInt(256);
        }
        Map<String, byte[]> headers = new HashMap<>();
        for (String name : HEADERS) {
            byte[] header = record.headers().last(name);
            if (random.nextInt(4) == 0) {
                header = new byte[random.nextInt(3)];
                random.nextBytes(header);
            }
            if (header != null) {
                headers.put(name, header);
            }
        }
        byte[] key = random.nextInt(4) > 0 ? record.key() : new byte[] {(byte) random.nextInt(256)};
        return new WireRecord(record.source(), key, value, RecordHeaders.of(headers));
    }

    private static MessageDecoder decoder(Profile profile) {
        return ValueDiagnosis.decoder(
                new DecodeOptions(profile, Limits.DEFAULT), Map.of("parley.wire.csp", WireProtocols.CSP));
    }

    /**
     * The vectors of records, and those of messages with a header that names the protocol and a key that names the
     * conversation.
     */
    private static List<WireRecord> records() {
        List<WireRecord> records = new ArrayList<>();
        for (JsonNode vector : Vectors.in("record")) {
            Map<String, byte[]> headers = new HashMap<>();
            vector.path("headers")
                    .properties()
                    .forEach(header -> headers.put(header.getKey(), VectorJson.bytes(header.getValue())));
            records.add(record(vector, VectorJson.bytes(vector.path("key")), headers));
        }
        for (JsonNode vector : Vectors.in("decode")) {
            byte[] protocol =
                    vector.get("protocol").textValue().toLowerCase(Locale.ROOT).getBytes(UTF_8);
            records.add(record(vector, "k".getBytes(UTF_8), Map.of(RecordHeaders.PROTOCOL, protocol)));
        }
        return records;
    }

    private static WireRecord record(JsonNode vector, byte[] key, Map<String, byte[]> headers) {
        Source source = new Source(vector.path("topic").asText("parley.wire"), 0, 0L, Instant.EPOCH, null);
        return new WireRecord(source, key, VectorJson.bytes(vector.get("wire")), RecordHeaders.of(headers));
    }
}
