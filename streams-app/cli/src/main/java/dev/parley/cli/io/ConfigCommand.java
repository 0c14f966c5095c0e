package dev.parley.cli.io;

import dev.parley.serde.RegistryFailures;
import dev.parley.serde.RegistryUnavailableException;
import dev.parley.server.ServerConfig;
import dev.parley.server.operations.Preflight;
import dev.parley.topology.config.ParleyConfig;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.RetriableException;
import picocli.CommandLine.Option;

/**
 * A command with the configuration of a deployment. The command line overrides the environment, which overrides the
 * file. Errors of brokers and registry name the address and the setting behind it.
 */
public abstract class ConfigCommand extends BaseCommand {
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

    private ParleyConfig settings;

    /** The configuration, which the first call reads and validates; an invalid one is a wrong command line. */
    protected final ParleyConfig settings() {
        if (settings == null) {
            try {
                settings = ServerConfig.of(set, System.getenv(), fromFile());
            } catch (ConfigException e) {
                throw new UsageException(e.getMessage(), e);
            }
        }
        return settings;
    }

    /**
     * The configuration of brokers that respond.
     *
     * @throws IllegalStateException if they do not within seconds, with the finding of {@code parley check}
     */
    protected final ParleyConfig connected() {
        Preflight.unavailable(settings()).ifPresent(finding -> {
            throw new IllegalStateException(finding.toString());
        });
        return settings;
    }

    private Map<String, String> fromFile() {
        Map<String, String> values = new LinkedHashMap<>();
        if (file == null) {
            return values;
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException e) {
            throw Options.unreadable(file, e);
        } catch (IllegalArgumentException e) {
            throw new UsageException("cannot read " + file + ": not a properties file: " + e.getMessage(), e);
        }
        properties.forEach((key, value) -> values.put(key.toString(), value.toString()));
        return values;
    }

    /** What failed, where, and which setting to check, if the command has read its configuration. */
    @Override
    public String describe(Throwable failure) {
        String reason = super.describe(failure);
        if (settings == null) {
            return reason;
        }
        boolean registry = false;
        boolean brokers = false;
        Throwable root = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            registry |= cause instanceof RegistryUnavailableException || cause instanceof RestClientException;
            brokers |= cause instanceof RetriableException;
            root = cause;
        }
        if (registry && RegistryFailures.isUnavailable(failure)) {
            return "the Schema Registry at " + settings.shownRegistryUrl() + " (" + ParleyConfig.REGISTRY_URL
                    + ") is unavailable: "
                    + (root instanceof RestClientException ? RegistryFailures.reason(root) : super.describe(root))
                    + ". Set its address with --set "
                    + ParleyConfig.REGISTRY_URL + "=http://HOST:PORT.";
        }
        return brokers
                ? "the brokers at " + String.join(",", settings.getList(ParleyConfig.BOOTSTRAP_SERVERS)) + " ("
                        + ParleyConfig.BOOTSTRAP_SERVERS + "): " + reason
                : reason;
    }
}
