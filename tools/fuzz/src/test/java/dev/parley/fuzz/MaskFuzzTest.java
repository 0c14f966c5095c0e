package dev.parley.fuzz;

import static dev.parley.fuzz.Promise.require;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Named.named;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.parley.avro.Protocol;
import dev.parley.codec.json.JsonWriter;
import dev.parley.codec.json.MaskRules;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzzes the rules that mask values, with any rules and messages. */
class MaskFuzzTest {
    private static final String SECRET = "zq7Canary";
    private static final UnaryOperator<String> MARKER = value -> "#";
    private static final List<MaskRules> RULES = List.of(
            MaskRules.parse("default"),
            MaskRules.parse("key:password path:$.params.arguments.* pattern:[0-9]{4}"),
            MaskRules.parse("key:password path:$[*]['a.b'] pattern:(?s).{3}x"));
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .build();

    /** Each sample with a byte that selects the rules. */
    static Stream<Named<byte[]>> samples() {
        return Stream.concat(Seeds.wires(Protocol.MCP), Seeds.wires(Protocol.SUBIT))
                .filter(sample -> sample.getPayload() != null)
                .map(sample -> named(sample.getName(), joined(new byte[1], sample.getPayload())));
    }

    @MethodSource("samples")
    @FuzzTest
    void maskingKeepsItsPromises(byte[] bytes) throws IOException {
        Input input = new Input(bytes);
        int choice = input.next();
        MaskRules rules = choice < RULES.size() ? RULES.get(choice) : rules(input.piece(choice));
        byte[] message = input.rest();

        byte[] before = message.clone();
        byte[] masked = rules.mask(message, MARKER);
        require(Arrays.equals(message, before), "the input is not modified");
        require(Arrays.equals(rules.mask(message, MARKER), masked), "the result is the same each time");
        require(masked == null || masked == message || isJson(masked), "a masked message is JSON");

        String text = new String(message, UTF_8);
        if (choice < RULES.size() && !text.contains(SECRET)) {
            requireHidden(rules, joined("{\"a\":".getBytes(UTF_8), message, member(SECRET)));
            String line = JsonWriter.quoted(text + "\nPass-Word = " + SECRET);
            requireHidden(rules, ("{\"t\":" + line + "}").getBytes(UTF_8));
            String nested = JsonWriter.quoted("{\"a\":" + JsonWriter.quoted(text) + new String(member(SECRET), UTF_8));
            requireHidden(rules, ("[" + nested + "]").getBytes(UTF_8));
            require(rules.mask("password", text, MARKER).equals("#"), "a header of a masked name is masked");
        }
    }

    /** Rules as bytes; the default if they are invalid. Counts of repetitions are for whoever configures them. */
    private static MaskRules rules(byte[] bytes) {
        String text = new String(bytes, UTF_8);
        try {
            return text.indexOf('{') < 0 ? MaskRules.parse(text) : RULES.get(0);
        } catch (IllegalArgumentException e) {
            require(e.getMessage().startsWith("at character "), "an invalid rule has a position: %s", e.getMessage());
            return RULES.get(0);
        }
    }

    private static void requireHidden(MaskRules rules, byte[] message) {
        byte[] masked = rules.mask(message, MARKER);
        require(
                masked == null || !new String(masked, UTF_8).contains(SECRET),
                "a masked value must not remain: %s",
                new String(message, UTF_8));
    }

    private static byte[] member(String value) {
        return (",\"password\":[\"" + value + "\"]}").getBytes(UTF_8);
    }

    private static boolean isJson(byte[] bytes) throws IOException {
        try (JsonParser json = JSON.createParser(bytes)) {
            while (json.nextToken() != null) {
                // Throws if it is not.
                json.currentToken();
            }
        }
        return true;
    }

    private static byte[] joined(byte[]... parts) {
        byte[] joined = new byte[0];
        for (byte[] part : parts) {
            int from = joined.length;
            joined = Arrays.copyOf(joined, from + part.length);
            System.arraycopy(part, 0, joined, from, part.length);
        }
        return joined;
    }
}
