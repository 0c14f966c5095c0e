package dev.parley.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.Reference;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Characters at which clients end a line are escaped in everything that is written. */
class LineBreakEscapesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String BREAKS = "a\u0085b\u2028c\u2029d\r\n";
    private static final String OTHERS = "\u0084\u0086\u2027\u202a\ud83d\ude00é€ \u00a0\"\\";

    @Test
    void noResultHasALineBreak() throws IOException {
        JsonNode tree = JSON.createObjectNode().put(BREAKS, BREAKS + OTHERS);
        Object result = Map.of(
                BREAKS, List.of(BREAKS, JsonText.of(tree), new Reference(BREAKS, OTHERS), Map.of(BREAKS, BREAKS)));

        String text = ApiJson.text(result);

        assertThat(text).contains("a\\u0085b\\u2028c\\u2029d").contains("é€");
        assertThat(text.chars()).noneMatch(c -> c == 0x85 || c == 0x2028 || c == 0x2029 || c == '\n' || c == '\r');
        assertThat(ApiJson.pretty(result).chars()).noneMatch(c -> c == 0x85 || c == 0x2028 || c == 0x2029);
        assertThat(JSON.readTree(text)).isEqualTo(JSON.readTree(ApiJson.pretty(result)));
        assertThat(JSON.readTree(text).path(BREAKS).get(1)).isEqualTo(tree);
        assertThat(JSON.readTree(text).path(BREAKS).get(2).path("kind").textValue())
                .isEqualTo(BREAKS);
    }

    @Test
    void theSizeOfAResultCountsEscapes() {
        for (String text : List.of(BREAKS, OTHERS)) {
            assertThat(ResultSize.jsonBytes(text)).isEqualTo(ApiJson.text(text).getBytes(UTF_8).length);
        }
    }
}
