package dev.parley.conformance.noise;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.RecordHeaders;
import dev.parley.conformance.noise.Noise.Kind;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.RecordDecodeResult.Undecodable;
import dev.parley.decode.WireRecord;
import dev.parley.diagnosis.InnerMessages;
import dev.parley.diagnosis.ValueDiagnosis;
import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How much noise is accepted as messages without a warning. Detection was tuned with the first seed only;
 * docs/testing.md states the rates. {@code -Dnoise.list=true} prints the accepted texts.
 */
class NoiseRateTest {
    private static final int TEXTS_PER_KIND = 300;
    private static final double MAX_RATE = 0.01;
    private static final MessageDecoder DECODER = ValueDiagnosis.decoder(
            DecodeOptions.LENIENT, Protocols.STANDARD.wire(), TopicNames.DEFAULT.byInputTopic(Protocols.STANDARD));

    @ParameterizedTest
    @CsvSource({"35, ''", "35, lambda", "3535, ''", "3535, lambda"})
    void atMostOnePercentOfNoiseIsAcceptedWithoutAWarning(long seed, String named) {
        Noise noise = new Noise(seed);
        List<String> accepted = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (int i = 0; i < TEXTS_PER_KIND; i++) {
                String text = noise.next(kind);
                boolean legal = kind == Kind.SEVERAL && isOneLambdaMessage(text);
                if (!legal && isAccepted(text, named)) {
                    accepted.add(kind + ": " + text);
                }
            }
        }
        int texts = TEXTS_PER_KIND * Kind.values().length;
        System.out.printf("seed %d, header '%s': %d of %d accepted%n", seed, named, accepted.size(), texts);
        if (Boolean.getBoolean("noise.list")) {
            accepted.forEach(System.out::println);
        }
        assertThat((double) accepted.size() / texts).as("%s", accepted).isLessThanOrEqualTo(MAX_RATE);
    }

    @ParameterizedTest
    @CsvSource({"35, ''", "35, lambda", "3535, ''", "3535, lambda"})
    void bracesAndStringsOfOtherLanguagesContainNoMessage(long seed, String named) {
        Noise noise = new Noise(seed);
        for (int i = 0; i < TEXTS_PER_KIND; i++) {
            String text = noise.foreign();
            if (decode(text, named) instanceof Undecodable error) {
                assertThat(error.inner()).as(text).isEmpty();
                assertThat(error.claims().getProtocol()).as(text).isEqualTo(named.isEmpty() ? "UNKNOWN" : "LAMBDA");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {35, 3535, 777})
    void textWithoutAMessageIsOfNoProtocol(long seed) {
        Noise noise = new Noise(seed);
        List<String> named = new ArrayList<>();
        int texts = 0;
        for (Kind kind : EnumSet.range(Kind.PROSE, Kind.FRAGMENT)) {
            for (int i = 0; i < TEXTS_PER_KIND; i++) {
                String text = noise.next(kind);
                // JSON that names the protocol is an attempt at it.
                if (!text.contains("CSP/1")) {
                    texts++;
                    if (decode(text, "") instanceof Undecodable error
                            && !error.claims().getProtocol().equals("UNKNOWN")) {
                        named.add(error.code() + ": " + text);
                    }
                }
            }
        }
        assertThat((double) named.size() / texts).as("%s", named).isLessThanOrEqualTo(MAX_RATE);
    }

    @ParameterizedTest
    @ValueSource(longs = {35, 3535, 777})
    void aMessageInsideOtherTextIsFound(long seed) {
        Noise noise = new Noise(seed);
        for (int i = 0; i < TEXTS_PER_KIND; i++) {
            String message = noise.message();
            String text = noise.wrap(message).text();
            assertThat(decode(text, "")).as(text).isInstanceOfSatisfying(Undecodable.class, error -> {
                assertThat(error.code()).isEqualTo(Code.WRAPPED_MESSAGE);
                assertThat(error.inner())
                        .extracting(inner -> new String(InnerMessages.bytes(text.getBytes(UTF_8), inner), UTF_8))
                        .containsExactly(message);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {35, 3535, 777})
    void aHeadingOrTranslationIsNoPartOfAMessage(long seed) {
        Noise noise = new Noise(seed);
        for (int i = 0; i < TEXTS_PER_KIND; i++) {
            String message = noise.message(3);
            String text = noise.annotated(message);
            for (String named : new String[] {"", "lambda"}) {
                assertThat(decode(text, named)).as(text).isInstanceOfSatisfying(Undecodable.class, error -> {
                    assertThat(error.code()).as(text).isEqualTo(Code.WRAPPED_MESSAGE);
                    assertThat(error.claims().getSender()).as(text).isNull();
                    assertThat(error.inner())
                            .extracting(inner -> new String(InnerMessages.bytes(text.getBytes(UTF_8), inner), UTF_8))
                            .as(text)
                            .containsExactly(message);
                });
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {35, 3535, 777})
    void aMessageIsNotFoundWithoutItsAddressOrPrivateMark(long seed) {
        Noise noise = new Noise(seed);
        for (int i = 0; i < TEXTS_PER_KIND; i++) {
            String text = noise.prefixed(noise.message(3));
            for (String named : new String[] {"", "lambda"}) {
                assertThat(decode(text, named)).as(text).isInstanceOfSatisfying(Undecodable.class, error -> {
                    assertThat(error.code()).as(text).isEqualTo(Code.LAMBDA_MALFORMED);
                    assertThat(error.inner()).as(text).isEmpty();
                });
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {35, 3535, 777})
    void aMessageOfCspInAnotherNotationIsRefused(long seed) {
        Noise noise = new Noise(seed);
        for (int i = 0; i < TEXTS_PER_KIND; i++) {
            String text = noise.notated(noise.message(2));
            assertThat(decode(text, "")).as(text).isInstanceOfSatisfying(Undecodable.class, error -> {
                assertThat(error.claims().getProtocol()).as(text).isEqualTo("CSP");
                assertThat(error.inner()).as(text).isEmpty();
            });
        }
    }

    /** Statements of Λ on two lines are one message. */
    private static boolean isOneLambdaMessage(String text) {
        return text.indexOf('@') < 0 && text.indexOf('"') < 0 && !text.contains("CSP") && !text.contains("---");
    }

    private static boolean isAccepted(String text, String named) {
        return decode(text, named) instanceof RecordDecodeResult.Message message
                && message.warnings().isEmpty()
                && message.violations().isEmpty();
    }

    private static RecordDecodeResult decode(String text, String named) {
        Map<String, byte[]> headers =
                named.isEmpty() ? Map.of() : Map.of(RecordHeaders.PROTOCOL, named.getBytes(UTF_8));
        Source source = new Source("parley.wire", 0, 0L, Instant.EPOCH, null);
        return DECODER.decode(
                new WireRecord(source, "k".getBytes(UTF_8), text.getBytes(UTF_8), RecordHeaders.of(headers)));
    }
}
