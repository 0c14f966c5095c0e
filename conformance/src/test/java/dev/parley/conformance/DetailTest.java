package dev.parley.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.dialogue.Judgement;
import dev.parley.stage.OfflinePipeline;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every failure of the dialogue vectors tells its sender what would have been accepted. */
class DetailTest {
    /** Violations that no vector can produce, or that are not about a message. */
    private static final Set<Code> WITHOUT_VECTOR = EnumSet.of(
            Code.REDACTION_REFUSED,
            Code.CONVERSATION_MOVED,
            Code.INTERNAL_ERROR,
            Code.STATE_UNREADABLE,
            Code.EXTENSION_VIOLATION);

    private static final Map<Code, List<Judgement>> FAILURES = new EnumMap<>(Code.class);
    private static final List<String> DETAILS = new ArrayList<>();

    @BeforeAll
    static void judge() throws IOException, InvalidVectorException {
        for (Judgement judgement : judgements()) {
            DETAILS.add(judgement.detail());
            if (judgement.code() != null) {
                FAILURES.computeIfAbsent(judgement.code(), code -> new ArrayList<>())
                        .add(judgement);
            }
        }
    }

    private static List<Judgement> judgements() throws IOException, InvalidVectorException {
        List<Judgement> judgements = new ArrayList<>();
        for (ConformanceVector vector : VectorFiles.read(Path.of("conformance", "dialogue"))) {
            DialogueScenario scenario = (DialogueScenario) vector;
            scenario.verdicts(new OfflinePipeline(scenario.settings()))
                    .forEach(verdicts -> verdicts.forEach(judged -> judgements.add(judged.judgement())));
        }
        return judgements;
    }

    @ParameterizedTest
    @EnumSource(Code.class)
    void eachFailureHasABoundedDetail(Code code) {
        List<Judgement> failures = FAILURES.getOrDefault(code, List.of());
        if (code.kind() == Code.Kind.VIOLATION || code.kind() == Code.Kind.PATCH_VIOLATION) {
            assertThat(failures.isEmpty()).isEqualTo(WITHOUT_VECTOR.contains(code));
        }
        assertThat(failures)
                .allSatisfy(failure ->
                        assertThat(failure.detail()).isNotBlank().hasSizeLessThan(Excerpt.MAX_DETAIL_CHARACTERS));
    }

    @ParameterizedTest
    @EnumSource(Code.class)
    void eachViolationOfADialogueNamesTheAllowedActs(Code code) {
        boolean ofDialogue = code.kind() == Code.Kind.VIOLATION || code == Code.LAMBDA_ERROR_LOOP;
        assertThat(FAILURES.getOrDefault(code, List.of()))
                .allSatisfy(failure -> assertThat(failure.allowed().isEmpty()).isEqualTo(!ofDialogue));
    }

    @Test
    void aReplayGivesTheSameDetails() throws IOException, InvalidVectorException {
        assertThat(judgements()).extracting(Judgement::detail).isEqualTo(DETAILS);
    }
}
