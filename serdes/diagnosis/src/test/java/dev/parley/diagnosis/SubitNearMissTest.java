package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.subit.SubitCodec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cause of a decode error, and the byte that is wrong. */
class SubitNearMissTest {

    /** A caret represents a byte order mark of three bytes, and a tilde NUL. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '|',
            value = {
                "STATE: 000110; SUBIT_NOT_JSON; 0; plain form",
                "^STATE: 000110; SUBIT_NOT_JSON; 3; plain form",
                "^  PLAN 000110; SUBIT_NOT_JSON; 5; plain form",
                "please; SUBIT_NOT_JSON; 0; A packet must be a JSON object",
                "||; SUBIT_NOT_JSON; 0; A packet must be a JSON object",
                "^ ; SUBIT_NOT_JSON; 3; A packet must be a JSON object",
                "{'type':'STATE'}; SUBIT_NOT_JSON; 1; single quotes",
                "^{'type':'STATE'}; SUBIT_NOT_JSON; 4; single quotes",
                "{\"type\":`STATE`}; SUBIT_NOT_JSON; 8; backticks",
                "{\"type\":“STATE”}; SUBIT_NOT_JSON; 8; U+201C is a typographic character. Write '\"'.",
                "{\"type\":~}; SUBIT_NOT_JSON; 8; A JSON value is missing",
                "{\"type\":; SUBIT_NOT_JSON; 8; A JSON value is missing",
                "{type:\"STATE\"}; SUBIT_NOT_JSON; 1; A key in double quotes",
                "{\"a\":payload}; SUBIT_NOT_JSON; 5; must be a JSON number",
                "{\"a\":1,}; SUBIT_NOT_JSON; 7; A comma must not precede",
                "{\"a\":[1 , \t]}; SUBIT_NOT_JSON; 11; A comma must not precede",
                "{\"a\":1]; SUBIT_NOT_JSON; 6; A comma or the closing bracket is missing",
                "{\"a\":[1}; SUBIT_NOT_JSON; 7; A comma or the closing bracket is missing",
                "{,}; SUBIT_NOT_JSON; 1; A key in double quotes",
                "{\"a\":1,,}; SUBIT_NOT_JSON; 7; A key in double quotes",
                "{# now\"a\":1}; SUBIT_NOT_JSON; 1; JSON has no comments",
                "{\"a\":1, /* now */}; SUBIT_NOT_JSON; 8; JSON has no comments",
                "{\"a\":None}; SUBIT_NOT_JSON; 5; JSON has no None. Write null.",
                "{\"a\":True}; SUBIT_NOT_JSON; 5; JSON has no True. Write true.",
                "{\"a\":[1,False]}; SUBIT_NOT_JSON; 8; JSON has no False. Write false.",
                "{\"a\":undefined}; SUBIT_NOT_JSON; 5; JSON has no undefined. Write null.",
                "{\"a\":NaN}; SUBIT_NOT_JSON; 5; JSON has no NaN. Write null.",
                "{\"a\":nil}; SUBIT_NOT_JSON; 5; must be a JSON number",
                "{\"a\":1} {'b':1}; SUBIT_TRAILING_DATA; 8; one message",
                "{\"Type\":\"STATE\",\"payload\":\"000110\"}; SUBIT_MISSING_FIELD; 1; lower case: type.",
                "{\"type\":\"STATE\",\"PAYLOAD\" : \"000110\"}; SUBIT_MISSING_FIELD; 16; lower case: payload.",
                "{\"PAYLOAD\":\"0\",\"TYPE\":\"x\"}; SUBIT_MISSING_FIELD; 1; lower case: payload.",
                "{\"type\":\"STATE\",\"kind\":\"Payload\"}; SUBIT_MISSING_FIELD; 33; must have payload.",
                "{\"payload\":\"000110\"}; SUBIT_MISSING_FIELD; 20; must have type.",
                "{\"Types\":\"STATE\"}; SUBIT_MISSING_FIELD; 17; must have type and payload.",
                "{\"type\":\"state\",\"payload\":\"000110\"}; SUBIT_UNKNOWN_TYPE; 8; STATE, INTENT"
            })
    void theCauseIsNamedAtItsByte(String text, Code code, int offset, String detail) {
        byte[] wire = text.replace('^', '\uFEFF').replace('~', '\0').getBytes(UTF_8);
        Malformed<?> error = ValueDiagnosis.explain(
                wire, Protocol.SUBIT, (Malformed<?>) new SubitCodec().decode(wire, DecodeOptions.LENIENT));
        assertThat(error.code()).isEqualTo(code);
        assertThat(error.detail()).contains(detail);
        assertThat(error.offset()).isEqualTo(offset);
    }
}
