package dev.parley.cli.io;

import dev.parley.server.ServerConfig;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.config.ConfigException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Configuration of a command. The command line overrides the environment, which overrides the file. */
public final class ConfigOptions {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            defaultValue = "${env:PARLEY_CONFIG}",
            description = "Properties file with the configuration. Default: the environment variable PARLEY_CONFIG.")
    private Path file;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A configuration value. Overrides the environment (PARLEY_KEY) and the file. Repeatable.")
    private Map<String, String> set = new LinkedHashMap<>();

    /** Reads and validates the configuration; an invalid one is a wrong command line. */
    public ParleyConfig read(CommandSpec spec) {
        try {
            return ServerConfig.of(set, System.getenv(), fromFile(spec));
        } catch (ConfigException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private Map<String, String> fromFile(CommandSpec spec) {
        Map<String, String> values = new LinkedHashMap<>();
        if (file == null) {
            return values;
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException e) {
            throw Options.unreadable(spec, file, e);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(), "cannot read " + file + ": not a properties file: " + e.getMessage(), e);
        }
        properties.forEach((key, value) -> values.put(key.toString(), value.toString()));
        return values;
    }
}
