package dev.parley.topology.views;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.topology.setup.Topics;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/**
 * Keys of the view stores. A key is the number of its kind and its parts; keys sort as their parts sort, part by part:
 * text by its UTF-8 bytes, numbers by value. No text, whatever it contains, makes two different keys equal or one key's
 * parts the prefix of another's.
 */
public final class ViewKeys {

    private static final byte CONVERSATION = 1;
    private static final byte MESSAGE = 2;
    private static final byte SOURCE = 3;
    private static final byte BEGINNING = 4;
    private static final byte CHECKPOINT = 1;
    private static final byte ORDINAL = 2;
    private static final byte CHILD = 3;
    private static final byte HEAD = 4;
    private static final byte DEAD_LETTER = 1;
    private static final byte DEAD_SOURCE = 2;
    private static final byte REDACTION = 1;
    private static final byte REDACTED = 5;

    private ViewKeys() {}

    /** Summary of a conversation in {@link ViewStores#AUDIT}. */
    public static Bytes conversation(String namespace, Protocol protocol, String conversation) {
        return new Builder(CONVERSATION)
                .text(namespace)
                .text(protocol.name())
                .text(conversation)
                .build();
    }

    /**
     * What the keys of all conversations begin with, of those of a namespace, or of those of a namespace and a
     * protocol.
     */
    public static Bytes conversations(Optional<String> namespace, Optional<Protocol> protocol) {
        Builder builder = new Builder(CONVERSATION);
        if (namespace.isPresent()) {
            builder.text(namespace.get());
            protocol.ifPresent(p -> builder.text(p.name()));
        }
        return builder.build();
    }

    /** One audit record in {@link ViewStores#AUDIT}; its value is the record's value in the audit topic. */
    public static Bytes message(String chain, long sequence) {
        return new Builder(MESSAGE).text(chain).number(sequence).build();
    }

    /**
     * Present in {@link ViewStores#AUDIT} when the first messages of a chain are not there, any more or at all; its
     * value is a {@link ChainStart}.
     */
    public static Bytes beginning(String chain) {
        return new Builder(BEGINNING).text(chain).build();
    }

    /**
     * Where an input record stands in the audit, in {@link ViewStores#AUDIT}, in the partition of its chain; its value
     * is a {@link ChainPosition}.
     */
    public static Bytes source(String topic, int partition, long offset) {
        return new Builder(SOURCE).text(topic).number(partition).number(offset).build();
    }

    /** The same of an input record. */
    static Bytes source(Source source) {
        return source(source.getTopic(), source.getPartition(), source.getOffset());
    }

    /**
     * Present in {@link ViewStores#AUDIT} when the chain records a redaction of this record; its value is the sequence
     * of the first that does, as eight bytes.
     */
    static Bytes redacted(String chain, long sequence) {
        return new Builder(REDACTED).text(chain).number(sequence).build();
    }

    /**
     * A redaction in {@link ViewStores#REDACTIONS}, by all that it names; its value is the first such record's value in
     * the redaction topic.
     */
    static Bytes redaction(Source source, ByteBuffer payloadHash, String chain, long sequence) {
        return redactions(source.getTopic(), source.getPartition(), source.getOffset(), payloadHash)
                .text(chain)
                .number(sequence)
                .build();
    }

    /** What the keys of the redactions begin with that name an input position and a payload hash. */
    public static Bytes redactionsOf(String topic, int partition, long offset, ByteBuffer payloadHash) {
        return redactions(topic, partition, offset, payloadHash).build();
    }

    /** What the keys of all redactions begin with. */
    static Bytes allRedactions() {
        return new Builder(REDACTION).build();
    }

    private static Builder redactions(String topic, int partition, long offset, ByteBuffer payloadHash) {
        return new Builder(REDACTION)
                .text(topic)
                .number(partition)
                .number(offset)
                .hash(payloadHash);
    }

    /** One checkpoint in {@link ViewStores#CHECKPOINTS}; its value is the record's value in the checkpoint topic. */
    public static Bytes checkpoint(String namespace, String context, String id) {
        return new Builder(CHECKPOINT).text(namespace).text(context).text(id).build();
    }

    /** What the keys of the checkpoints of a context begin with. */
    public static Bytes checkpoints(String namespace, String context) {
        return new Builder(CHECKPOINT).text(namespace).text(context).build();
    }

    /** The checkpoint of that ordinal; its value is an {@link OrdinalEntry}. */
    public static Bytes ordinal(String namespace, String context, long ordinal) {
        return new Builder(ORDINAL)
                .text(namespace)
                .text(context)
                .number(ordinal)
                .build();
    }

    /** What the keys of the ordinals of a context begin with. */
    public static Bytes ordinals(String namespace, String context) {
        return new Builder(ORDINAL).text(namespace).text(context).build();
    }

    /** Present when the checkpoint was made from that parent. */
    public static Bytes child(String namespace, String context, String parent, String id) {
        return new Builder(CHILD)
                .text(namespace)
                .text(context)
                .text(parent)
                .text(id)
                .build();
    }

    /** What the keys of the children of a checkpoint begin with. */
    public static Bytes children(String namespace, String context, String parent) {
        return new Builder(CHILD).text(namespace).text(context).text(parent).build();
    }

    /** Present when no checkpoint was made from this one; its value is the id in UTF-8. */
    public static Bytes head(String namespace, String context, String id) {
        return new Builder(HEAD).text(namespace).text(context).text(id).build();
    }

    /** What the keys of the heads of a context begin with. */
    public static Bytes heads(String namespace, String context) {
        return new Builder(HEAD).text(namespace).text(context).build();
    }

    /**
     * One dead letter in {@link ViewStores#DEAD_LETTERS}: by stage in the order of the pipeline, by code, then by its
     * place in the dead-letter topic.
     */
    public static Bytes deadLetter(Stage stage, String code, int partition, long offset) {
        return new Builder(DEAD_LETTER)
                .number(order(stage))
                .text(code)
                .number(partition)
                .number(offset)
                .build();
    }

    /** What the keys of the dead letters of a stage begin with, of those of a stage and a code, or of all. */
    public static Bytes deadLetters(Optional<Stage> stage, Optional<String> code) {
        Builder builder = new Builder(DEAD_LETTER);
        if (stage.isPresent()) {
            builder.number(order(stage.get()));
            code.ifPresent(builder::text);
        }
        return builder.build();
    }

    /**
     * Present in {@link ViewStores#DEAD_LETTERS} when the input record at this place has a dead letter; its value is
     * the key of that, and empty in early builds.
     */
    public static Bytes deadSource(String topic, int partition, long offset) {
        return new Builder(DEAD_SOURCE)
                .text(topic)
                .number(partition)
                .number(offset)
                .build();
    }

    private static int order(Stage stage) {
        int order = Topics.DEAD_LETTER_STAGES.indexOf(stage);
        if (order < 0) {
            throw new IllegalArgumentException("stage " + stage + " has no dead letters");
        }
        return order;
    }

    /** Whether a key begins with a prefix. */
    public static boolean startsWith(Bytes key, Bytes prefix) {
        int length = prefix.get().length;
        return key.get().length >= length && Arrays.equals(key.get(), 0, length, prefix.get(), 0, length);
    }

    /**
     * The smallest key that is larger than every key with that prefix; null, which means no bound, when there is none.
     */
    public static Bytes after(Bytes prefix) {
        byte[] bytes = prefix.get();
        int last = bytes.length - 1;
        while (last >= 0 && bytes[last] == (byte) 0xFF) {
            last--;
        }
        if (last < 0) {
            return null;
        }
        byte[] next = Arrays.copyOf(bytes, last + 1);
        next[last]++;
        return Bytes.wrap(next);
    }

    /** The smallest key that is larger than this one. */
    public static Bytes next(Bytes key) {
        return Bytes.wrap(Arrays.copyOf(key.get(), key.get().length + 1));
    }

    /**
     * What {@link #ordinal} leads to. Time, topic, partition and offset are of the input record whose handling made the
     * checkpoint: its patch, or, when that had waited for its base, the patch that set it free.
     *
     * @param id id of the checkpoint
     * @param time milliseconds since the epoch; {@link Long#MIN_VALUE} for the root, which was always there
     * @param topic input topic; empty for the root
     * @param partition its partition; -1 for the root
     * @param offset its offset; -1 for the root
     */
    public record OrdinalEntry(String id, long time, String topic, int partition, long offset) {
        private static final int FIXED = 2 * Long.BYTES + 2 * Integer.BYTES;

        /** The entry of a checkpoint. */
        static OrdinalEntry of(Checkpoint node) {
            Source source = node.getReleasedBy() == null ? node.getSource() : node.getReleasedBy();
            return source == null
                    ? new OrdinalEntry(node.getId(), Long.MIN_VALUE, "", -1, -1)
                    : new OrdinalEntry(
                            node.getId(),
                            source.getTimestamp().toEpochMilli(),
                            source.getTopic(),
                            source.getPartition(),
                            source.getOffset());
        }

        /** Reads what {@link #toBytes} wrote. */
        public static OrdinalEntry of(byte[] bytes) {
            ByteBuffer fixed = ByteBuffer.wrap(bytes);
            long time = fixed.getLong();
            long offset = fixed.getLong();
            int partition = fixed.getInt();
            int topic = fixed.getInt();
            return new OrdinalEntry(
                    new String(bytes, FIXED + topic, bytes.length - FIXED - topic, StandardCharsets.UTF_8),
                    time,
                    new String(bytes, FIXED, topic, StandardCharsets.UTF_8),
                    partition,
                    offset);
        }

        byte[] toBytes() {
            byte[] name = id.getBytes(StandardCharsets.UTF_8);
            byte[] place = topic.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(FIXED + place.length + name.length)
                    .putLong(time)
                    .putLong(offset)
                    .putInt(partition)
                    .putInt(place.length)
                    .put(place)
                    .put(name)
                    .array();
        }
    }

    /**
     * What {@link #source} leads to.
     *
     * @param chain the chain
     * @param sequence the place in it
     */
    public record ChainPosition(String chain, long sequence) {

        /** Reads what {@link #toBytes} wrote. */
        public static ChainPosition of(byte[] bytes) {
            return new ChainPosition(
                    new String(bytes, Long.BYTES, bytes.length - Long.BYTES, StandardCharsets.UTF_8),
                    ByteBuffer.wrap(bytes).getLong());
        }

        /** What stands in the store. */
        public byte[] toBytes() {
            byte[] name = chain.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(Long.BYTES + name.length)
                    .putLong(sequence)
                    .put(name)
                    .array();
        }
    }

    /**
     * What {@link #beginning} leads to.
     *
     * @param first sequence from which on messages are kept
     * @param prunedAt when those before it were pruned, in milliseconds since the epoch and in record time;
     *     {@link #NEVER_HELD} when the view never had them, because the audit topic had lost them before it was built
     */
    public record ChainStart(long first, long prunedAt) {
        /** No time of a pruning. */
        public static final long NEVER_HELD = Long.MIN_VALUE;

        /** Reads what {@link #toBytes} wrote. */
        public static ChainStart of(byte[] bytes) {
            ByteBuffer fixed = ByteBuffer.wrap(bytes);
            return new ChainStart(fixed.getLong(), fixed.getLong());
        }

        /** What stands in the store. */
        public byte[] toBytes() {
            return ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(first)
                    .putLong(prunedAt)
                    .array();
        }
    }

    private static final class Builder {

        private final ByteArrayOutputStream out = new ByteArrayOutputStream(64);

        Builder(byte kind) {
            out.write(kind);
        }

        /** A zero byte inside is written 00 FF, the end 00 01: so "a" sorts before "a\0", and that before "ab". */
        Builder text(String text) {
            for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
                out.write(b);
                if (b == 0) {
                    out.write(0xFF);
                }
            }
            out.write(0);
            out.write(1);
            return this;
        }

        Builder number(long number) {
            for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
                out.write((int) (number >>> shift));
            }
            return this;
        }

        /** Bytes of a hash, as hexadecimal digits: hashes in a request may have any length. */
        Builder hash(ByteBuffer hash) {
            byte[] bytes = new byte[hash.remaining()];
            hash.duplicate().get(bytes);
            return text(HexFormat.of().formatHex(bytes));
        }

        Bytes build() {
            return Bytes.wrap(out.toByteArray());
        }
    }
}
