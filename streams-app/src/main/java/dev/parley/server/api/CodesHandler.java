package dev.parley.server.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.codec.Code;
import dev.parley.conformance.CodeGuide;
import dev.parley.server.http.Json;
import io.javalin.http.Context;

/** Answers with the meaning and the remedy of each code. */
final class CodesHandler {

    private final ObjectNode codes = Json.object();

    CodesHandler() {
        CodeGuide guide = CodeGuide.withoutExamples();
        ArrayNode items = codes.putArray("items");
        for (Code code : Code.values()) {
            CodeGuide.Entry entry = guide.entry(code);
            items.addObject()
                    .put("code", code.name())
                    .put("kind", entry.kind())
                    .put("meaning", code.meaning())
                    .put("remedy", entry.remedy())
                    .put("section", entry.section());
        }
    }

    ObjectNode codes(Context request) {
        Parameters.of(request);
        return codes;
    }
}
