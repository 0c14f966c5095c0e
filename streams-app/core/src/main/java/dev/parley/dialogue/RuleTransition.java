package dev.parley.dialogue;

import java.util.Optional;

/**
 * The transition in the citation of a table's rule, as audit records contain it: "SLIP 1.4: REQUESTED × INFORM →
 * REPORTED [I]". Readers of the audit trail can thus follow a dialogue without judging it again.
 *
 * @param before state before the message, as in the table
 * @param act column of the table
 * @param after first word of the outcome: the state after an accepted message
 */
public record RuleTransition(String before, String act, String after) {
    private static final String BY = " × ";
    private static final String TO = " → ";

    /** Returns the transition of a citation; empty for null, for rules outside of tables, and for any other text. */
    public static Optional<RuleTransition> of(String citation) {
        if (citation == null) {
            return Optional.empty();
        }
        int start = citation.indexOf(": ") + 2;
        int by = citation.indexOf(BY, start);
        int to = by < 0 ? -1 : citation.indexOf(TO, by);
        if (start < 2 || to < 0) {
            return Optional.empty();
        }
        int outcome = to + TO.length();
        return Optional.of(new RuleTransition(
                citation.substring(start, endOfWord(citation, start, by)),
                citation.substring(by + BY.length(), to),
                citation.substring(outcome, endOfWord(citation, outcome, citation.length()))));
    }

    /** Index after the letters and underscores of a state's name. */
    private static int endOfWord(String text, int start, int limit) {
        int end = start;
        while (end < limit && (text.charAt(end) == '_' || Character.isLetter(text.charAt(end)))) {
            end++;
        }
        return end;
    }
}
