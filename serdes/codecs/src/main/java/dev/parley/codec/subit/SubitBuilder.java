package dev.parley.codec.subit;

import dev.parley.avro.SubitEntry;
import dev.parley.avro.SubitMessage;
import dev.parley.avro.SubitType;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.IsoTimestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds SUBIT-Agent packets.
 *
 * <pre>{@code
 * SubitMessage intent = SubitBuilder.intent(0b000110, 0b110001).agent("scout").session("crew-12").build();
 * }</pre>
 *
 * <p>A form is a number from 0 to 63, most significant bit first. A value that SUBIT-Agent v1.0 cannot represent causes
 * an {@link IllegalArgumentException} in the call with it, which names the field and the rule. Null causes a
 * {@link NullPointerException}. A built packet decodes to an equal message under the strict profile or, with
 * {@link #extra}, under the lenient one. A builder can build any number of packets and is not thread-safe.
 */
public final class SubitBuilder {
    private static final SubitCodec CODEC = new SubitCodec();

    private final SubitMessage message = new SubitMessage();
    private final List<SubitEntry> meta = new ArrayList<>();
    private final List<SubitEntry> extras = new ArrayList<>();

    private SubitBuilder(SubitType type, int... forms) {
        SubitWriter.requireLength(type, forms.length);
        List<Integer> list = new ArrayList<>(forms.length);
        for (int form : forms) {
            SubitWriter.requireForm(form);
            list.add(form);
        }
        message.setType(type);
        message.setForms(list);
        message.setJsonMeta(List.of());
    }

    /** Starts a STATE: the current form of the agent. */
    public static SubitBuilder state(int form) {
        return new SubitBuilder(SubitType.STATE, form);
    }

    /** Starts an INTENT: an intended transition or short sequence of two or more forms. */
    public static SubitBuilder intent(int... forms) {
        return new SubitBuilder(SubitType.INTENT, forms);
    }

    /** Starts an ACTION: the transition that the agent makes. */
    public static SubitBuilder action(int from, int to) {
        return new SubitBuilder(SubitType.ACTION, from, to);
    }

    /** Starts a PLAN: a sequence of transitions with three or more forms. */
    public static SubitBuilder plan(int... forms) {
        return new SubitBuilder(SubitType.PLAN, forms);
    }

    /** Starts a TRACE: the past forms of the agent, two or more. */
    public static SubitBuilder trace(int... forms) {
        return new SubitBuilder(SubitType.TRACE, forms);
    }

    /** Starts an ERROR: the form or transition that failed, one or two forms. */
    public static SubitBuilder error(int... forms) {
        return new SubitBuilder(SubitType.ERROR, forms);
    }

    /** meta.agent: the sender. */
    public SubitBuilder agent(String agent) {
        SubitWriter.requireMember("agent", "agent", agent, false);
        SubitWriter.requireFilled("agent", agent);
        message.setAgent(agent);
        return this;
    }

    /** meta.timestamp: the time of sending. */
    public SubitBuilder timestamp(Instant timestamp) {
        return timestamp(timestamp.toString());
    }

    /** meta.timestamp: the time of sending, as an ISO 8601 date and time. */
    public SubitBuilder timestamp(String timestamp) {
        if (!IsoTimestamp.isValid(timestamp)) {
            throw new IllegalArgumentException("timestamp: must be an ISO 8601 date and time, but was " + timestamp);
        }
        message.setTimestamp(timestamp);
        return this;
    }

    /** meta.session: the conversation ID. */
    public SubitBuilder session(String session) {
        SubitWriter.requireMember("session", "session", session, false);
        SubitWriter.requireFilled("session", session);
        message.setSession(session);
        return this;
    }

    /** Adds a key of meta with a string as its value. Keys keep the order of the calls. */
    public SubitBuilder meta(String key, String text) {
        return metaEntry(new SubitEntry(key, text, false));
    }

    /** Adds a key of meta with a number, a boolean, null, an array or an object as compact JSON. */
    public SubitBuilder metaJson(String key, String json) {
        return metaEntry(new SubitEntry(key, json, true));
    }

    /**
     * Adds a key of the packet besides type, payload and meta, with a string as its value. The strict profile refuses
     * it.
     */
    public SubitBuilder extra(String key, String text) {
        return extraEntry(new SubitEntry(key, text, false));
    }

    /** Adds a key like {@link #extra}, with a number, a boolean, null, an array or an object as compact JSON. */
    public SubitBuilder extraJson(String key, String json) {
        return extraEntry(new SubitEntry(key, json, true));
    }

    /**
     * Builds the packet.
     *
     * @throws IllegalArgumentException if its size or number of keys exceeds {@link dev.parley.codec.Limits#DEFAULT}
     */
    public SubitMessage build() {
        message.setMeta(meta);
        message.setExtras(extras);
        message.setMetaPresent(message.getAgent() != null
                || message.getTimestamp() != null
                || message.getSession() != null
                || !meta.isEmpty());
        return CODEC.verify(message, extras.isEmpty() ? DecodeOptions.STRICT : DecodeOptions.LENIENT);
    }

    private SubitBuilder metaEntry(SubitEntry entry) {
        add(meta, entry, "meta", SubitWriter.META_KEYS);
        return this;
    }

    private SubitBuilder extraEntry(SubitEntry entry) {
        add(extras, entry, "extras", SubitWriter.KEYS);
        return this;
    }

    private static void add(List<SubitEntry> entries, SubitEntry entry, String field, List<String> named) {
        SubitWriter.requireMember(field, entry.getKey(), entry.getValue(), entry.getJson());
        boolean there = named.contains(entry.getKey());
        for (SubitEntry other : entries) {
            there |= other.getKey().equals(entry.getKey());
        }
        if (there) {
            throw new IllegalArgumentException(field + ": must not contain the key " + entry.getKey());
        }
        entries.add(entry);
    }
}
