package dev.parley.codec.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Limits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Members of objects of other formats: their texts, and what is no such object. */
class JsonMembersTest {
    private static final Limits LIMITS = new Limits(1_000, 2, 4, 1);

    private static final JsonCodes CODES =
            new JsonCodes(Code.SUBIT_NOT_JSON, Code.SUBIT_BAD_UTF8, Code.SUBIT_TRAILING_DATA, Code.SUBIT_DUPLICATE_KEY);

    private final List<String> members = new ArrayList<>();

    private Malformed<?> read(String text) {
        byte[] json = text.getBytes(ISO_8859_1);
        return JsonMembers.read(
                json, LIMITS, CODES, (name, from, to) -> members.add(name + "=" + JsonMembers.text(json, from, to)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{}; ``",
                " { } ; ``",
                "{\"a\":\"x\"}; a=x",
                "{\"a\":\"\"}; a=",
                "{\"a\" : \"\\u0041\\n\" , \"b\":\"c\\\"\"}; a=A\\n,b=c\"",
                "{\"a\":{ \"b\" : \"c\\u0041\" } ,\"d\": 1.50 }; a={ \"b\" : \"c\\u0041\" },d=1.50",
                "{\"\\u0061\":[1, 2],\"b\":null}; a=[1, 2],b=null",
                "{\"a\":{\"x\":1},\"b\":{\"x\":2}}; a={\"x\":1},b={\"x\":2}"
            })
    void aMemberIsTheTextOfItsValue(String json, String expected) {
        assertThat(read(json)).isNull();
        assertThat(String.join(",", members).replace("\n", "\\n")).isEqualTo(expected);
    }

    /** A tilde represents a byte that is not UTF-8. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "``; SUBIT_NOT_JSON; 0; ``",
                "[]; SUBIT_NOT_JSON; 0; ``",
                "{; SUBIT_NOT_JSON; 1; ``",
                "{\"a\":1; SUBIT_NOT_JSON; 6; a=1",
                "{\"a\":1]; SUBIT_NOT_JSON; 6; a=1",
                "{\"a\":1 \"b\":2}; SUBIT_NOT_JSON; 7; a=1",
                "{\"a\":1,\"b\" 2}; SUBIT_NOT_JSON; 11; a=1",
                "{\"a\":1,\"b\":x}; SUBIT_NOT_JSON; 11; a=1",
                "{\"a\":1,\"b\":{\"c\":1 \"d\":2}}; SUBIT_NOT_JSON; 18; a=1",
                "{\"a\":[1 2]}; SUBIT_NOT_JSON; 8; ``",
                "{\"a\":[1; SUBIT_NOT_JSON; 7; ``",
                "{\"a; SUBIT_NOT_JSON; 1; ``",
                "{\"a\":1} {}; SUBIT_TRAILING_DATA; 8; a=1",
                "{\"a\":\"~\"}; SUBIT_BAD_UTF8; 6; a=\uFFFD",
                "{\"a\":[[1]]}; TOO_DEEP; 6; ``",
                "{\"a\":[{}]}; TOO_DEEP; 6; ``",
                "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5}; TOO_MANY_FIELDS; 25; a=1,b=2,c=3,d=4",
                "{\"a\":1,\"a\":2}; SUBIT_DUPLICATE_KEY; 7; a=1,a=2",
                "{\"a\":1,\"\\u0061\":2}; SUBIT_DUPLICATE_KEY; 7; a=1,a=2",
                "{\"a\":{\"b\":1,\"b\":2}}; SUBIT_DUPLICATE_KEY; 12; a={\"b\":1,\"b\":2}"
            })
    void theFirstByteOfAnErrorIsFoundAfterTheMembersBeforeIt(String json, Code code, int offset, String before) {
        Malformed<?> error = read(json.replace('~', '\u00FF'));
        assertThat(error.code()).isEqualTo(code);
        assertThat(error.offset()).isEqualTo(offset);
        assertThat(String.join(",", members)).isEqualTo(before);
    }
}
