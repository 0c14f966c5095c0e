package dev.parley.json.model;

import java.util.List;

/** The descriptions of all codes. */
public record Codes(List<Description> items) {

    /**
     * The meaning and the remedy of a code.
     *
     * @param kind its effect on a message, in the words of docs/codes.md
     * @param remedy what to do about it
     * @param section section of docs/protocols.md with the rule, and after a space the number of the decision, if any
     */
    public record Description(String code, String kind, String meaning, String remedy, String section) {}
}
