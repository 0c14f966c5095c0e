package dev.parley.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.Incompatibility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that the current schemas are FULL_TRANSITIVE compatible with every version in {@code history/}. {@code
 * -Dbaseline.write=true} writes those of the coming version (docs/upgrading.md).
 */
class SchemaHistoryTest {
    private static final Path HISTORY = Path.of("schemas", "history");
    private static final List<Schema> CURRENT = List.of(
            AgentMessage.getClassSchema(),
            AuditRecord.getClassSchema(),
            AuditHead.getClassSchema(),
            AuditTile.getClassSchema(),
            ExportEntry.getClassSchema(),
            Redaction.getClassSchema(),
            Redrive.getClassSchema(),
            Checkpoint.getClassSchema(),
            TrafficCount.getClassSchema(),
            ViolationCount.getClassSchema(),
            EdgeCount.getClassSchema(),
            TurnaroundCount.getClassSchema(),
            OpenItem.getClassSchema(),
            PatchCount.getClassSchema(),
            DefinitionChangeCount.getClassSchema(),
            ParkedItem.getClassSchema(),
            Accounting.getClassSchema(),
            DialogueState.getClassSchema(),
            ConversationItem.getClassSchema(),
            TrackedItems.getClassSchema(),
            Inbound.getClassSchema(),
            ParkedPatch.getClassSchema());

    @BeforeAll
    static void writeWhenAsked() throws IOException {
        if (Boolean.getBoolean("baseline.write")) {
            write(HISTORY, coming(System.getProperty("parley.version")));
        }
    }

    static Stream<Schema> current() {
        return CURRENT.stream();
    }

    @ParameterizedTest
    @MethodSource("current")
    void everyVersionInTheHistoryIsCompatibleWithTheCurrentSchema(Schema schema) throws IOException {
        assertThat(objections(HISTORY, schema)).isEmpty();
    }

    // Each change is made to this schema: record R { int a = 0; E e = "X"; }

    static Stream<Arguments> changes() {
        return Stream.of(
                arguments("nothing", fields(A, E), true),
                arguments("a field with a default", fields(A, E, "{'name':'b','type':'int','default':1}"), true),
                arguments("a field gone that had a default", fields(E), true),
                arguments("a symbol more in an enum with a default", fields(A, E.replace("'Y'", "'Y','Z'")), true),
                arguments("a field without a default", fields(A, E, "{'name':'b','type':'int'}"), false),
                arguments("another type", fields("{'name':'a','type':'string','default':''}", E), false),
                arguments("a wider type, which the old cannot read", fields(A.replace("int", "long"), E), false),
                arguments("another name", fields(A, E).replace("'R'", "'Q'"), false));
    }

    private static final String A = "{'name':'a','type':'int','default':0}";
    private static final String E =
            "{'name':'e','type':{'type':'enum','name':'E','symbols':['X','Y'],'default':'X'},'default':'X'}";

    private static String fields(String... fields) {
        return "{'type':'record','name':'R','fields':[" + String.join(",", fields) + "]}";
    }

    private static Schema parse(String text) {
        return new Schema.Parser().parse(text.replace('\'', '"'));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void aChangeIsJudged(String name, String changed, boolean compatible, @TempDir Path history) throws IOException {
        Files.createDirectories(history.resolve("v1"));
        Files.writeString(history.resolve("v1/R.avsc"), parse(fields(A, E)).toString(true));
        Schema schema = parse(changed);

        // Named after its file, whatever the name of the schema.
        assertThat(objections(history, "R", schema).isEmpty()).as(name).isEqualTo(compatible);
    }

    @Test
    void everyVersionIsComparedNotOnlyTheLast(@TempDir Path history) throws IOException {
        Files.createDirectories(history.resolve("v1"));
        Files.createDirectories(history.resolve("v2"));
        Files.writeString(history.resolve("v1/R.avsc"), parse(fields(A)).toString());
        Files.writeString(history.resolve("v2/R.avsc"), parse(fields()).toString());

        assertThat(objections(history, parse(fields(A.replace("int", "boolean").replace("0", "true")))))
                .hasSize(2)
                .allMatch(objection -> objection.contains("v1"));
    }

    @Test
    void aSchemaWithoutHistoryIsReportedOnceThereIsAny(@TempDir Path history) throws IOException {
        assertThat(objections(history, parse(fields(A)))).isEmpty();

        Files.createDirectories(history.resolve("v1"));
        Files.writeString(history.resolve("v1/Other.avsc"), parse(fields(A)).toString());

        assertThat(objections(history, parse(fields(A))))
                .singleElement()
                .asString()
                .contains("R", "no history");
    }

    @Test
    void aWrittenVersionReplacesItselfAndAgreesWithItself(@TempDir Path history) throws IOException {
        Path directory = Files.createDirectories(history.resolve("0.1.0"));
        Files.writeString(directory.resolve("R.avsc"), "of a schema that was removed");
        write(history, "0.1.0");

        for (Schema schema : CURRENT) {
            assertThat(objections(history, schema)).isEmpty();
        }
        assertThat(directory.resolve("R.avsc")).doesNotExist();
    }

    @Test
    void onlyAComingVersionIsWritten() {
        assertThat(coming("0.2.0-SNAPSHOT")).isEqualTo("0.2.0");
        assertThatThrownBy(() -> coming("0.2.0")).hasMessage("0.2.0 is released; its baseline does not change");
    }

    private static String coming(String version) {
        if (!version.endsWith("-SNAPSHOT")) {
            throw new IllegalStateException(version + " is released; its baseline does not change");
        }
        return version.replace("-SNAPSHOT", "");
    }

    private static void write(Path history, String version) throws IOException {
        Path directory = Files.createDirectories(history.resolve(version));
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        for (Schema schema : CURRENT) {
            Files.writeString(directory.resolve(schema.getName() + ".avsc"), schema.toString(true) + "\n");
        }
    }

    private static List<String> objections(Path history, Schema schema) throws IOException {
        return objections(history, schema.getName(), schema);
    }

    private static List<String> objections(Path history, String name, Schema schema) throws IOException {
        List<Path> versions = versions(history);
        List<String> objections = new ArrayList<>();
        boolean known = false;
        for (Path version : versions) {
            Path file = version.resolve(name + ".avsc");
            if (Files.exists(file)) {
                known = true;
                Schema earlier = new Schema.Parser().parse(file.toFile());
                compare("today's cannot read " + file, schema, earlier, objections);
                compare(file + " cannot read today's", earlier, schema, objections);
            }
        }
        if (!known && !versions.isEmpty()) {
            objections.add(name + " has no history; write it with -Dbaseline.write=true");
        }
        return objections;
    }

    private static List<Path> versions(Path history) throws IOException {
        if (!Files.isDirectory(history)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(history)) {
            return entries.filter(Files::isDirectory).sorted().toList();
        }
    }

    private static void compare(String sentence, Schema reader, Schema writer, List<String> objections) {
        List<Incompatibility> found = SchemaCompatibility.checkReaderWriterCompatibility(reader, writer)
                .getResult()
                .getIncompatibilities();
        for (Incompatibility one : found) {
            objections.add(
                    sentence + ": " + one.getType() + " at " + one.getLocation() + " (" + one.getMessage() + ")");
        }
    }
}
