package dev.parley.json.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.parley.avro.Claims;
import dev.parley.avro.InnerMessage;
import dev.parley.avro.Rule;
import dev.parley.state.Nullable;
import java.util.List;

/**
 * A verdict on a message, and what its sender needs to send a better one.
 *
 * @param code decode error or violation; null if accepted
 * @param position byte offset of the decode error
 * @param detail what is wrong, and what would have been accepted; null if the caller may not see the message
 * @param meaning the code in one sentence; null without a code that this instance knows
 * @param remedy what to do about the code; null without a code that this instance knows
 * @param allowed acts that the sender could have sent instead, as on the wire
 * @param rule the rule that decided; null for records that are not messages
 * @param claims what an undecodable record claims to be, unproven; null if it claims nothing, or the caller may not see
 *     it
 * @param inner complete messages inside an undecodable value; none if the caller may not see it
 * @param masked whether markers replace values of the content for the caller, so that {@code detail} and {@code inner}
 *     are omitted
 */
public record VerdictDetail(
        String verdict,
        @Nullable String code,
        @Nullable Integer position,
        @Nullable String detail,
        @Nullable String meaning,
        @Nullable String remedy,
        List<String> allowed,
        List<Warning> warnings,
        @Nullable Rule rule,
        @JsonInclude(Include.NON_NULL) @Nullable Claims claims,
        List<InnerMessage> inner,
        @JsonInclude(Include.NON_DEFAULT) boolean masked) {

    /** The verdict on a message that is not recorded, without a code; null if it is only decoded. */
    public VerdictDetail(String verdict, String detail, List<Warning> warnings) {
        this(verdict, null, null, detail, null, null, List.of(), warnings, null, null, List.of(), false);
    }

    /**
     * An accepted deviation.
     *
     * @param meaning the code in one sentence; null for a code that this instance does not know
     * @param remedy what to do about it; null for a code that this instance does not know
     */
    public record Warning(
            String code, @Nullable String meaning, @Nullable String remedy) {}
}
