package dev.parley.json.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.parley.avro.Claims;
import dev.parley.avro.InnerMessage;
import dev.parley.avro.Redaction;
import dev.parley.avro.Rule;
import dev.parley.avro.Source;
import dev.parley.json.JsonText;
import dev.parley.state.Nullable;
import java.util.List;

/**
 * An audit record.
 *
 * @param position byte offset of the decode error
 * @param allowed acts that the sender could have sent instead, as on the wire
 * @param rule the rule that decided; null for records that are not messages
 * @param message the decoded message, as far as the caller may see it
 * @param raw the original bytes, as text or in base64
 * @param claims what an undecodable record claims to be; unproven
 * @param inner complete messages inside an undecodable value
 * @param omitted sizes of a record that exceeded the maximum size
 * @param redactedBy the redaction that removed the content
 * @param approvedBy the approval of the changed definition that the message declares
 * @param redaction the redaction or approval, if this is the record of one
 * @param redacted whether content is masked or redacted
 * @param masked whether markers replace values of the content for the caller
 * @param bodyOmitted whether the audit record has a body that this answer does not have
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NONE)
public record Message(
        long sequence,
        String verdict,
        String stage,
        @Nullable String code,
        @Nullable Integer position,
        @Nullable String detail,
        List<String> allowed,
        List<String> warnings,
        @Nullable Rule rule,
        String profile,
        String hash,
        String previousHash,
        @Nullable String payloadHash,
        Source source,
        @Nullable String gloss,
        @Nullable JsonText message,
        @Nullable String raw,
        @Nullable String rawEncoding,
        @JsonInclude(Include.NON_NULL) @Nullable Claims claims,
        @JsonInclude(Include.NON_EMPTY) List<InnerMessage> inner,
        @JsonInclude(Include.NON_NULL) @Nullable Omitted omitted,
        @JsonInclude(Include.NON_NULL) @Nullable Redaction redactedBy,
        @JsonInclude(Include.NON_NULL) @Nullable Redaction approvedBy,
        @JsonInclude(Include.NON_NULL) @Nullable Redaction redaction,
        boolean redacted,
        @JsonInclude(Include.NON_DEFAULT) boolean masked,
        boolean bodyOmitted)
        implements MessageItem {

    /** Sizes of a record that exceeded the maximum size, in bytes. */
    public record Omitted(
            @Nullable Integer valueBytes, @Nullable Integer keyBytes, int headerCount, long headerBytes) {}
}
