package dev.parley.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Rule;
import dev.parley.codec.Code;
import dev.parley.dialogue.Judgement;
import dev.parley.docs.ProtocolsPage;
import dev.parley.stage.OfflinePipeline;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every verdict cites the section of docs/protocols.md with its rule. The dialogue vectors produce the verdicts. */
class CitationTest {
    private static final Path SCENARIOS = Path.of("conformance", "dialogue");
    private static final ProtocolsPage PAGE = ProtocolsPage.read();
    private static final CodeGuide GUIDE = CodeGuide.withoutExamples();

    /** Decided about, but not by a rule: {@code parley explain} has their sections. */
    private static final Set<Code> WITHOUT_RULE = EnumSet.of(
            Code.REDACTION_REFUSED,
            Code.CONVERSATION_MOVED,
            Code.INTERNAL_ERROR,
            Code.STATE_UNREADABLE,
            Code.EXTENSION_VIOLATION);

    private static final Map<Code, Set<Rule>> VIOLATED = new EnumMap<>(Code.class);
    private static final Set<Rule> CITED = new HashSet<>();

    @BeforeAll
    static void judge() throws IOException, InvalidVectorException {
        for (ConformanceVector vector : VectorFiles.read(SCENARIOS)) {
            DialogueScenario scenario = (DialogueScenario) vector;
            scenario.verdicts(new OfflinePipeline(scenario.settings()))
                    .forEach(verdicts -> verdicts.forEach(judged -> add(judged.judgement())));
        }
    }

    private static void add(Judgement judgement) {
        if (judgement.rule() != null) {
            CITED.add(judgement.rule());
            if (judgement.code() != null) {
                VIOLATED.computeIfAbsent(judgement.code(), code -> new HashSet<>())
                        .add(judgement.rule());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Code.class)
    void theRuleOfACodeIsInTheSectionThatExplainsTheCode(Code code) {
        Set<Rule> rules = VIOLATED.getOrDefault(code, Set.of());
        assertThat(rules)
                .allMatch(rule -> rule.getSection().equals(GUIDE.entry(code).section()));
        boolean decides = code.kind() == Code.Kind.VIOLATION || code.kind() == Code.Kind.PATCH_VIOLATION;
        assertThat(rules.isEmpty()).isEqualTo(!decides && !alsoDecides(code) || WITHOUT_RULE.contains(code));
    }

    /** Warnings that are violations by configuration or by repetition. */
    private static boolean alsoDecides(Code code) {
        return code == Code.CSP_FORK || code == Code.LAMBDA_ERROR_LOOP;
    }

    @Test
    void theSectionOfARuleHasEachCodeThatTheRuleNames() {
        for (Rule rule : CITED) {
            String[] place = rule.getSection().split(" ", 2);
            String section = PAGE.section(place[0]);
            assertThat(section).as("%s", rule).isNotEmpty();
            for (String word : rule.getText().split("\\W+")) {
                if (Code.isName(word)) {
                    assertThat(section).as("%s", rule).contains("`" + word + "`");
                }
            }
            if (place.length == 2) {
                assertThat(section).as("%s", rule).contains("\n| " + place[1] + " |");
            }
        }
    }

    /** The text below the table of Λ has the row of a status report. */
    @Test
    void theTransitionOfARuleIsACellOfItsSection() {
        assertThat(CITED)
                .filteredOn(rule -> rule.getAct() != null)
                .filteredOn(rule -> !rule.getText().equals("CMD_ACK × A → CMD_ACK status"))
                .hasSizeGreaterThan(100)
                .allSatisfy(rule -> assertThat(PAGE.tables(rule.getSection()).stream()
                                .flatMap(table -> table.stream())
                                .filter(cell -> cell.state().equals(rule.getBefore())
                                        && cell.event().equals(rule.getAct())
                                        && cell.provenance().equals(rule.getProvenance())))
                        .isNotEmpty());
    }
}
