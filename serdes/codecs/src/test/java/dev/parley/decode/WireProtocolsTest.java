package dev.parley.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Extension;
import dev.parley.avro.LambdaTrust;
import dev.parley.avro.Protocol;
import dev.parley.avro.SlipMessage;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.slip.SlipCodec;
import java.io.IOException;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.message.MissingSchemaException;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WireProtocolsTest {
    private static final String SLIP = "@a3|f0|c7|S0|d1|T1|k1#";

    /** A protocol without a symbol of its own, in the bytes of SLIP. */
    private static final WireProtocol<SlipMessage> EXTENSION =
            WireProtocol.extension("PING", new SlipCodec(), SlipMessage.class);

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = ';',
            value = {
                "SLIP;" + SLIP,
                "SUBIT;{\"type\":\"STATE\",\"payload\":\"000110\"}",
                "CSP;`CSP/1\nFROM MAIN\nTO CODER\nCTX C0\nINTENT QUERY\n\nQUERY Q1`",
                "LAMBDA;!Ik"
            })
    void anEnvelopeIsEncodedToTheSameMessage(Protocol symbol, String wire) {
        WireProtocol<?> protocol = WireProtocols.STANDARD.named(symbol.name());
        AgentMessage envelope = envelope(protocol, wire);
        assertThat(protocol).hasToString(symbol.name());
        assertThat(envelope.getProtocol()).isEqualTo(symbol.name());
        assertThat(WireProtocol.nameOf(envelope)).isEqualTo(symbol.name());
        assertThat(WireProtocols.STANDARD.of(envelope)).isSameAs(protocol);
        assertThat(canonical(protocol, envelope)).isEqualTo(wire);
    }

    @Test
    void onlyThePublicFieldsOfAMessageAreCopied() {
        AgentMessage shown = new AgentMessage();
        WireProtocols.LAMBDA.copyPublic(envelope(WireProtocols.LAMBDA, "prv:!Ik"), shown);
        assertThat(shown.getLambda().getTrust()).isEqualTo(LambdaTrust.PRIVATE);
        assertThat(shown.getLambda().getStatements()).isNull();

        WireProtocols.SLIP.copyPublic(envelope(WireProtocols.SLIP, SLIP), shown);
        EXTENSION.copyPublic(envelope(EXTENSION, SLIP), shown);
        WireProtocols.SUBIT.copyPublic(envelope(WireProtocols.SLIP, SLIP), shown);
        assertThat(shown.getSlip()).isNull();
        assertThat(shown.getExtension()).isNull();
        assertThat(shown.getSubit()).isNull();
    }

    @Test
    void aMessageOfAProtocolWithoutASymbolIsAnExtensionOfTheEnvelope() {
        WireProtocols protocols = new WireProtocols(List.of(WireProtocols.CSP, EXTENSION));
        AgentMessage envelope = envelope(protocols.named("Ping"), SLIP);
        assertThat(envelope.getProtocol()).isEqualTo(Protocol.EXTENSION.name());
        assertThat(envelope.getSlip()).isNull();
        assertThat(WireProtocol.nameOf(envelope)).isEqualTo("PING");
        assertThat(protocols.of(envelope)).isSameAs(EXTENSION);
        assertThat(canonical(EXTENSION, envelope)).isEqualTo(SLIP);
        assertThat(WireProtocols.STANDARD.of(envelope)).isNull();
    }

    @Test
    void theBodyOfAnExtensionIsReadAgainAndAgainAndByItsOwnProtocolAlone() {
        AgentMessage envelope = envelope(EXTENSION, SLIP);
        assertThat(EXTENSION.message(envelope)).isEqualTo(EXTENSION.message(envelope));
        Extension other = new Extension("PONG", envelope.getExtension().getBody());
        envelope.setExtension(other);
        assertThat(EXTENSION.message(envelope)).isNull();
    }

    @Test
    void aMessageOfAnEarlierVersionIsReadIfTheProtocolNamesItsSchema() throws IOException {
        Schema earlier = Schema.createRecord("SlipMessage", null, "dev.parley.avro", false);
        earlier.setFields(SlipMessage.getClassSchema().getFields().stream()
                .filter(field -> !field.name().equals("unknownFields"))
                .map(field -> new Schema.Field(field, field.schema()))
                .toList());
        SlipMessage message = EXTENSION.message(envelope(EXTENSION, SLIP));
        GenericData.Record stored = new GenericData.Record(earlier);
        earlier.getFields().forEach(field -> stored.put(field.name(), message.get(field.pos())));
        AgentMessage envelope = new AgentMessage();
        envelope.setExtension(new Extension(
                "PING", new BinaryMessageEncoder<GenericRecord>(SpecificData.get(), earlier).encode(stored)));

        assertThat(WireProtocol.extension("PING", new SlipCodec(), SlipMessage.class, earlier)
                        .message(envelope))
                .isEqualTo(message);
        assertThatThrownBy(() -> EXTENSION.message(envelope)).isInstanceOf(MissingSchemaException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "A, true",
        "Z, true",
        "PING, true",
        "A_1, true",
        "A09, true",
        "'', false",
        "1A, false",
        "_A, false",
        "a, false",
        "Aa, false",
        "A@, false",
        "A[, false",
        "A/, false",
        "A:, false",
        "A^, false",
        "A-B, false",
        "Ä, false"
    })
    void aNameIsALetterInUpperCaseThenLettersDigitsAndUnderscores(String text, boolean isName) {
        assertThat(WireProtocol.isName(text)).isEqualTo(isName);
    }

    @ParameterizedTest
    @CsvSource({"prv:!Ik, true", "pub:!Ik, false", "!Ik, false"})
    void aMessageOfLambdaMayBePrivate(String wire, boolean isPrivate) {
        assertThat(WireProtocols.LAMBDA.isPrivate(envelope(WireProtocols.LAMBDA, wire)))
                .isEqualTo(isPrivate);
    }

    @Test
    void anEnvelopeOfAnotherProtocolIsNotPrivate() {
        assertThat(WireProtocols.SLIP.isPrivate(envelope(WireProtocols.LAMBDA, "prv:!Ik")))
                .isFalse();
    }

    @Test
    void everyStandardProtocolHasItsTopic() {
        assertThat(WireProtocols.STANDARD.all())
                .extracting(WireProtocol::topicSuffix)
                .containsExactly("mcp", "slip", "subit", "csp", "lambda");
    }

    @Test
    void twoProtocolsWithOneNameAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new WireProtocols(List.of(EXTENSION, EXTENSION)))
                .withMessageContaining("PING");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WireProtocol.extension("ping", new SlipCodec(), SlipMessage.class))
                .withMessageContaining("upper case");
    }

    @Test
    void anUnknownNameHasNoProtocol() {
        assertThat(WireProtocols.STANDARD.named("UNKNOWN")).isNull();
        assertThat(WireProtocols.STANDARD.names()).isEqualTo("mcp, slip, nslip, subit, csp, lambda, λ");
    }

    private static <M extends SpecificRecord> AgentMessage envelope(WireProtocol<M> protocol, String wire) {
        DecodeResult<M> result = protocol.codec().decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT);
        AgentMessage envelope = new AgentMessage();
        protocol.put(envelope, ((DecodeResult.Decoded<M>) result).message());
        return envelope;
    }

    private static <M extends SpecificRecord> String canonical(WireProtocol<M> protocol, AgentMessage envelope) {
        return new String(protocol.codec().encode(protocol.message(envelope)), UTF_8);
    }
}
