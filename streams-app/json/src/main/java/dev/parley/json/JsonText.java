package dev.parley.json;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;

/** JSON that is part of a result and has no record of its own, such as the content of a message. */
public record JsonText(@JsonValue @JsonRawValue String text) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static JsonText of(JsonNode node) {
        return new JsonText(ApiJson.text(node));
    }
}
