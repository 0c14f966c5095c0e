package dev.parley.dialogue;

import java.util.List;

/**
 * What the rules would have accepted in place of an illegal message. It names IDs, agents, acts, states and turns, and
 * quotes no content: audit records keep it when a message that it is about is redacted.
 *
 * @param detail sentences for the sender of the message
 * @param allowed acts that the sender could have sent, as on the wire; empty if the acts do not decide
 */
public record Explanation(String detail, List<String> allowed) {

    /** Joins words for a sentence: "A, B or C"; "nothing" without any. */
    public static String either(List<String> words) {
        int last = words.size() - 1;
        if (last < 1) {
            return last < 0 ? "nothing" : words.get(0);
        }
        return String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    }
}
