package dev.parley.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.SlipAct;
import dev.parley.avro.SubitType;
import dev.parley.codec.Code;
import dev.parley.dialogue.Judgement;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.RepairPlanner;
import dev.parley.stage.RepairPlanner.Step;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The templates of remedies, in every dialogue state in which a scenario has the violation. */
class RepairPlannerTest {
    /** Codes whose remedies name acts that were lost or that others send, and no message to send. */
    private static final Set<Code> WITHOUT_MESSAGES = EnumSet.of(
            Code.SLIP_NOTHING_TO_ACCEPT,
            Code.SLIP_NOTHING_TO_REJECT,
            Code.CSP_RESULT_AFTER_CLOSE,
            Code.CSP_ERROR_AFTER_CLOSE);

    private static final Properties PLANS = new Properties();

    @BeforeAll
    static void read() throws IOException {
        try (InputStream in = RepairPlanner.class.getResourceAsStream("repairs.properties")) {
            PLANS.load(in);
        }
    }

    /** A violation, and the conversation after it. */
    private record Violation(DialogueScenario scenario, JudgedRecord record) {
        @Override
        public String toString() {
            return record.judgement().code() + " in " + scenario.header().id();
        }
    }

    static Stream<Violation> violations() throws IOException, InvalidVectorException {
        return VectorFiles.read(Path.of("conformance", "dialogue")).stream()
                .map(DialogueScenario.class::cast)
                .flatMap(scenario -> scenario.verdicts(new OfflinePipeline(scenario.settings())).stream()
                        .flatMap(List::stream)
                        .map(record -> new Violation(scenario, record)))
                .filter(violation -> violation.record().message() != null
                        && violation.record().judgement().code() != null
                        && PLANS.stringPropertyNames()
                                .contains(violation.record().judgement().code().name()));
    }

    private static List<Step> plan(Violation violation) {
        JudgedRecord failed = violation.record();
        return new RepairPlanner(violation.scenario().settings())
                .repair(
                        failed.judgement().code().name(),
                        failed.message(),
                        failed.judgement().next(),
                        failed.message().getSource().getTimestamp());
    }

    @ParameterizedTest
    @MethodSource("violations")
    void theMessagesOfARemedyAreAcceptedInTheirOrder(Violation violation) {
        List<Step> steps = plan(violation);

        if (steps.isEmpty()) {
            // No turn is free until the conversation has been idle.
            assertThat(violation.record().judgement().detail()).contains("No higher turn exists");
        }
        assertThat(steps)
                .allSatisfy(step -> assertThat(step.judgement())
                        .as("%s %s", step.act(), new String(step.wire()))
                        .returns(null, Judgement::code));
    }

    @Test
    void everyPlanHasAScenario() throws IOException, InvalidVectorException {
        Set<String> planned = new TreeSet<>();
        violations()
                .filter(violation -> !plan(violation).isEmpty())
                .forEach(violation ->
                        planned.add(violation.record().judgement().code().name()));

        Set<String> codes = new TreeSet<>(PLANS.stringPropertyNames());
        // No vector shows a position.
        codes.remove(Code.CONVERSATION_MOVED.name());
        assertThat(planned).isEqualTo(codes);
    }

    @Test
    void aPlanHasTheMessagesThatTheRemedyNames() {
        for (String code : PLANS.stringPropertyNames()) {
            List<String> words = words(Code.of(code));
            int from = 0;
            for (String act : List.of(PLANS.getProperty(code).split("\\|")[0].split(" "))) {
                if (!act.equals("AGAIN") && !act.equals("NEW_ID")) {
                    int at = words.subList(from, words.size()).indexOf(act);
                    assertThat(at).as("%s: %s", code, act).isNotNegative();
                    from += at;
                }
            }
        }
    }

    @Test
    void everyRemedyThatNamesMessagesHasAPlan() {
        Set<String> acts = new TreeSet<>();
        Stream.of(SlipAct.values()).forEach(act -> acts.add(act.name()));
        Stream.of(SubitType.values()).forEach(type -> acts.add(type.name()));
        for (Code code : Code.values()) {
            boolean named = code.kind() == Code.Kind.VIOLATION
                    && Arrays.stream(remedy(code).split("[^A-Za-z]+")).anyMatch(acts::contains);
            if (named && !WITHOUT_MESSAGES.contains(code)) {
                assertThat(PLANS.stringPropertyNames()).contains(code.name());
            }
        }
    }

    private static String remedy(Code code) {
        return CodeGuide.withoutExamples().entry(code).remedy();
    }

    private static List<String> words(Code code) {
        return List.of(remedy(code).toUpperCase(Locale.ROOT).split("[^A-Z]+"));
    }
}
