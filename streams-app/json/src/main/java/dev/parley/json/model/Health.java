package dev.parley.json.model;

import java.util.List;

/** The health of an instance: UP or DOWN. */
public record Health(String status, List<Part> parts) {

    /** A component of an instance. */
    public record Part(String name, String status, String detail) {}
}
