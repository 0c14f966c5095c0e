package dev.parley.server.api;

import dev.parley.codec.Code;
import dev.parley.json.model.Codes;
import dev.parley.server.api.view.Parameters;
import io.javalin.http.Context;
import java.util.Arrays;

/** Answers with the meaning and the remedy of each code. */
final class CodesHandler {

    private final Codes codes =
            new Codes(Arrays.stream(Code.values()).map(Verdicts::description).toList());

    Codes codes(Context request) {
        Parameters.of(request);
        return codes;
    }
}
