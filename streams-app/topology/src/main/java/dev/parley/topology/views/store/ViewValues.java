package dev.parley.topology.views.store;

import dev.parley.avro.ClaimedRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.topology.kafka.StoredValues;

/** Values of the view stores. */
public final class ViewValues {

    public static final StoredValues<ConversationSummary> CONVERSATION = new StoredValues<>(ConversationSummary.class);

    public static final StoredValues<ClaimedRecord> CLAIM = new StoredValues<>(ClaimedRecord.class);

    public static final StoredValues<DeadLetterSummary> DEAD_LETTER = new StoredValues<>(DeadLetterSummary.class);

    private ViewValues() {}
}
