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
 * Builds SUBIT-Agent packets that can be written and read back.
 *
 * <pre>{@code
 * SubitMessage intent = SubitBuilder.intent(0b000110, 0b110001).agent("scout").session("crew-12").build();
 * }</pre>
 *
 * <p>A form is a number from 0 to 63, most significant bit first. A value that SUBIT-Agent v1.0 cannot say is refused where it is given, by an
 * {@link IllegalArgumentException} that names the field and the rule; null by a {@link NullPointerException}. What is built decodes to an equal
 * message under the strict profile; with {@link #extra}, under the lenient one. A builder can build any number of packets; it is for one thread.
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

    /** A STATE: where the agent stands. */
    public static SubitBuilder state(int form) {
        return new SubitBuilder(SubitType.STATE, form);
    }

    /** An INTENT: a transition, or a short sequence, that the agent means to make; two forms or more. */
    public static SubitBuilder intent(int... forms) {
        return new SubitBuilder(SubitType.INTENT, forms);
    }

    /** An ACTION: the transition that the agent makes. */
    public static SubitBuilder action(int from, int to) {
        return new SubitBuilder(SubitType.ACTION, from, to);
    }

    /** A PLAN: a sequence of transitions; three forms or more. */
    public static SubitBuilder plan(int... forms) {
        return new SubitBuilder(SubitType.PLAN, forms);
    }

    /** A TRACE: the forms that the agent went through; two or more. */
    public static SubitBuilder trace(int... forms) {
        return new SubitBuilder(SubitType.TRACE, forms);
    }

    /** An ERROR: the form or the transition that failed; one form or two. */
    public static SubitBuilder error(int... forms) {
        return new SubitBuilder(SubitType.ERROR, forms);
    }

    /** meta.agent: who speaks. */
    public SubitBuilder agent(String agent) {
        SubitWriter.requireMember("agent", "agent", agent, false);
        message.setAgent(agent);
        return this;
    }

    /** meta.timestamp: when. */
    public SubitBuilder timestamp(Instant timestamp) {
        return timestamp(timestamp.toString());
    }

    /** meta.timestamp: when, as ISO 8601 writes a date and time. */
    public SubitBuilder timestamp(String timestamp) {
        if (!IsoTimestamp.isValid(timestamp)) {
            throw new IllegalArgumentException("timestamp: no date and time of ISO 8601: " + timestamp);
        }
        message.setTimestamp(timestamp);
        return this;
    }

    /** meta.session: the conversation. */
    public SubitBuilder session(String session) {
        SubitWriter.requireMember("session", "session", session, false);
        message.setSession(session);
        return this;
    }

    /** Another key of meta with a text as its value; the order of the calls is the order in the packet. */
    public SubitBuilder meta(String key, String text) {
        return metaEntry(new SubitEntry(key, text, false));
    }

    /** Another key of meta with a number, a boolean, null, an array or an object as its value, as compact JSON. */
    public SubitBuilder metaJson(String key, String json) {
        return metaEntry(new SubitEntry(key, json, true));
    }

    /** A key of the packet beside type, payload and meta, with a text as its value. Readers under the strict profile refuse it. */
    public SubitBuilder extra(String key, String text) {
        return extraEntry(new SubitEntry(key, text, false));
    }

    /** As {@link #extra}, with a number, a boolean, null, an array or an object as compact JSON. */
    public SubitBuilder extraJson(String key, String json) {
        return extraEntry(new SubitEntry(key, json, true));
    }

    /**
     * The packet.
     *
     * @throws IllegalArgumentException when it is larger or has more keys than {@link dev.parley.codec.Limits#DEFAULT} allows
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
            throw new IllegalArgumentException(field + ": the key " + entry.getKey() + " has its place already");
        }
        entries.add(entry);
    }
}
