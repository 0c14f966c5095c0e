package dev.parley.topology.analytics;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.CspOperation;
import dev.parley.avro.DefinitionChangeCount;
import java.time.Instant;
import java.util.List;

/**
 * The dimensions of a count of changes of a definition. Its counts are all changes, and those that added, replaced and
 * removed it.
 *
 * @param isOther whether they count changes beyond the maximum number of rows
 */
record DefinitionDimensions(String namespace, String context, String definition, boolean isOther)
        implements Dimensions {

    /** Maximum operations of one patch that have rows of their own. */
    static final int MAX_OPERATIONS = 1_000;

    private static final String TRUE = "1";

    /** Counts the operations of a patch that was applied. */
    static void count(AuditRecord audit, CountSink sink) {
        AgentMessage message = audit.getMessage();
        if (message == null || !PatchDimensions.isApplied(audit)) {
            return;
        }
        List<CspOperation> operations = message.getCsp().getOperations();
        for (int i = 0; i < Math.min(operations.size(), MAX_OPERATIONS); i++) {
            sink.add(of(message, operations.get(i).getName()), counts(operations.subList(i, i + 1)));
        }
        if (operations.size() > MAX_OPERATIONS) {
            sink.add(of(message, OTHER).other(), counts(operations.subList(MAX_OPERATIONS, operations.size())));
        }
    }

    private static long[] counts(List<CspOperation> operations) {
        long[] counts = {operations.size(), 0, 0, 0};
        for (CspOperation operation : operations) {
            switch (operation.getOperator()) {
                case ADD -> counts[1]++;
                case CHANGE -> counts[2]++;
                case REMOVE -> counts[3]++;
                case UNKNOWN -> {
                    // Counted as a change only.
                }
            }
        }
        return counts;
    }

    private static DefinitionDimensions of(AgentMessage message, String definition) {
        return new DefinitionDimensions(message.getNamespace(), message.getConversation(), definition, false);
    }

    @Override
    public String toKey() {
        return KeyFields.join(CountKind.DEFINITION.prefix(), isOther ? TRUE : null, namespace, context, definition);
    }

    static DefinitionDimensions of(String key) {
        KeyFields fields = new KeyFields(key, CountKind.DEFINITION.prefix());
        boolean isOther = fields.next() != null;
        String namespace = fields.next();
        String context = fields.next();
        return new DefinitionDimensions(namespace, context, fields.next(), isOther);
    }

    @Override
    public DefinitionDimensions other() {
        return new DefinitionDimensions(OTHER, OTHER, OTHER, true);
    }

    @Override
    public DefinitionChangeCount row(Instant start, long[] counts, boolean late) {
        return DefinitionChangeCount.newBuilder()
                .setWindowStart(start)
                .setWindowEnd(start.plus(TrafficTopology.WINDOW))
                .setNamespace(namespace)
                .setContext(context)
                .setDefinition(definition)
                .setChanges(counts[0])
                .setAdded(counts[1])
                .setReplaced(counts[2])
                .setRemoved(counts[3])
                .setLate(late)
                .setOther(isOther)
                .build();
    }
}
