package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Stage;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.topics.Topics;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks that deploy/flink/tables.sql matches the Avro schemas. */
class FlinkTablesPageTest {

    @Test
    void theFileMatchesTheSchemas() {
        Pages.check("../deploy/flink/tables.sql", FlinkTables.file());
    }

    @Test
    void everyOutputTopicHasATable() throws IllegalAccessException {
        List<String> outputs = new ArrayList<>();
        for (Field field : Topics.class.getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
                outputs.add((String) field.get(null));
            }
        }
        outputs.removeAll(List.of(TopicNames.DEFAULT.wire(), TopicNames.DEFAULT.ingestKeys(), Topics.BY_CONVERSATION));
        // JSON, and only with http.access-log=true.
        outputs.remove(TopicNames.DEFAULT.access());
        assertThat(outputs).contains(TopicNames.DEFAULT.audit(), TopicNames.DEFAULT.deadLetters(Stage.INTERNAL));
        assertThat(FlinkTables.topics()).containsAll(outputs).doesNotHaveDuplicates();
    }
}
