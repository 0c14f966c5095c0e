package dev.parley.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/**
 * Names of the images, from the system properties that the profiles {@code containers} and {@code stand-ins} set.
 *
 * @param kafka of the brokers
 * @param registry of the Schema Registry
 * @param registryPath where in it Confluent's REST API is
 * @param parley of Parley
 */
record Images(String kafka, String registry, String registryPath, String parley) {
    /** Where Parley's image has its jar. */
    private static final String JAR = "/opt/parley/parley.jar";

    static Images configured() {
        return new Images(
                System.getProperty("parley.image.kafka", "apache/kafka:4.3.1"),
                System.getProperty("parley.image.registry", "confluentinc/cp-schema-registry:7.9.2"),
                System.getProperty("parley.registry.path", ""),
                System.getProperty("parley.image.parley", "localhost/parley/parley:latest"));
    }

    List<String> all() {
        return List.of(kafka, registry, parley);
    }

    /**
     * Builds an image of Parley whose jar says another version of itself, and is the same otherwise.
     *
     * @return its name
     */
    String rolled(String version, Path directory) throws IOException {
        Path jar = directory.resolve("old.jar");
        String container = Docker.run("create", "--label", Docker.LABEL, parley);
        Docker.run("cp", container + ":" + JAR, jar.toString());
        Docker.run("rm", container);
        copyWithVersion(jar, directory.resolve("parley.jar"), version);
        Files.writeString(
                directory.resolve("Dockerfile"),
                "FROM " + parley + "\nLABEL " + Docker.LABEL + "=" + version + "\nCOPY parley.jar " + JAR + "\n");
        String name = "localhost/parley/chaos:" + version;
        Docker.run("build", "--quiet", "--tag", name, directory.toString());
        return name;
    }

    private static void copyWithVersion(Path from, Path to, String version) throws IOException {
        try (JarInputStream in = new JarInputStream(Files.newInputStream(from))) {
            Manifest manifest = in.getManifest();
            manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(to), manifest)) {
                for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                    out.putNextEntry(new ZipEntry(entry.getName()));
                    in.transferTo(out);
                    out.closeEntry();
                }
            }
        }
    }
}
