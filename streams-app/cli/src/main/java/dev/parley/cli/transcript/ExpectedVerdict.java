package dev.parley.cli.transcript;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.dialogue.Judgement;
import dev.parley.stage.JudgedRecord;
import dev.parley.topology.config.NearestNames;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The result that a transcript line expects. A property that the line does not name may have any value.
 *
 * @param verdict ACCEPTED, FLAGGED, REJECTED, UNDECODABLE, or PARKED for a patch that stays parked; null for any
 * @param code code of the verdict; null for any
 * @param warnings codes of the warnings, sorted; null for any
 * @param parked whether the message is parked before its final verdict; null for any
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExpectedVerdict(String verdict, String code, List<String> warnings, Boolean parked) {
    private static final List<String> VERDICTS = List.of("ACCEPTED", "FLAGGED", "REJECTED", "UNDECODABLE", "PARKED");

    /**
     * The actual result of a line.
     *
     * @param verdict last verdict of the line, or PARKED
     * @param code code of that verdict; null if there is none
     * @param warnings codes of the warnings, sorted
     * @param parked whether it was parked
     */
    public record Actual(String verdict, String code, List<String> warnings, boolean parked) {

        /** The result after another verdict on the same line. */
        public static Actual of(JudgedRecord judged, Optional<Actual> before) {
            Judgement judgement = judged.judgement();
            return new Actual(
                    judged.isParked() ? "PARKED" : judgement.verdict().name(),
                    judgement.code() == null ? null : judgement.code().name(),
                    judgement.warnings().stream().map(Enum::name).sorted().toList(),
                    judged.isParked() || before.map(Actual::parked).orElse(false));
        }

        @Override
        public String toString() {
            return shown(verdict, code, warnings, parked && !verdict.equals("PARKED"));
        }
    }

    public boolean matches(Actual actual) {
        return (verdict == null || verdict.equals(actual.verdict()))
                && (code == null || code.equals(actual.code()))
                && (warnings == null || warnings.equals(actual.warnings()))
                && (parked == null || parked == actual.parked());
    }

    @Override
    public String toString() {
        return shown(verdict, code, warnings == null ? List.of() : warnings, Boolean.TRUE.equals(parked));
    }

    private static String shown(String verdict, String code, List<String> warnings, boolean parked) {
        Stream<String> words = Stream.of(
                verdict,
                code,
                warnings.isEmpty() ? null : "with " + String.join(", ", warnings),
                parked ? "after being parked" : null);
        String shown = String.join(" ", words.filter(Objects::nonNull).toList());
        return shown.isEmpty() ? "no warnings" : shown;
    }

    /**
     * The expectation of a line; empty if it has none.
     *
     * @throws Transcript.BadLine if there is no such verdict or code
     */
    static Optional<ExpectedVerdict> of(String verdict, String code, List<String> warnings, Boolean parked)
            throws Transcript.BadLine {
        if (verdict != null && !VERDICTS.contains(verdict)) {
            throw new Transcript.BadLine("expect must be " + String.join(", ", VERDICTS) + ", but was '"
                    + Excerpt.of(verdict) + "'; a code goes into expectCode");
        }
        requireKnown("expectCode", code == null ? List.of() : List.of(code));
        requireKnown("expectWarnings", warnings == null ? List.of() : warnings);
        return verdict == null && code == null && warnings == null && parked == null
                ? Optional.empty()
                : Optional.of(new ExpectedVerdict(
                        verdict,
                        code,
                        warnings == null ? null : warnings.stream().sorted().toList(),
                        parked));
    }

    private static void requireKnown(String key, List<String> names) throws Transcript.BadLine {
        List<String> codes = Stream.of(Code.values()).map(Code::name).toList();
        for (String name : names) {
            if (!codes.contains(name)) {
                throw new Transcript.BadLine(key + ": unknown code '" + Excerpt.of(name) + "'"
                        + NearestNames.didYouMean(name, codes, "; parley explain lists them"));
            }
        }
    }
}
