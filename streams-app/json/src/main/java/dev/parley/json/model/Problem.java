package dev.parley.json.model;

import dev.parley.state.Nullable;

/** A problem that ended a request (RFC 9457). */
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        @Nullable String instance,
        String code) {}
