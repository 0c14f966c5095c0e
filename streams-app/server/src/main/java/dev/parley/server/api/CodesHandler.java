package dev.parley.server.api;

import dev.parley.codec.Code;
import dev.parley.conformance.CodeGuide;
import dev.parley.json.model.Codes;
import io.javalin.http.Context;
import java.util.Arrays;

/** Answers with the meaning and the remedy of each code. */
final class CodesHandler {

    private final Codes codes;

    CodesHandler() {
        CodeGuide guide = CodeGuide.withoutExamples();
        codes = new Codes(Arrays.stream(Code.values())
                .map(code -> {
                    CodeGuide.Entry entry = guide.entry(code);
                    return new Codes.Description(
                            code.name(), entry.kind(), code.meaning(), entry.remedy(), entry.section());
                })
                .toList());
    }

    Codes codes(Context request) {
        Parameters.of(request);
        return codes;
    }
}
