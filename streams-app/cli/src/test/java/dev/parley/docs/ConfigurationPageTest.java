package dev.parley.docs;

import dev.parley.server.ServerConfig;
import dev.parley.topology.config.ParleyConfig;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.junit.jupiter.api.Test;

/** Checks that docs/configuration.md matches {@link ParleyConfig#definition}. */
class ConfigurationPageTest {
    private static final String HEAD = """
            # Configuration

            `parley run` and every other command with the option `--config` read a properties file (`--config FILE`),
            environment variables, and any number of `--set KEY=VALUE` options. The command line overrides the
            environment, which overrides the file, which overrides the defaults. An unknown key or a value that is not
            allowed ends the command with exit status 2 and a message with the allowed values.

            | Key | Type | Default | Allowed | Meaning | Environment variable |
            |---|---|---|---|---|---|
            """;

    private static final String TAIL = """

            ## Client settings

            Keys that start with `kafka.` go to Kafka Streams and its clients without that prefix, and override Parley's
            own settings; those that start with `kafka.consumer.`, `kafka.producer.` or `kafka.admin.` go to clients of
            that kind. Keys that start with `schema.registry.` go to Confluent's Schema Registry client. In the
            environment they start with `PARLEY_KAFKA_` and `PARLEY_SCHEMA_REGISTRY_`, with an underscore for each dot.
            For a cluster with TLS and SASL, and a registry with a password:

            ```properties
            bootstrap.servers=broker-1.example.com:9093
            kafka.security.protocol=SASL_SSL
            kafka.sasl.mechanism=SCRAM-SHA-512
            kafka.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required \\
              username="parley" password="...";
            schema.registry.url=https://registry.example.com
            schema.registry.basic.auth.credentials.source=USER_INFO
            schema.registry.basic.auth.user.info=parley:...
            ```

            To register the schemas in your own pipeline instead, set `schema.registry.auto.register.schemas=false`.

            ## Serdes

            The classes `WireSerde`, `WireSerializer` and `WireDeserializer` of `dev.parley.serde`, and
            `dev.parley.connect.WireConverter`, read their own keys from the map that Kafka passes to `configure`:

            | Key | Type | Default | Allowed | Meaning |
            |---|---|---|---|---|
            """;

    private static final String FOOT = """

            This page is generated; [CONTRIBUTING.md](../CONTRIBUTING.md) describes how.
            """;

    @Test
    void thePageMatchesTheDefinition() {
        Pages.check("configuration.md", page());
    }

    private static String page() {
        StringBuilder page = new StringBuilder(HEAD);
        ServerConfig.definition()
                .configKeys()
                .values()
                .forEach(key -> row(page, key)
                        .append(" `")
                        .append(ParleyConfig.variable(key.name))
                        .append("` |\n"));
        page.append(TAIL);
        dev.parley.serde.WireConfig.definition()
                .configKeys()
                .values()
                .forEach(key -> row(page, key).append('\n'));
        return page.append(FOOT).toString();
    }

    private static StringBuilder row(StringBuilder page, ConfigKey key) {
        return page.append("| `")
                .append(key.name)
                .append("` | ")
                .append(key.type.name().toLowerCase(Locale.ROOT))
                .append(" | ")
                .append(value(key.defaultValue))
                .append(" | ")
                .append(key.validator == null ? "" : Pages.cell(key.validator.toString()))
                .append(" | ")
                .append(Pages.cell(key.documentation))
                .append(" |");
    }

    private static String value(Object value) {
        if (value == null || (value instanceof List<?> none && none.isEmpty())) {
            return "";
        }
        return '`'
                + (value instanceof List<?> list
                        ? String.join(",", list.stream().map(Object::toString).toList())
                        : value.toString())
                + '`';
    }
}
