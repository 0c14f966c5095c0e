package dev.parley.cli.io;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.stage.JudgedRecord;
import dev.parley.topology.config.NearestNames;
import java.util.ArrayList;
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
            return new Actual(
                    judged.isParked() ? "PARKED" : judged.judgement().verdict().name(),
                    judged.judgement().code() == null
                            ? null
                            : judged.judgement().code().name(),
                    judged.judgement().warnings().stream()
                            .map(Enum::name)
                            .sorted()
                            .toList(),
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

    /** Takes the keys of a line one by one. */
    static final class Builder {
        private String verdict;
        private String code;
        private List<String> warnings;
        private Boolean parked;

        void verdict(String text) throws Transcript.BadLine {
            if (text != null && !VERDICTS.contains(text)) {
                throw new Transcript.BadLine("expect must be " + String.join(", ", VERDICTS) + ", but was '"
                        + Excerpt.of(text) + "'; a code goes into expectCode");
            }
            verdict = text;
        }

        void code(String text) throws Transcript.BadLine {
            code = text == null ? null : known("expectCode", text);
        }

        void warnings(List<String> texts) throws Transcript.BadLine {
            List<String> known = new ArrayList<>();
            for (String text : texts) {
                known.add(known("expectWarnings", String.valueOf(text)));
            }
            warnings = known.stream().sorted().toList();
        }

        void parked(boolean value) {
            parked = value;
        }

        Optional<ExpectedVerdict> build() {
            return verdict == null && code == null && warnings == null && parked == null
                    ? Optional.empty()
                    : Optional.of(new ExpectedVerdict(verdict, code, warnings, parked));
        }

        private static String known(String key, String name) throws Transcript.BadLine {
            List<String> codes = Stream.of(Code.values()).map(Code::name).toList();
            if (!codes.contains(name)) {
                throw new Transcript.BadLine(key + ": unknown code '" + Excerpt.of(name) + "'"
                        + NearestNames.suggestion(name, codes)
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("; parley explain lists them"));
            }
            return name;
        }
    }
}
