package dev.parley.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import dev.parley.conformance.ConformanceVector.Kind;
import dev.parley.conformance.ConformanceVector.Shown;
import java.util.List;
import java.util.Set;

/**
 * Description of a vector, without its input and expectations.
 *
 * @param id stable name, unique in the kit
 * @param title a sentence
 * @param example whether documentation shows it for its code
 * @param kind its subject
 * @param protocol protocol under test; UNKNOWN for vectors of all protocols
 * @param codes all expected codes
 * @param shown messages and expected outcomes, in readable form
 * @param settingsShown settings other than the defaults, each as name=value
 */
public record VectorHeader(
        String id,
        String title,
        boolean example,
        Kind kind,
        Protocol protocol,
        Set<Code> codes,
        List<Shown> shown,
        List<String> settingsShown) {

    static VectorHeader of(JsonNode node, Kind kind, Protocol protocol, Set<Code> codes, List<Shown> shown) {
        return new VectorHeader(
                node.path("id").asText(),
                node.path("title").asText(),
                node.path("example").asBoolean(),
                kind,
                protocol,
                codes,
                shown,
                VectorSettings.shown(node.path("settings")));
    }

    /** The header of a vector of one message. */
    static VectorHeader of(JsonNode node, Kind kind, Protocol protocol, Expectations expectations)
            throws InvalidVectorException {
        Shown shown = new Shown(VectorBytes.record(node), VectorBytes.shown(node.get("wire")), expectations.shown());
        return of(node, kind, protocol, expectations.codes(), List.of(shown));
    }
}
