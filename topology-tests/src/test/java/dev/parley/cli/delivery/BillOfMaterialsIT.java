package dev.parley.cli.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The bill of materials, CycloneDX, says what is shipped: the libraries beside the jar, no more and no less, each with
 * its license.
 */
class BillOfMaterialsIT {
    private static final Path BUILT = Path.of("streams-app", "cli", "target");
    private static final Path BILL = BUILT.resolve("parley.cdx.json");

    private JsonNode bill;

    @BeforeEach
    void read() throws IOException {
        assumeTrue(
                Files.exists(BILL),
                "no bill of materials: Maven was offline; run the build without -o once (mvn -pl streams-app/cli -am"
                        + " package)");
        bill = new ObjectMapper().readTree(BILL.toFile());
    }

    @Test
    void namesExactlyTheShippedLibraries() throws IOException {
        Set<String> shipped;
        try (Stream<Path> files = Files.list(BUILT.resolve("lib"))) {
            shipped = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".jar"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        assertThat(components().map(BillOfMaterialsIT::jar)).containsExactlyInAnyOrderElementsOf(shipped);
        assertThat(shipped)
                .anyMatch(jar -> jar.startsWith("kafka-streams-4"))
                .noneMatch(jar -> jar.contains("junit") || jar.contains("assertj") || jar.contains("archunit"))
                .as("a Kafka broker")
                .noneMatch(
                        jar -> jar.startsWith("kafka_") || jar.startsWith("kafka-server") || jar.startsWith("scala"));
    }

    @Test
    void everyLibraryHasALicenseAnOriginAndAHash() {
        List<String> lacking = new ArrayList<>();
        components().forEach(component -> {
            boolean own = component.path("group").asText().equals("dev.parley");
            if (component.path("licenses").isEmpty()
                    || !component.path("purl").asText().startsWith("pkg:maven/")
                    || (!own && component.path("hashes").isEmpty())) {
                lacking.add(component.path("purl").asText());
            }
        });

        assertThat(lacking).isEmpty();
    }

    @Test
    void namesItsSubject() {
        assertThat(bill.path("bomFormat").asText()).isEqualTo("CycloneDX");
        JsonNode described = bill.path("metadata").path("component");
        assertThat(described.path("name").asText()).isEqualTo("parley-cli");
        assertThat(described.path("type").asText()).isEqualTo("application");
    }

    private Stream<JsonNode> components() {
        // What is there for its own dependencies only has no jar.
        return bill.path("components")
                .valueStream()
                .filter(component -> !component.path("purl").asText().contains("type=pom"));
    }

    /** The file name: artifact, version, classifier. */
    private static String jar(JsonNode component) {
        String purl = component.path("purl").asText();
        int classifier = purl.indexOf("classifier=");
        return component.path("name").asText() + "-" + component.path("version").asText()
                + (classifier < 0
                        ? ""
                        : "-"
                                + purl.substring(classifier + "classifier=".length())
                                        .split("&", 2)[0])
                + ".jar";
    }
}
