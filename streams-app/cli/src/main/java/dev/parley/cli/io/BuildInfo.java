package dev.parley.cli.io;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.apache.kafka.common.utils.AppInfoParser;
import picocli.CommandLine.IVersionProvider;

/** Version and commit of this build, and the versions of Kafka and Java with which it runs. */
public final class BuildInfo implements IVersionProvider {
    private static final String UNKNOWN = "unknown";

    /** The line that {@code parley --version} prints. */
    @Override
    public String[] getVersion() {
        Properties build = build();
        return new String[] {
            "parley " + value(build, "version") + " (commit " + value(build, "commit") + "), Kafka "
                    + AppInfoParser.getVersion() + ", Java " + System.getProperty("java.version")
        };
    }

    /** The version of this build; "unknown" outside of one. */
    public static String version() {
        return value(build(), "version");
    }

    /** Written by Maven; a build without Git leaves the commit as a placeholder. */
    private static Properties build() {
        Properties properties = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            // The lines then say that they are unknown.
        }
        return properties;
    }

    private static String value(Properties build, String name) {
        String value = build.getProperty(name, "");
        return value.isEmpty() || value.startsWith("$") ? UNKNOWN : value;
    }
}
