package dev.parley.conformance;

import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import java.util.List;
import java.util.Set;

/** One line of the kit: an input, and what an implementation makes of it. */
public sealed interface ConformanceVector permits DecodeVector, RecordVector, DialogueScenario {

    /** What a vector tries. */
    enum Kind {
        /** A codec: the bytes of one message. */
        DECODE,
        /** What lies around a codec: protocol, conversation and sender of one record. */
        RECORD,
        /** Dialogue rules and checkpoints: several records. */
        DIALOGUE
    }

    /** Stable name, unique in the kit. */
    String id();

    /** A sentence about it. */
    String title();

    /** Whether it is the one that documentation shows for its code. */
    boolean example();

    /** Protocol that it tries; UNKNOWN for what concerns all. */
    Protocol protocol();

    /** What it tries. */
    Kind kind();

    /** Profiles for which it expects something. */
    Set<Profile> profiles();

    /** Every code that it expects. */
    Set<Code> codes();

    /** What it sends and what it expects of each message, as a person reads it. */
    List<Shown> shown();

    /** Settings other than the defaults, each as name=value. */
    List<String> settingsShown();

    /**
     * One message of a vector.
     *
     * @param record what its record says beside the message: topic, headers, time; each as name: value
     * @param wire the message
     * @param outcome what becomes of it
     */
    record Shown(List<String> record, String wire, String outcome) {}

    /**
     * Runs it.
     *
     * @param profile one of {@link #profiles()}
     * @return what is otherwise than expected, a sentence each; empty when it passed
     */
    List<String> differences(Profile profile);
}
