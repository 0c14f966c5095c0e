package dev.parley.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Protocol;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodecsTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = ';',
            value = {
                "SLIP;@a3|f0|c7|S0|d1|T1|k1#",
                "SUBIT;{\"type\":\"STATE\",\"payload\":\"000110\"}",
                "CSP;`CSP/1\nFROM MAIN\nTO CODER\nCTX C0\nINTENT QUERY\n\nQUERY Q1`",
                "LAMBDA;!Ik"
            })
    void anEnvelopeIsEncodedFromItsMessage(Protocol protocol, String wire) {
        Codecs codec = Codecs.of(protocol);
        Codecs.Opened opened = codec.open(wire.getBytes(UTF_8), DecodeOptions.LENIENT);
        AgentMessage envelope = new AgentMessage();
        opened.intoEnvelope().accept(envelope);
        assertThat(codec).hasToString(protocol.name());
        assertThat(opened.result()).isInstanceOf(DecodeResult.Decoded.class);
        assertThat(opened.traits().performative()).isNotNull();
        assertThat(new String(codec.encode(envelope), UTF_8)).isEqualTo(wire);
    }

    @Test
    void anUndecodableMessageHasNoTraits() {
        Codecs.Opened opened = Codecs.SLIP.open("!Ik".getBytes(UTF_8), DecodeOptions.LENIENT);
        assertThat(opened.result()).isInstanceOf(DecodeResult.Malformed.class);
        assertThat(opened.traits()).isNull();
        assertThat(opened.intoEnvelope()).isNull();
    }

    @Test
    void anUnknownProtocolHasNoCodec() {
        assertThatIllegalArgumentException().isThrownBy(() -> Codecs.of(Protocol.UNKNOWN));
    }
}
