package dev.parley.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.conformance.CodeGuide;
import dev.parley.conformance.InvalidVectorException;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.Judgement;
import dev.parley.docs.ProtocolsPage.Example;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Keeps docs/protocols.md from drifting: its codes and examples here, the cells of its dialogue tables in the tests of
 * the rules, which take their expectations from the page.
 */
class ProtocolsPageTest {
    private static final ProtocolsPage PAGE = ProtocolsPage.read();
    private static final CodeGuide GUIDE = guide();

    static Stream<Example> examples() {
        return PAGE.examples().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("examples")
    void anExampleGetsTheCodesThatItsFenceNames(Example example) {
        OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
        List<JudgedRecord> verdicts = new ArrayList<>();
        byte[] protocol = example.protocol().getBytes(UTF_8);
        pipeline.accept(
                new WireRecord(
                        new Source("wire", 0, 0L, Instant.EPOCH, null),
                        "k".getBytes(UTF_8),
                        example.wire().getBytes(UTF_8),
                        visitor -> visitor.accept("parley-protocol", protocol)),
                List.of(),
                verdicts::add);
        assertThat(verdicts).hasSize(1);
        Judgement judgement = verdicts.get(0).judgement();
        Set<Code> codes = EnumSet.noneOf(Code.class);
        codes.addAll(judgement.warnings());
        if (judgement.code() != null) {
            codes.add(judgement.code());
        }
        assertThat(codes).containsExactlyInAnyOrderElementsOf(example.codes());
    }

    @Test
    void everyProtocolHasExamples() {
        assertThat(PAGE.examples()).extracting(Example::protocol).contains("slip", "subit", "csp", "lambda", "mcp");
    }

    @ParameterizedTest
    @EnumSource(Code.class)
    void everyCodeStandsInTheSectionThatItsExplanationNames(Code code) {
        String[] place = GUIDE.entry(code).section().split(" ", 2);
        assertThat(PAGE.section(place[0])).contains("`" + code + "`");
        if (place.length == 2) {
            assertThat(PAGE.section(place[0]).lines().filter(line -> line.startsWith("| " + place[1] + " |")))
                    .singleElement()
                    .asString()
                    .contains("`" + code + "`");
        }
    }

    private static CodeGuide guide() {
        try {
            return CodeGuide.load(List.of(Code.values()));
        } catch (IOException | InvalidVectorException e) {
            throw new IllegalStateException(e);
        }
    }
}
