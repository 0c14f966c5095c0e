package dev.parley.conformance;

import dev.parley.avro.Profile;
import java.util.List;
import java.util.Set;

/** One vector of the kit: an input and its expected results. */
public sealed interface ConformanceVector permits DecodeVector, RecordVector, DialogueScenario {

    /** Subject of a vector. */
    enum Kind {
        /** A codec: the bytes of one message. */
        DECODE,
        /** The attributes of one record: protocol, conversation, and sender. */
        RECORD,
        /** Dialogue rules and checkpoints: several records. */
        DIALOGUE
    }

    VectorHeader header();

    /** Profiles for which it has expectations. */
    Set<Profile> profiles();

    /**
     * One message of a vector, in readable form.
     *
     * @param record other attributes of its record: topic, headers, time; each as name: value
     * @param wire the message
     */
    record Shown(List<String> record, String wire, String outcome) {}

    /**
     * Runs it.
     *
     * @param profile one of {@link #profiles()}
     * @return differences from the expectations, one sentence each; empty if it passed
     */
    List<String> differences(Profile profile);
}
