package dev.parley.json.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.avro.LogPosition;
import dev.parley.state.Nullable;
import dev.parley.state.StateAnswer.State;
import java.util.List;

/**
 * An audit record with what it proves.
 *
 * @param message the record, whose keys are keys of this object
 * @param dialogue the states around the message; null if they were not requested
 */
public record MessageDetail(
        @JsonUnwrapped Message message,
        String chain,
        Integrity integrity,
        @JsonInclude(Include.NON_NULL) @Nullable Dialogue dialogue) {

    /**
     * The hashes of a record and its links to its neighbors.
     *
     * @param faults codes of the faults of the record by itself
     * @param log position in the audit log
     * @param proves the proof in one sentence
     * @param links path of the proof that the log contains the record; null if heads are not signed
     * @param commands shell commands that verify the record without this instance
     */
    public record Integrity(
            String hash,
            String previousHash,
            String contentHash,
            List<String> faults,
            String content,
            String previous,
            String next,
            LogPosition log,
            String proof,
            String proves,
            @Nullable Links links,
            List<String> commands) {

        /** Paths of what belongs to the record. */
        public record Links(String proof) {}
    }

    /**
     * The states around a message.
     *
     * @param position the dialogue states by name
     * @param omitted why there are no states; null if there are
     */
    public record Dialogue(
            @Nullable Position position,
            @Nullable State before,
            @Nullable State after,
            @Nullable String omitted) {}

    /**
     * The dialogue states around a message, by their names in docs/protocols.md.
     *
     * @param exact whether the replay gave every message its recorded code
     * @param recorded whether the states are those of the recorded rule, because the replay is not exact
     */
    public record Position(String before, String after, boolean exact, boolean recorded) {}
}
