package dev.parley.json.model.state;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.parley.avro.Source;
import dev.parley.json.Nullable;

/**
 * The message that set a value.
 *
 * @param sequence its sequence in the audit chain; not for CSP
 * @param checkpoint the checkpoint that it created; only for CSP
 * @param patch ID of the patch; only for CSP
 * @param source its input record
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NONE)
public record Setter(
        @JsonInclude(Include.NON_NULL) @Nullable Long sequence,
        @JsonInclude(Include.NON_NULL) @Nullable String checkpoint,
        @JsonInclude(Include.NON_NULL) @Nullable String patch,
        @Nullable String sender,
        Source source)
        implements AsOf {}
