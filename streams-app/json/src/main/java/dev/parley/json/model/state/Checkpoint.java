package dev.parley.json.model.state;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.parley.json.Nullable;
import java.time.Instant;

/**
 * A checkpoint of a CSP context.
 *
 * @param depth number of patches from C0 to it
 * @param ordinal its position in the order of application
 * @param prunedAt time at which its content was pruned; null while its state can be rebuilt
 * @param head whether it has no children
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NONE)
public record Checkpoint(
        String id,
        @Nullable String parent,
        @Nullable String patch,
        @Nullable String sender,
        long depth,
        long ordinal,
        int operationCount,
        @Nullable Instant time,
        @Nullable Instant prunedAt,
        @Nullable String hash,
        boolean head)
        implements AsOf {}
