package dev.parley.server.api;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.parley.avro.OpenItem;
import dev.parley.json.JsonText;
import dev.parley.json.RecordField;
import dev.parley.json.model.AccountingReport;
import dev.parley.json.model.AuditLogs;
import dev.parley.json.model.CallPage;
import dev.parley.json.model.CallerInfo;
import dev.parley.json.model.Codes;
import dev.parley.json.model.Composition;
import dev.parley.json.model.Conversation;
import dev.parley.json.model.DeadLetter;
import dev.parley.json.model.DeadLetterDetails;
import dev.parley.json.model.Health;
import dev.parley.json.model.Index;
import dev.parley.json.model.InputDetails;
import dev.parley.json.model.InputRecord;
import dev.parley.json.model.MessageDetail;
import dev.parley.json.model.MessagePage;
import dev.parley.json.model.ParkedItem;
import dev.parley.json.model.Problem;
import dev.parley.json.model.Redrives;
import dev.parley.json.model.SearchLine;
import dev.parley.json.model.Statistics;
import dev.parley.json.model.Status;
import dev.parley.json.model.TailEvent;
import dev.parley.json.model.Unapproved;
import dev.parley.json.model.VerdictDetail;
import dev.parley.json.model.write.Ingested;
import dev.parley.json.model.write.IngestedBatch;
import dev.parley.json.model.write.Redacting;
import dev.parley.json.model.write.RedriveResults;
import dev.parley.state.CheckpointDetail;
import dev.parley.state.StateAnswer;
import dev.parley.state.StateAnswer.DiffResult;
import dev.parley.state.StateAnswer.StateResult;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The schemas of openapi.yaml and the records of results have the same names, types and required members; those of
 * bodies have the same names and types.
 */
class OpenApiSchemasTest {

    private static final String CONVERSATION = "/v1/conversations/{namespace}/{protocol}/{conversation}";

    /** The result of each operation; for a list, its items. */
    private static final Map<String, Class<?>> RESULTS = Map.ofEntries(
            entry("/", Index.class),
            entry("/v1/conversations", Conversation.class),
            entry("/v1/conversations/total", Conversation.Total.class),
            entry(CONVERSATION, Conversation.class),
            entry(CONVERSATION + "/compose", Composition.class),
            entry(CONVERSATION + "/messages", MessagePage.class),
            entry(CONVERSATION + "/messages/{sequence}", MessageDetail.class),
            entry(CONVERSATION + "/messages/{sequence}/input", InputDetails.class),
            entry(CONVERSATION + "/state", StateResult.class),
            entry(CONVERSATION + "/blame", StateAnswer.Blame.class),
            entry(CONVERSATION + "/diff", DiffResult.class),
            entry(CONVERSATION + "/calls", CallPage.class),
            entry(CONVERSATION + "/history", StateAnswer.History.class),
            entry(CONVERSATION + "/checkpoints", StateAnswer.Tree.class),
            entry(CONVERSATION + "/checkpoints/{id}", CheckpointDetail.class),
            entry("/v1/agents/{namespace}/{agent}/state", StateAnswer.Knowledge.class),
            entry("/v1/positions/{topic}/{partition}/{offset}", InputRecord.class),
            entry("/v1/dead-letters", DeadLetter.class),
            entry("/v1/dead-letters/counts", DeadLetter.Count.class),
            entry("/v1/dead-letters/{topic}/{partition}/{offset}", DeadLetterDetails.class),
            entry("/v1/dead-letters:redrive", RedriveResults.class),
            entry("/v1/dead-letters:close", RedriveResults.class),
            entry("/v1/dead-letters:reopen", RedriveResults.class),
            entry("/v1/redrives", Redrives.class),
            entry(CONVERSATION + "/messages/{sequence}/redact", Redacting.class),
            entry(CONVERSATION + "/messages/{sequence}/approve", Redacting.class),
            entry("/v1/unapproved", Unapproved.class),
            entry("/v1/codes", Codes.class),
            entry("/v1/whoami", CallerInfo.class),
            entry("/v1/search", SearchLine.class),
            entry("/v1/stats/traffic", Statistics.class),
            entry("/v1/stats/violations", Statistics.class),
            entry("/v1/stats/edges", Statistics.class),
            entry("/v1/stats/turnaround", Statistics.class),
            entry("/v1/open-items", OpenItem.class),
            entry("/v1/parked", ParkedItem.class),
            entry("/v1/status", Status.class),
            entry("/v1/log", AuditLogs.class),
            entry("/v1/accounting", AccountingReport.class),
            entry("/health/live", Health.class),
            entry("/health/ready", Health.class));

    /** Responses without JSON, or with one of several schemas. */
    private static final Set<String> OTHERS = Set.of(
            "/mcp",
            "/metrics",
            "/openapi.yaml",
            "/v1/tail",
            "/v1/wire",
            "/v1/log/{partition}/checkpoint",
            "/v1/log/{partition}/tile/{path}",
            CONVERSATION + "/messages/{sequence}/proof");

    private static final Set<String> PAGES = Set.of(
            "/v1/conversations",
            "/v1/agents/{namespace}/{agent}/state",
            "/v1/dead-letters",
            "/v1/dead-letters/counts",
            "/v1/open-items",
            "/v1/parked",
            "/v1/unapproved");

    /** The class of each body below dev.parley. */
    private static final Map<String, String> BODIES = Map.of(
            "/v1/dead-letters:redrive",
            "json.model.write.RedriveBody",
            "/v1/dead-letters:close",
            "json.model.write.ClosureBody",
            "/v1/dead-letters:reopen",
            "json.model.write.ClosureBody",
            CONVERSATION + "/messages/{sequence}/redact",
            "server.redaction.RedactionHandler$Body",
            CONVERSATION + "/messages/{sequence}/approve",
            "server.redaction.RedactionHandler$Body");

    private final Set<Class<?>> visited = new HashSet<>();
    private JsonNode document;

    @BeforeEach
    void read() throws IOException {
        try (InputStream in = OpenApiSchemasTest.class.getResourceAsStream("/openapi.yaml")) {
            document = new ObjectMapper(new YAMLFactory()).readTree(in);
        }
    }

    @Test
    void everyResultHasTheMembersOfItsSchema() {
        document.path("paths").properties().forEach(path -> {
            if (OTHERS.contains(path.getKey())) {
                return;
            }
            assertThat(RESULTS.keySet())
                    .as("routes of RESULTS, or of OTHERS without JSON")
                    .contains(path.getKey());
            JsonNode content = path.getValue().findValue("200").path("content");
            JsonNode schema = content.elements().next().path("schema");
            if (PAGES.contains(path.getKey())) {
                Members page = members(schema);
                assertThat(page.required()).isEqualTo(Set.of("items", "next"));
                schema = page.properties().get("items").path("items");
            }
            compare(path.getKey(), schema, RESULTS.get(path.getKey()));
        });
        compare("Problem", document.at("/components/schemas/Problem"), Problem.class);
        compare("VerdictDetail", document.at("/components/schemas/VerdictDetail"), VerdictDetail.class);
        compare("Ingested", document.at("/components/schemas/Ingested"), Ingested.class);
        compare("IngestedBatch", document.at("/components/schemas/IngestedBatch"), IngestedBatch.class);
        compare(
                "Status.Witness",
                document.at("/components/schemas/Status/properties/features/properties/witnesses/items"),
                Status.Witness.class);
        compare("TailEvent", document.at("/components/schemas/TailEvent"), TailEvent.class);

        Set<String> unread = new TreeSet<>();
        new ClassFileImporter().importPackagesOf(Conversation.class).forEach(each -> {
            Class<?> type = each.reflect();
            // Pages wrap others.
            if (type.isRecord()
                    && !visited.contains(type)
                    && !Set.of("ItemPage", "SearchPage", "JsonText").contains(type.getSimpleName())
                    && BODIES.values().stream().noneMatch(body -> type.getName().startsWith("dev.parley." + body))) {
                unread.add(type.getName());
            }
        });
        assertThat(unread).isEmpty();
    }

    @Test
    void everyJsonBodyHasTheMembersOfItsSchema() throws ClassNotFoundException {
        Map<String, JsonNode> schemas = new LinkedHashMap<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().path("post").path("requestBody").path("content").properties().stream()
                        .filter(content -> content.getKey().endsWith("json") && !OTHERS.contains(path.getKey()))
                        .forEach(content ->
                                schemas.put(path.getKey(), content.getValue().path("schema"))));
        assertThat(schemas).containsOnlyKeys(BODIES.keySet());
        for (Map.Entry<String, String> body : BODIES.entrySet()) {
            compareBody(body.getKey(), schemas.get(body.getKey()), Class.forName("dev.parley." + body.getValue()));
        }
    }

    private void compareBody(String where, JsonNode schema, Type type) {
        Set<String> types = types(schema);
        types.remove("null");
        assertThat(types).as(where).containsExactly(typeOf(type));
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            if (typeOf(type).equals("array")) {
                compareBody(where + "[]", schema.path("items"), arguments[0]);
            } else if (schema.has("additionalProperties")
                    && schema.path("additionalProperties").isObject()) {
                compareBody(where + "{}", schema.path("additionalProperties"), arguments[1]);
            } else {
                // Filters by name, whose handler requires strings after it knows the names.
                Members members = members(schema);
                assertThat(members.properties().keySet()).as(where).hasSameElementsAs(DeadLetterQuery.NAMES);
                members.properties().forEach((name, value) -> compareBody(where + "." + name, value, String.class));
            }
        } else if (typeOf(type).equals("object")) {
            Members members = members(schema);
            Map<String, RecordField> fields = fields((Class<?>) type);
            assertThat(members.properties().keySet()).as(where).hasSameElementsAs(fields.keySet());
            assertThat(fields.keySet()).as(where).containsAll(members.required());
            fields.forEach((name, field) ->
                    compareBody(where + "." + name, members.properties().get(name), field.type()));
        }
    }

    /** The members of a schema with its references and parts. */
    private record Members(Map<String, JsonNode> properties, Set<String> required) {}

    private Members members(JsonNode schema) {
        JsonNode resolved = resolved(schema);
        Members members = new Members(new LinkedHashMap<>(), new TreeSet<>());
        for (JsonNode part : resolved.path("allOf")) {
            Members more = members(part);
            members.properties().putAll(more.properties());
            members.required().addAll(more.required());
        }
        resolved.path("properties")
                .properties()
                .forEach(each -> members.properties().put(each.getKey(), each.getValue()));
        resolved.path("required").forEach(name -> members.required().add(name.asText()));
        return members;
    }

    private JsonNode resolved(JsonNode schema) {
        return schema.has("$ref") ? document.at(schema.path("$ref").asText().substring(1)) : schema;
    }

    private void compare(String where, JsonNode schema, Class<?> type) {
        if (type.isSealed()) {
            List<JsonNode> parts = new ArrayList<>();
            resolved(schema).path("anyOf").forEach(parts::add);
            parts.removeIf(part -> part.path("type").asText().equals("null"));
            Class<?>[] records = type.getPermittedSubclasses();
            assertThat(parts).as(where).hasSameSizeAs(records);
            for (int i = 0; i < records.length; i++) {
                compare(where + " " + records[i].getSimpleName(), parts.get(i), records[i]);
            }
            return;
        }
        visited.add(type);
        Members members = members(schema);
        if (SpecificRecord.class.isAssignableFrom(type)) {
            compareAvro(where, members, SpecificData.get().getSchema(type));
            return;
        }
        Map<String, RecordField> fields = fields(type);
        boolean open = Arrays.stream(type.getDeclaredMethods())
                .anyMatch(method -> method.isAnnotationPresent(JsonAnyGetter.class));
        if (open) {
            assertThat(members.properties().keySet()).as(where).containsAll(fields.keySet());
        } else {
            assertThat(members.properties().keySet()).as(where).hasSameElementsAs(fields.keySet());
        }
        Set<String> required = new TreeSet<>();
        fields.forEach((name, field) -> {
            if (!field.isOmittedIfNull()) {
                required.add(name);
            }
            compare(
                    where + "." + name,
                    members.properties().get(name),
                    field.type(),
                    field.nullable() && !field.isOmittedIfNull());
        });
        assertThat(members.required()).as(where).isEqualTo(required);
    }

    /** The components of a record by their keys, with those of unwrapped ones. */
    private static Map<String, RecordField> fields(Class<?> type) {
        Map<String, RecordField> fields = new LinkedHashMap<>();
        for (RecordField field : RecordField.of(type)) {
            if (field.accessor().isAnnotationPresent(JsonUnwrapped.class)) {
                fields.putAll(fields((Class<?>) field.type()));
            } else if (!field.accessor().isAnnotationPresent(JsonAnyGetter.class)
                    && !field.accessor().isAnnotationPresent(JsonIgnore.class)) {
                JsonProperty renamed = field.accessor().getAnnotation(JsonProperty.class);
                fields.put(renamed == null ? field.name() : renamed.value(), field);
            }
        }
        return fields;
    }

    private void compare(String where, JsonNode schema, Type type, boolean nullable) {
        if (type == Ingested.Verdict.class) {
            // Its value stands for it.
            visited.add(Ingested.Verdict.class);
            compare(where, schema, InputRecord.class, true);
            return;
        }
        Set<String> expected = new TreeSet<>(Set.of(typeOf(type)));
        if (nullable) {
            expected.add("null");
        }
        assertThat(types(schema)).as(where).isEqualTo(expected);
        if (type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
            Type item = generic.getActualTypeArguments()[0];
            compare(where + "[]", schema.path("items"), item, false);
        } else if (type instanceof Class<?> raw && typeOf(type).equals("object") && raw != JsonText.class) {
            JsonNode whole = schema;
            if (!raw.isSealed()) {
                for (JsonNode part : alternatives(schema)) {
                    whole = part.path("type").asText().equals("null") ? whole : part;
                }
            }
            compare(where, whole, raw);
        }
    }

    private static String typeOf(Type type) {
        Class<?> raw = (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
        if (raw == String.class || raw == Instant.class || raw == byte[].class) {
            return "string";
        }
        if (raw == boolean.class || raw == Boolean.class) {
            return "boolean";
        }
        if (raw == int.class || raw == Integer.class || raw == long.class || raw == Long.class) {
            return "integer";
        }
        return Collection.class.isAssignableFrom(raw) ? "array" : "object";
    }

    private static List<JsonNode> alternatives(JsonNode schema) {
        List<JsonNode> parts = new ArrayList<>();
        schema.path("anyOf").forEach(parts::add);
        schema.path("oneOf").forEach(parts::add);
        return parts;
    }

    /** The JSON types that a schema allows. */
    private Set<String> types(JsonNode schema) {
        JsonNode resolved = resolved(schema);
        Set<String> types = new TreeSet<>();
        if (resolved.path("type").isArray()) {
            resolved.path("type").forEach(type -> types.add(type.asText()));
        } else if (resolved.has("type")) {
            types.add(resolved.path("type").asText());
        }
        alternatives(resolved).forEach(part -> types.addAll(types(part)));
        resolved.path("allOf").forEach(part -> types.addAll(types(part)));
        return types;
    }

    /** Avro records are written without null members. */
    private void compareAvro(String where, Members members, Schema schema) {
        Set<String> names = new TreeSet<>();
        Set<String> required = new TreeSet<>();
        for (Schema.Field field : schema.getFields()) {
            names.add(field.name());
            if (!field.schema().isNullable()) {
                required.add(field.name());
            }
        }
        assertThat(members.properties().keySet()).as(where).hasSameElementsAs(names);
        assertThat(members.required()).as(where).isEqualTo(required);
    }
}
