package dev.parley.topology.views.store;

import dev.parley.avro.ClaimedRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.topology.kafka.StoredValues;
import java.nio.ByteBuffer;

/** Values of the view stores. */
public final class ViewValues {

    public static final StoredValues<ConversationSummary> CONVERSATION = new StoredValues<>(ConversationSummary.class);

    public static final StoredValues<ClaimedRecord> CLAIM = new StoredValues<>(ClaimedRecord.class);

    public static final StoredValues<DeadLetterSummary> DEAD_LETTER = new StoredValues<>(DeadLetterSummary.class);

    private ViewValues() {}

    /** Encodes a number. */
    public static byte[] number(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    /** Decodes a number; 0 for null. */
    public static long number(byte[] value) {
        return value == null ? 0 : ByteBuffer.wrap(value).getLong();
    }
}
