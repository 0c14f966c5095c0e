package dev.parley.topology.views.store;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.ClaimedRecord;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.encoding.ByteBuffers;
import dev.parley.protocol.TopicNames;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/**
 * Keys of the view stores. A key consists of the number of its kind and its parts. Keys sort by their parts: strings by
 * their UTF-8 bytes, numbers by value. The encoding is unambiguous for all strings: different parts give different
 * keys, and no part is a prefix of another.
 */
public final class ViewKeys {

    private static final byte CONVERSATION = 1;
    private static final byte MESSAGE = 2;
    private static final byte SOURCE = 3;
    private static final byte CHAIN_START = 4;
    private static final byte CHECKPOINT = 1;
    private static final byte ORDINAL = 2;
    private static final byte CHILD = 3;
    private static final byte HEAD = 4;
    private static final byte PARKED = 5;
    private static final byte PARKED_SINCE = 6;
    private static final byte DEAD_LETTER = 1;
    private static final byte DEAD_LETTER_SOURCE = 2;
    private static final byte DEAD_LETTER_TIME = 3;
    private static final byte REDACTION = 1;
    private static final byte STATISTIC = 1;
    private static final byte OPEN_ITEM = 2;
    private static final byte OPEN_ITEM_SINCE = 3;
    private static final byte REDACTED = 5;
    private static final byte BY_PROTOCOL = 6;
    private static final byte BY_VERDICT = 7;
    private static final byte BY_CODE = 8;
    private static final byte LOG_HEAD = 9;
    private static final byte LOG_TILE = 10;
    private static final byte SEARCHABLE = 11;
    // SearchKeys has 12 and 13.
    private static final byte BY_AGENT = 14;
    private static final byte LATEST = 15;
    /** After {@link #LATEST}: lists continue from conversations to claims. */
    private static final byte CLAIM = 16;

    private static final byte TOTAL = 17;
    private static final byte BY_ANY_VERDICT = 18;

    private ViewKeys() {}

    /** Key of the summary of a conversation in {@link ViewStores#AUDIT}. */
    public static Bytes conversation(String namespace, Protocol protocol, String conversation) {
        return new Builder(CONVERSATION)
                .text(namespace)
                .text(protocol.name())
                .text(conversation)
                .build();
    }

    /** Key prefix of the conversations: of all, of a namespace, or of a namespace and a protocol. */
    public static Bytes conversations(Optional<String> namespace, Optional<Protocol> protocol) {
        Builder builder = new Builder(CONVERSATION);
        if (namespace.isPresent()) {
            builder.text(namespace.get());
            protocol.ifPresent(p -> builder.text(p.name()));
        }
        return builder.build();
    }

    /**
     * Key prefix of the index of a protocol in {@link ViewStores#AUDIT}. An index has an {@link #indexEntry} for each
     * of its conversations.
     */
    public static Bytes byProtocol(Protocol protocol) {
        return new Builder(BY_PROTOCOL).text(protocol.name()).build();
    }

    /** Key prefix of the index of the conversations of a protocol that have a message with a verdict. */
    public static Bytes byVerdict(Verdict verdict, Protocol protocol) {
        return new Builder(BY_VERDICT)
                .text(verdict.name())
                .text(protocol.name())
                .build();
    }

    /**
     * Key prefix of the index of the conversations of a protocol that have a message with a code, whatever its verdict.
     */
    public static Bytes byCode(String code, Protocol protocol) {
        return new Builder(BY_ANY_VERDICT).text(code).text(protocol.name()).build();
    }

    /** Key prefix of the index of the conversations of a protocol that have a message with a code and verdict. */
    public static Bytes byCode(String code, Verdict verdict, Protocol protocol) {
        return new Builder(BY_CODE)
                .text(code)
                .text(verdict.name())
                .text(protocol.name())
                .build();
    }

    /** Key prefix of the index of the conversations with an accepted message from or to an agent. */
    public static Bytes byAgent(String agent) {
        return new Builder(BY_AGENT).text(agent).build();
    }

    /**
     * Key of an undecodable record under the conversation that it claims, in {@link ViewStores#AUDIT}, in the partition
     * of its chain. Its value is the claim.
     *
     * @param isPrivate whether only callers who see private messages may see the claim
     */
    public static Bytes claim(boolean isPrivate, ClaimedRecord claim) {
        String conversation = claim.getConversation();
        return claims(isPrivate, claim.getNamespace())
                .text(claim.getProtocol().name())
                .number(conversation == null ? 0 : 1)
                .text(conversation == null ? "" : conversation)
                .text(claim.getChain())
                .number(claim.getSequence())
                .build();
    }

    /** Key prefix of the claims to a namespace, or to a namespace and a protocol. */
    public static Bytes claims(boolean isPrivate, String namespace, Optional<Protocol> protocol) {
        Builder builder = claims(isPrivate, namespace);
        protocol.ifPresent(symbol -> builder.text(symbol.name()));
        return builder.build();
    }

    private static Builder claims(boolean isPrivate, String namespace) {
        return new Builder(CLAIM).number(isPrivate ? 1 : 0).text(namespace);
    }

    /** Returns whether a key is a {@link #claim}. */
    public static boolean isClaim(Bytes key) {
        return key.get().length > 0 && key.get()[0] == CLAIM;
    }

    /**
     * Key of the number of conversations in an index: in all namespaces, or in one. Its value is eight bytes.
     *
     * @param index key prefix of the index
     */
    public static Bytes total(Bytes index, Optional<String> namespace) {
        Builder builder = new Builder(indexEntry(Bytes.wrap(new byte[] {TOTAL, index.get()[0]}), index));
        namespace.ifPresent(builder::text);
        return builder.build();
    }

    /**
     * Key of a conversation in the index by time, the latest message first. Its value is the key of the conversation.
     *
     * @param conversation key of the conversation
     * @param last time of its latest message, in whole seconds
     */
    public static Bytes latest(Bytes conversation, Instant last) {
        Bytes second = new Builder(LATEST)
                .number(Long.MAX_VALUE - Math.max(0, last.getEpochSecond()))
                .build();
        return indexEntry(second, conversation);
    }

    /** Key prefix of the index of conversations by time. */
    public static Bytes latest() {
        return new Builder(LATEST).build();
    }

    /**
     * Key of a conversation in an index. The entries of an index sort as their conversations. An entry of an index with
     * a {@link #total} has the {@link IndexNumbers} as its value, others have none.
     *
     * @param index key prefix of the index
     * @param conversation key of the conversation, or a key prefix of conversations for the prefix of their entries
     */
    public static Bytes indexEntry(Bytes index, Bytes conversation) {
        byte[] entry = Arrays.copyOf(index.get(), index.get().length + conversation.get().length - 1);
        System.arraycopy(conversation.get(), 1, entry, index.get().length, conversation.get().length - 1);
        return Bytes.wrap(entry);
    }

    /** Returns the key of the conversation of an {@link #indexEntry}. */
    public static Bytes indexedConversation(Bytes index, Bytes entry) {
        int length = entry.get().length - index.get().length;
        byte[] conversation = new byte[1 + length];
        conversation[0] = CONVERSATION;
        System.arraycopy(entry.get(), index.get().length, conversation, 1, length);
        return Bytes.wrap(conversation);
    }

    /**
     * A position in a list of conversations whose items may be split.
     *
     * @param conversation key of a conversation
     * @param entry the last entry of the conversation before the position; empty if it is after all of them
     */
    public record ConversationPart(Bytes conversation, Optional<String> entry) {
        private static final int NAMES = 3;

        /** Reads what {@link #toKey} wrote; empty for another key. */
        public static Optional<ConversationPart> of(Bytes key) {
            byte[] bytes = key.get();
            int end = 1;
            for (int name = 0; name < NAMES && end > 0; name++) {
                end = endOfText(bytes, end);
            }
            if (end <= 0 || bytes[0] != CONVERSATION) {
                return Optional.empty();
            }
            Bytes conversation = Bytes.wrap(Arrays.copyOf(bytes, end));
            if (end == bytes.length) {
                return Optional.of(new ConversationPart(conversation, Optional.empty()));
            }
            return endOfText(bytes, end) == bytes.length
                    ? Optional.of(new ConversationPart(conversation, Optional.of(text(bytes, end, bytes.length - 2))))
                    : Optional.empty();
        }

        /** The position as a key. It sorts after the conversation, and before the next one. */
        public Bytes toKey() {
            Builder builder = new Builder(conversation);
            entry.ifPresent(builder::text);
            return builder.build();
        }

        /** The position as the key after which a list of whole conversations continues. */
        public Bytes after() {
            byte[] bytes = conversation.get().clone();
            if (entry.isPresent()) {
                // Sorts directly before the conversation, because a text ends with 00 01.
                bytes[bytes.length - 1] = 0;
            }
            return Bytes.wrap(bytes);
        }

        /** Returns the end of the text that starts at an index; -1 if there is none. */
        private static int endOfText(byte[] bytes, int start) {
            for (int i = start; i + 1 < bytes.length; i++) {
                if (bytes[i] == 0) {
                    if (bytes[i + 1] == 1) {
                        return i + 2;
                    }
                    i++;
                }
            }
            return -1;
        }

        private static String text(byte[] bytes, int start, int end) {
            byte[] utf8 = new byte[end - start];
            int size = 0;
            for (int i = start; i < end; i++) {
                utf8[size++] = bytes[i];
                i += bytes[i] == 0 ? 1 : 0;
            }
            return new String(utf8, 0, size, StandardCharsets.UTF_8);
        }
    }

    /** Key of an audit record in {@link ViewStores#AUDIT}. Its value is the record's value in the audit topic. */
    public static Bytes message(String chain, long sequence) {
        return new Builder(MESSAGE).text(chain).number(sequence).build();
    }

    /** Key prefix of all audit records. */
    public static Bytes messages() {
        return new Builder(MESSAGE).build();
    }

    /**
     * Key of the {@link ChainStart} in {@link ViewStores#AUDIT}; present if the first messages of a chain are missing.
     */
    public static Bytes chainStart(String chain) {
        return new Builder(CHAIN_START).text(chain).build();
    }

    /** Key of the last published head of a log in {@link ViewStores#LOG}. Its value is that of the head topic. */
    public static Bytes logHead(int partition) {
        return new Builder(LOG_HEAD).number(partition).build();
    }

    /** Key prefix of the heads in {@link ViewStores#LOG}. */
    public static Bytes logHeads() {
        return new Builder(LOG_HEAD).build();
    }

    /** Key of a tile of a log in {@link ViewStores#LOG}. Its value is that of the tile topic. */
    public static Bytes logTile(int partition, int level, long index) {
        return new Builder(LOG_TILE)
                .number(partition)
                .number(level)
                .number(index)
                .build();
    }

    /** Key in {@link ViewStores#AUDIT} that is present if the search index has all messages. Its value is a version. */
    public static Bytes searchable() {
        return new Builder(SEARCHABLE).build();
    }

    /**
     * Key of the {@link ChainPosition} of an input record in {@link ViewStores#AUDIT}, in the partition of its chain.
     */
    public static Bytes source(InputPosition position) {
        return new Builder(SOURCE).position(position).build();
    }

    /**
     * Key of the recorded redaction of a record in {@link ViewStores#AUDIT}. Its value is the sequence of the first
     * one, as eight bytes.
     */
    public static Bytes redacted(String chain, long sequence) {
        return new Builder(REDACTED).text(chain).number(sequence).build();
    }

    /**
     * Key of a redaction request in {@link ViewStores#REDACTIONS}: all that it names. Its value is the value of the
     * first such record in the redaction topic.
     */
    public static Bytes redaction(InputPosition position, ByteBuffer recordHash, String chain, long sequence) {
        return new Builder(REDACTION)
                .position(position)
                .hash(recordHash)
                .text(chain)
                .number(sequence)
                .build();
    }

    /** Key prefix of the redaction requests for an input position and a record hash. */
    public static Bytes redactionsOf(InputPosition position, ByteBuffer recordHash) {
        return new Builder(REDACTION).position(position).hash(recordHash).build();
    }

    /** Key prefix of the redaction requests for an input position. */
    public static Bytes redactionsAt(InputPosition position) {
        return new Builder(REDACTION).position(position).build();
    }

    /** Key prefix of all redaction requests. */
    public static Bytes allRedactions() {
        return new Builder(REDACTION).build();
    }

    /**
     * Key of a checkpoint in {@link ViewStores#CHECKPOINTS}. Its value is the record's value in the checkpoint topic.
     */
    public static Bytes checkpoint(String namespace, String context, String id) {
        return new Builder(CHECKPOINT).text(namespace).text(context).text(id).build();
    }

    /** Key of the {@link OrdinalEntry} of an ordinal. */
    public static Bytes ordinal(String namespace, String context, long ordinal) {
        return new Builder(ORDINAL)
                .text(namespace)
                .text(context)
                .number(ordinal)
                .build();
    }

    /** Key prefix of the ordinals of a context. */
    public static Bytes ordinals(String namespace, String context) {
        return new Builder(ORDINAL).text(namespace).text(context).build();
    }

    /** Key of the edge from a checkpoint to a child, without a value. */
    public static Bytes child(String namespace, String context, String parent, String id) {
        return new Builder(CHILD)
                .text(namespace)
                .text(context)
                .text(parent)
                .text(id)
                .build();
    }

    /** Key prefix of the children of a checkpoint. */
    public static Bytes children(String namespace, String context, String parent) {
        return new Builder(CHILD).text(namespace).text(context).text(parent).build();
    }

    /** Key of a branch head. Its value is the ID in UTF-8. */
    public static Bytes head(String namespace, String context, String id) {
        return new Builder(HEAD).text(namespace).text(context).text(id).build();
    }

    /** Key prefix of the branch heads of a context. */
    public static Bytes heads(String namespace, String context) {
        return new Builder(HEAD).text(namespace).text(context).build();
    }

    /**
     * Key of a parked patch in {@link ViewStores#CHECKPOINTS}, in the partition of its chain. Its value is that of its
     * topic.
     *
     * @param position its input position, as in the key of its row
     */
    public static Bytes parked(String position) {
        return new Builder(PARKED).text(position).build();
    }

    /**
     * Key of a parked patch in the index by time. Its value is the key of the patch.
     *
     * @param since time since which it waits, in milliseconds since the epoch
     */
    public static Bytes parkedSince(long since, String position) {
        return new Builder(PARKED_SINCE)
                .number(Math.max(0, since))
                .text(position)
                .build();
    }

    /** Key prefix of the index of parked patches by time. */
    public static Bytes parkedByTime() {
        return new Builder(PARKED_SINCE).build();
    }

    /**
     * Key of a row in {@link ViewStores#STATISTICS}. Its value is that of its topic.
     *
     * @param start start of its window, in milliseconds since the epoch
     * @param row key of the row in its topic
     */
    public static Bytes statistic(Statistic statistic, long start, String row, boolean late) {
        return new Builder(STATISTIC)
                .number(statistic.ordinal())
                .number(start)
                .text(row)
                .number(late ? 1 : 0)
                .build();
    }

    /** Key prefix of the rows of a window of {@link ViewStores#STATISTICS}. */
    public static Bytes statistics(Statistic statistic, long start) {
        return new Builder(STATISTIC)
                .number(statistic.ordinal())
                .number(Math.max(0, start))
                .build();
    }

    /**
     * Key of an open item in {@link ViewStores#STATISTICS}. Keys sort by time. Its value is that of its topic.
     *
     * @param since time since which it is open, in milliseconds since the epoch
     * @param row key of the row in its topic
     */
    public static Bytes openItem(long since, String row) {
        return new Builder(OPEN_ITEM).number(Math.max(0, since)).text(row).build();
    }

    /** Key prefix of all open items. */
    public static Bytes openItems() {
        return new Builder(OPEN_ITEM).build();
    }

    /** Key of the time since which an item is open, as eight bytes. */
    public static Bytes openItemSince(String row) {
        return new Builder(OPEN_ITEM_SINCE).text(row).build();
    }

    /**
     * Key of a dead letter in {@link ViewStores#DEAD_LETTERS}. Keys sort by stage in the order of the pipeline, by
     * code, and by position in the dead-letter topic.
     */
    public static Bytes deadLetter(Stage stage, String code, int partition, long offset) {
        return new Builder(DEAD_LETTER)
                .number(order(stage))
                .text(code)
                .number(partition)
                .number(offset)
                .build();
    }

    /** Key prefix of the dead letters: of all, of a stage, or of a stage and a code. */
    public static Bytes deadLetters(Optional<Stage> stage, Optional<String> code) {
        Builder builder = new Builder(DEAD_LETTER);
        if (stage.isPresent()) {
            builder.number(order(stage.get()));
            code.ifPresent(builder::text);
        }
        return builder.build();
    }

    /**
     * Key of an input position with a dead letter in {@link ViewStores#DEAD_LETTERS}. Its value is the dead letter's
     * key.
     */
    public static Bytes deadLetterSource(InputPosition position) {
        return new Builder(DEAD_LETTER_SOURCE).position(position).build();
    }

    /**
     * Key of a dead letter in the index by time, the latest first, in {@link ViewStores#DEAD_LETTERS}. Its value is the
     * dead letter's key.
     */
    public static Bytes deadLetterTime(DeadLetterSummary summary) {
        return time(summary.getTimestamp())
                .number(order(summary.getStage()))
                .number(summary.getPartition())
                .number(summary.getOffset())
                .build();
    }

    /** Key prefix of the index of dead letters by time. */
    public static Bytes deadLettersByTime() {
        return new Builder(DEAD_LETTER_TIME).build();
    }

    /** Key before those of dead letters at this time or earlier, in the index by time. */
    public static Bytes deadLettersAt(Instant time) {
        return time(time).build();
    }

    private static Builder time(Instant time) {
        return new Builder(DEAD_LETTER_TIME).number(Long.MAX_VALUE - Math.max(0, time.toEpochMilli()));
    }

    private static int order(Stage stage) {
        int order = TopicNames.DEAD_LETTER_STAGES.indexOf(stage);
        if (order < 0) {
            throw new IllegalArgumentException("Stage " + stage + " has no dead letters");
        }
        return order;
    }

    public static boolean startsWith(Bytes key, Bytes prefix) {
        int length = prefix.get().length;
        return key.get().length >= length && Arrays.equals(key.get(), 0, length, prefix.get(), 0, length);
    }

    /** Returns the smallest key after all keys with a prefix; null if there is none, which means no bound. */
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

    /** Returns the smallest key after this one. */
    public static Bytes next(Bytes key) {
        return Bytes.wrap(Arrays.copyOf(key.get(), key.get().length + 1));
    }

    /**
     * Value of {@link #ordinal}. Time, topic, partition and offset belong to the input record that created the
     * checkpoint: its patch, or the patch that released it.
     *
     * @param id ID of the checkpoint
     * @param time milliseconds since the epoch; {@link Long#MIN_VALUE} for the root
     * @param topic input topic; empty for the root
     * @param partition partition of the topic; -1 for the root
     * @param offset offset in the partition; -1 for the root
     */
    public record OrdinalEntry(String id, long time, String topic, int partition, long offset) {
        private static final int FIXED = 2 * Long.BYTES + 2 * Integer.BYTES;

        public static OrdinalEntry of(Checkpoint node) {
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

        public byte[] toBytes() {
            byte[] name = id.getBytes(StandardCharsets.UTF_8);
            byte[] topicName = topic.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(FIXED + topicName.length + name.length)
                    .putLong(time)
                    .putLong(offset)
                    .putInt(partition)
                    .putInt(topicName.length)
                    .put(topicName)
                    .put(name)
                    .array();
        }
    }

    /**
     * Value of an {@link #indexEntry}: how many conversations its index had with it. A count that has lost a change in
     * a crash is found again from the numbers of its entries.
     *
     * @param all number in all namespaces
     * @param own number in the namespace of the conversation
     */
    public record IndexNumbers(long all, long own) {

        /** Reads what {@link #toBytes} wrote. */
        public static IndexNumbers of(byte[] bytes) {
            ByteBuffer fixed = ByteBuffer.wrap(bytes);
            return new IndexNumbers(fixed.getLong(), fixed.getLong());
        }

        public byte[] toBytes() {
            return ByteBuffer.allocate(2 * Long.BYTES).putLong(all).putLong(own).array();
        }
    }

    /** Value of {@link #source}: the sequence of a record in its chain. */
    public record ChainPosition(String chain, long sequence) {

        /** Reads what {@link #toBytes} wrote. */
        public static ChainPosition of(byte[] bytes) {
            return new ChainPosition(
                    new String(bytes, Long.BYTES, bytes.length - Long.BYTES, StandardCharsets.UTF_8),
                    ByteBuffer.wrap(bytes).getLong());
        }

        public byte[] toBytes() {
            byte[] name = chain.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(Long.BYTES + name.length)
                    .putLong(sequence)
                    .put(name)
                    .array();
        }
    }

    /**
     * Value of {@link #chainStart}.
     *
     * @param first sequence of the first available message
     * @param prunedAt record time of the pruning of earlier messages, in milliseconds since the epoch; {@link
     *     #NEVER_HELD} if the audit topic had lost them before the view was built
     */
    public record ChainStart(long first, long prunedAt) {
        public static final long NEVER_HELD = Long.MIN_VALUE;

        /** Reads what {@link #toBytes} wrote. */
        public static ChainStart of(byte[] bytes) {
            ByteBuffer fixed = ByteBuffer.wrap(bytes);
            return new ChainStart(fixed.getLong(), fixed.getLong());
        }

        public byte[] toBytes() {
            return ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(first)
                    .putLong(prunedAt)
                    .array();
        }
    }

    private static final class Builder {
        private static final int INITIAL_BYTES = 96;

        private byte[] bytes = new byte[INITIAL_BYTES];
        private int size = 1;

        Builder(byte kind) {
            bytes[0] = kind;
        }

        /** Continues a key. */
        Builder(Bytes key) {
            bytes = key.get().clone();
            size = bytes.length;
        }

        /** Writes a zero byte as 00 FF and the end as 00 01, so that "a" sorts before "a\0", and that before "ab". */
        Builder text(String text) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            reserve(2 * utf8.length + 2);
            for (byte b : utf8) {
                bytes[size++] = b;
                if (b == 0) {
                    bytes[size++] = (byte) 0xFF;
                }
            }
            bytes[size++] = 0;
            bytes[size++] = 1;
            return this;
        }

        Builder number(long number) {
            reserve(Long.BYTES);
            for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
                bytes[size++] = (byte) (number >>> shift);
            }
            return this;
        }

        Builder position(InputPosition position) {
            return text(position.topic()).number(position.partition()).number(position.offset());
        }

        /** Writes a hash in hexadecimal as a string, because hashes in requests may have any length. */
        Builder hash(ByteBuffer hash) {
            return text(HexFormat.of().formatHex(ByteBuffers.of(hash)));
        }

        private void reserve(int more) {
            if (more > bytes.length - size) {
                bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
            }
        }

        Bytes build() {
            return Bytes.wrap(Arrays.copyOf(bytes, size));
        }
    }
}
