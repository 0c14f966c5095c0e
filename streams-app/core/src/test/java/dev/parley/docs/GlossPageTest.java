package dev.parley.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.decode.WireProtocol;
import dev.parley.protocol.Glosses;
import dev.parley.protocol.Protocols;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** docs/concepts.md: each example message has the gloss that follows it. */
class GlossPageTest {
    private static final Pattern EXAMPLE =
            Pattern.compile("^```(slip|subit|csp|lambda|mcp)\\n((?s:.*?))\\n```\\n> (.*)$", Pattern.MULTILINE);

    @Test
    void everyExampleHasItsGloss() throws IOException {
        String page = Files.readString(Path.of("docs", "concepts.md"));
        List<MatchResult> examples = EXAMPLE.matcher(page).results().toList();

        assertThat(examples).hasSizeGreaterThanOrEqualTo(8);
        assertThat(examples.stream().map(example -> example.group(1))).contains("slip", "subit", "csp", "lambda");
        assertThat(Stream.of("```slip", "```subit", "```csp", "```lambda")
                        .mapToInt(fence -> page.split(fence, -1).length - 1)
                        .sum())
                .as("every message has a gloss")
                .isEqualTo(examples.size());
        for (MatchResult example : examples) {
            String protocol = example.group(1).toUpperCase(Locale.ROOT);
            assertThat(gloss(Protocols.STANDARD.named(protocol).orElseThrow().wire(), example.group(2)))
                    .isEqualTo(example.group(3));
        }
    }

    private static <M extends SpecificRecord> String gloss(WireProtocol<M> protocol, String wire) {
        DecodeResult<M> result = protocol.codec().decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT);
        assertThat(result).as(wire).isInstanceOf(DecodeResult.Decoded.class);
        return Glosses.STANDARD.gloss(protocol, ((DecodeResult.Decoded<M>) result).message(), null);
    }
}
