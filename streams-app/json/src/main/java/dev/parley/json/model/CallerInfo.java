package dev.parley.json.model;

import java.util.List;
import java.util.Map;

/**
 * The caller, and the parts of the API that the caller may use.
 *
 * @param tokens whether requests need a token
 * @param namespaces namespaces of the caller, or "*"
 * @param protocols the protocols that are audited
 * @param features whether the caller has each capability, by name; the instance lacks a part of the API without a name
 */
public record CallerInfo(
        boolean tokens,
        String principal,
        List<String> roles,
        List<String> namespaces,
        List<ProtocolName> protocols,
        Map<String, Boolean> features) {

    /**
     * A protocol.
     *
     * @param name its name in chain keys
     * @param title its name for people
     */
    public record ProtocolName(String name, String title) {}
}
