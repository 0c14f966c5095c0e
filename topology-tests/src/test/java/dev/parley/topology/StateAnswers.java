package dev.parley.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.Protocol;
import dev.parley.topology.pipeline.StateOracle;
import dev.parley.topology.pipeline.StateOracle.Entry;
import dev.parley.topology.pipeline.StateOracle.Moment;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** Renders states of the API and of an oracle in one form, for comparison. */
public final class StateAnswers {

    private StateAnswers() {}

    public static void assertBy(String about, Protocol protocol, JsonNode by, StateOracle.Input input) {
        assertThat(by.at("/source/topic").asText()).as(about).isEqualTo(input.topic());
        assertThat(by.at("/source/offset").asLong()).as(about).isEqualTo(input.offset());
        assertThat(by.at("/source/timestamp").asText())
                .as(about)
                .isEqualTo(Instant.ofEpochMilli(input.time()).toString());
        String sender = protocol == Protocol.CSP
                ? input.wire()
                        .substring(
                                input.wire().indexOf("FROM ") + 5, input.wire().indexOf("\nTO"))
                : input.sender();
        assertThat(by.path("sender").textValue()).as(about).isEqualTo(sender);
        if (protocol == Protocol.CSP) {
            assertThat(input.wire())
                    .as(about)
                    .contains("\nPATCH " + by.path("patch").asText() + "\n")
                    .endsWith("\nAPPLY -> " + by.path("checkpoint").asText());
        }
    }

    public static Map<String, String> values(Moment moment) {
        return values(moment.state());
    }

    public static Map<String, String> values(Map<String, Entry> state) {
        Map<String, String> values = new TreeMap<>();
        state.forEach((name, entry) -> values.put(name, entry.value()));
        return values;
    }

    /** A state as entries, whatever its shape. */
    public static Map<String, String> flat(Protocol protocol, JsonNode state) {
        Map<String, String> entries = new TreeMap<>();
        switch (protocol) {
            case SLIP ->
                state.path("tasks")
                        .forEach(task -> task.properties().forEach(field -> {
                            if (!field.getKey().equals("task")) {
                                String number = task.path("task").isNull()
                                        ? "-"
                                        : task.path("task").asText();
                                entries.put(
                                        "task/" + number + "/" + field.getKey(),
                                        field.getValue().asText());
                            }
                        }));
            case SUBIT ->
                state.path("agents")
                        .forEach(agent -> entries.put(
                                "agent/"
                                        + (agent.path("agent").isNull()
                                                ? "-"
                                                : agent.path("agent").asText()),
                                Integer.toString(
                                        Integer.parseInt(agent.path("bits").asText(), 2))));
            default -> {
                String prefix = protocol == Protocol.CSP ? "" : "definition/";
                state.path("definitions")
                        .fields()
                        .forEachRemaining(field -> entries.put(
                                prefix + field.getKey(), field.getValue().asText()));
                state.path("agreements")
                        .fields()
                        .forEachRemaining(field -> entries.put(
                                "agreement/" + field.getKey(), field.getValue().asText()));
            }
        }
        return entries;
    }
}
