package dev.parley.cli.api;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Option;

/** Options that select dead letters. */
public final class DeadLetterOptions {

    @Option(
            names = "--stage",
            paramLabel = "STAGE",
            description = "Only of this stage: decode, judge, apply or internal.")
    private String stage;

    @Option(names = "--code", paramLabel = "CODE", description = "Only with this code.")
    private String code;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "Only of this namespace, which an undecodable record may claim.")
    private String namespace;

    @Option(names = "--protocol", paramLabel = "NAME", description = "Only of this protocol.")
    private String protocol;

    @Option(
            names = "--conversation",
            paramLabel = "ID",
            description = "Only of this conversation, which an undecodable record may claim.")
    private String conversation;

    @Option(
            names = "--sender",
            paramLabel = "NAME",
            description = "Only from this sender, whom an undecodable record may claim.")
    private String sender;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "Only from this time on, in the forms of parley export.")
    private Instant from;

    @Option(names = "--to", paramLabel = "TIME", description = "Only before this time.")
    private Instant to;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only in this state: open, or returned by a redrive.")
    private String state;

    /** The filters that are set, by their names in the API. */
    public Map<String, String> filters() {
        Map<String, String> filters = new LinkedHashMap<>();
        filters.put("stage", stage);
        filters.put("code", code);
        filters.put("namespace", namespace);
        filters.put("protocol", protocol);
        filters.put("conversation", conversation);
        filters.put("sender", sender);
        filters.put("from", from == null ? null : from.toString());
        filters.put("to", to == null ? null : to.toString());
        filters.put("state", state);
        filters.values().removeIf(Objects::isNull);
        return filters;
    }
}
