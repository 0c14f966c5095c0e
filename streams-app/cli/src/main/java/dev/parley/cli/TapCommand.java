package dev.parley.cli;

import dev.parley.tap.Tap;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code parley tap} in help and completion: {@link Tap} is a program of its own, whose usage names its options. */
@Command(
        name = "tap",
        description = "Records the traffic of MCP clients and servers, which passes unchanged.",
        footer = {
            "",
            "parley tap --help lists the options.",
            "",
            "Example:",
            "  parley tap mcp --url http://127.0.0.1:7080 -- npx @playwright/mcp"
        },
        modelTransformer = TapCommand.Usage.class)
final class TapCommand {
    /** Reads commands and options from the usage. */
    static final class Usage implements IModelTransformer {
        private static final Pattern SYNOPSIS = Pattern.compile("parley tap ([a-z]+)(.*)");
        private static final Pattern OPTION = Pattern.compile("(--[a-z-]+) ([A-Za-z|:]+)");

        @Override
        public CommandSpec transform(CommandSpec tap) {
            String synopses = Tap.USAGE.substring(0, Tap.USAGE.indexOf("\n\n"));
            String common = Tap.USAGE.substring(synopses.length());
            SYNOPSIS.matcher(synopses).results().forEach(synopsis -> {
                CommandSpec command = CommandSpec.create();
                Pattern.compile("\\b" + synopsis.group(1) + "  +(.+)")
                        .matcher(common)
                        .results()
                        .forEach(line -> command.usageMessage().description(line.group(1)));
                String options = synopsis.group(2) + (synopsis.group(2).contains("[OPTION...]") ? common : "");
                OPTION.matcher(options)
                        .results()
                        .filter(option -> !command.optionsMap().containsKey(option.group(1)))
                        .forEach(option -> command.addOption(OptionSpec.builder(option.group(1))
                                .paramLabel(option.group(2))
                                .type(String.class)
                                .build()));
                tap.addSubcommand(synopsis.group(1), command);
            });
            return tap;
        }
    }
}
