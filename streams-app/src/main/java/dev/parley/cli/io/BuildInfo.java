package dev.parley.cli.io;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.utils.AppInfoParser;

/** Version and commit of this build, and the versions of Kafka and Java with which it runs. */
public final class BuildInfo {
    private static final String UNKNOWN = "unknown";

    private BuildInfo() {}

    /** A line each for Parley, Kafka and Java. */
    public static List<String> lines() {
        Properties build = build();
        return List.of(
                "parley " + value(build, "version") + " (commit " + value(build, "commit") + ")",
                "Kafka " + AppInfoParser.getVersion(),
                "Java " + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")");
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
