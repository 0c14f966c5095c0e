package dev.parley.cli.api;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options that select messages. Each has the name of a parameter of the HTTP API. */
public class FilterOptions {
    @Spec
    private CommandSpec spec;

    @Option(names = "--namespace", paramLabel = "NAME", description = "Only of this namespace.")
    String namespace;

    @Option(names = "--protocol", paramLabel = "NAME", description = "Only of this protocol.")
    String protocol;

    @Option(names = "--conversation", paramLabel = "ID", description = "Only of this conversation.")
    String conversation;

    @Option(names = "--sender", paramLabel = "NAME", description = "Only from this sender.")
    String sender;

    @Option(names = "--code", paramLabel = "CODE", description = "Only with this code.")
    String code;

    /** The filters that are set, by their names in the API. */
    public final Map<String, String> filters() {
        Map<String, String> filters = new LinkedHashMap<>();
        for (OptionSpec option : spec.options()) {
            if (option.getValue() != null) {
                filters.put(option.longestName().substring(2), option.getValue().toString());
            }
        }
        return filters;
    }
}
