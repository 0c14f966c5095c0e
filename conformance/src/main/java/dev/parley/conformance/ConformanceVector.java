package dev.parley.conformance;

import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
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

    /** Its description. */
    VectorHeader header();

    /** Stable name, unique in the kit. */
    default String id() {
        return header().id();
    }

    /** A sentence. */
    default String title() {
        return header().title();
    }

    /** Whether documentation shows it for its code. */
    default boolean example() {
        return header().example();
    }

    /** Protocol under test; UNKNOWN for vectors of all protocols. */
    default Protocol protocol() {
        return header().protocol();
    }

    default Kind kind() {
        return header().kind();
    }

    /** Profiles for which it has expectations. */
    Set<Profile> profiles();

    /** All codes that it expects. */
    default Set<Code> codes() {
        return header().codes();
    }

    /** Its messages and their expected outcomes, in readable form. */
    default List<Shown> shown() {
        return header().shown();
    }

    /** Settings other than the defaults, each as name=value. */
    default List<String> settingsShown() {
        return header().settingsShown();
    }

    /**
     * One message of a vector, in readable form.
     *
     * @param record other attributes of its record: topic, headers, time; each as name: value
     * @param wire the message
     * @param outcome its outcome
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
