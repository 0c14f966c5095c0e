package dev.parley.json.model;

import java.util.List;

/** The descriptions of all codes. */
public record Codes(List<Description> items) {

    /**
     * The meaning and the remedy of a code.
     *
     * @param section section of docs/protocols.md with its rule
     */
    public record Description(String code, String kind, String meaning, String remedy, String section) {}
}
