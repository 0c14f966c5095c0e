package dev.parley.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.Stage;
import dev.parley.protocol.TopicNames;
import dev.parley.server.accesslog.AccessLogFeature;
import dev.parley.server.ingest.IngestFeature;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that deploy/flink/tables.sql matches the Avro schemas. */
class FlinkTablesPageTest {

    @Test
    void theFileMatchesTheSchemas() {
        Pages.check("../deploy/flink/tables.sql", new FlinkTables(TopicNames.DEFAULT).file());
    }

    /** docs/operations.md has the command. */
    @Test
    void theDocumentedCommandGivesAFileItsPrefix() throws Exception {
        TopicNames names = new TopicNames("team_a.test.");

        assertThat(withPrefix("deploy/flink/tables.sql", names)).isEqualTo(new FlinkTables(names).file());
        JsonNode before = config(Files.readString(Path.of("deploy/connect/postgresql.json")));
        ObjectNode after = config(withPrefix("deploy/connect/postgresql.json", names));
        assertThat(after.path("topics").textValue())
                .isEqualTo(before.path("topics").textValue().replace(TopicNames.DEFAULT.prefix(), names.prefix()))
                .contains(names.audit());
        assertThat(after.put("topics", before.path("topics").textValue())).isEqualTo(before);
        ObjectNode iceberg = config(withPrefix("deploy/connect/iceberg.json", names));
        assertThat(iceberg.path("topics").textValue()).isEqualTo(names.audit());
        assertThat(iceberg.path("iceberg.control.topic").textValue()).isEqualTo("team_a.test-iceberg-control");
        assertThat(iceberg.path("value.converter").textValue()).isEqualTo("dev.parley.connect.AvroConverter");
    }

    private static String withPrefix(String file, TopicNames names) throws Exception {
        Matcher command = Pattern.compile("^\\$ (sed -E .*)$", Pattern.MULTILINE)
                .matcher(Files.readString(Path.of("docs/operations.md")));
        assertThat(command.find()).isTrue();
        String own = command.group(1).replace("team", names.applicationId());
        Process sed = new ProcessBuilder("sh", "-c", own.replaceFirst("\\S+$", file))
                .redirectErrorStream(true)
                .start();
        String output = new String(sed.getInputStream().readAllBytes(), UTF_8);
        assertThat(sed.waitFor()).as(output).isZero();
        return output;
    }

    private static ObjectNode config(String connector) throws IOException {
        return (ObjectNode) new ObjectMapper().readTree(connector).path("config");
    }

    @Test
    void everyOutputTopicHasATable() throws ReflectiveOperationException {
        TopicNames names = TopicNames.DEFAULT;
        List<String> outputs = new ArrayList<>(names.deadLetters());
        for (Method name : TopicNames.class.getDeclaredMethods()) {
            if (Modifier.isPublic(name.getModifiers())
                    && name.getReturnType() == String.class
                    && name.getParameterCount() == 0) {
                outputs.add((String) name.invoke(names));
            }
        }
        outputs.removeIf(topic -> !topic.startsWith(names.prefix()) || topic.equals(names.prefix()));
        // The access log is JSON, and optional, as the cosigned copies of heads are.
        outputs.removeAll(List.of(
                names.wire(),
                names.named(IngestFeature.KEYS_TOPIC),
                names.named(AccessLogFeature.TOPIC),
                names.auditCosignature()));
        assertThat(outputs).contains(names.audit(), names.deadLetters(Stage.INTERNAL));
        assertThat(new FlinkTables(names).topics()).containsAll(outputs).doesNotHaveDuplicates();
    }
}
