package dev.parley.cli.io;

import dev.parley.config.ParleyConfig;
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

/** Where the configuration of a command comes from: command line before environment before file before default. */
public final class ConfigOptions {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            defaultValue = "${env:PARLEY_CONFIG}",
            description = "Configuration in a properties file; without the option that of the environment variable"
                    + " PARLEY_CONFIG.")
    private Path file;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "One configuration value; wins over environment (PARLEY_KEY) and file. May be repeated.")
    private Map<String, String> set = new LinkedHashMap<>();

    public ParleyConfig read(CommandSpec spec) {
        try {
            return ParleyConfig.of(set, System.getenv(), fromFile(spec));
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
        } catch (IOException | IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(), "cannot read configuration " + file + ": " + e.getMessage(), e);
        }
        properties.forEach((key, value) -> values.put(key.toString(), value.toString()));
        return values;
    }
}
