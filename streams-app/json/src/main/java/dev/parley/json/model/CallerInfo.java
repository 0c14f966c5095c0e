package dev.parley.json.model;

import java.util.List;

/**
 * The caller, and the parts of the API that the caller may use.
 *
 * @param tokens whether requests need a token
 * @param namespaces namespaces to which a producer may send, or "*"
 */
public record CallerInfo(
        boolean tokens, String principal, List<String> roles, List<String> namespaces, Features features) {

    /** Whether the instance has a part of the API and the caller may use it. */
    public record Features(
            boolean search,
            boolean tail,
            boolean stats,
            boolean ingest,
            boolean redrive,
            boolean redrives,
            boolean redact,
            boolean privateMessages,
            boolean accessLog) {}
}
