package dev.parley.json.model.write;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.json.model.EncodedText;
import dev.parley.json.model.RecordHeader;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The body of a redrive request, as it is sent; absent members are null.
 *
 * @param reason reason for the redrive; optional for a dry run
 * @param ids the dead letters; null with a query
 * @param query strings, by the name of the filter; null with IDs
 * @param edits what to send instead of the originals, by dead letter
 * @param unwrap whether to send the message inside the value instead of the value
 * @param confirmed SHA-256 of inner messages
 * @param cursor {@code next} of the previous response
 * @param limit maximum dead letters of this request
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RedriveBody(
        boolean dryRun,
        String reason,
        List<String> ids,
        Map<String, ?> query,
        Map<String, Edit> edits,
        boolean unwrap,
        Set<String> confirmed,
        String cursor,
        Integer limit) {

    /** What to send instead of parts of a dead letter; null parts are sent as they were. A key without text is none. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Edit(byte[] value, EncodedText key, List<RecordHeader> headers) {}

    /** Returns the body of the next request. */
    public RedriveBody from(String next) {
        return new RedriveBody(dryRun, reason, ids, query, edits, unwrap, confirmed, next, limit);
    }
}
