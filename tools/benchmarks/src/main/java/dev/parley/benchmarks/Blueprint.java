package dev.parley.benchmarks;

import dev.parley.avro.CspField;
import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.avro.LambdaContext;
import dev.parley.avro.LambdaDefinition;
import dev.parley.avro.LambdaEntry;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaToken;
import dev.parley.avro.SlipMessage;
import dev.parley.avro.SubitEntry;
import dev.parley.avro.SubitMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/**
 * A plan to build one record from ready values: every record object, every string from its UTF-8 bytes, every list at
 * its exact size, and every boxed number. Empty lists and shared values (enum constants, small boxed numbers) are not
 * built. Building allocates nothing else, so a benchmark of it measures the cost of the record.
 */
sealed interface Blueprint {

    /** Builds the value. */
    Object build();

    /** Creates the plan of a copy of a record. */
    static Blueprint of(SpecificRecord value) {
        List<Schema.Field> fields = value.getSchema().getFields();
        Blueprint[] parts = new Blueprint[fields.size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = ofValue(value.get(i), fields.get(i).schema().getType() == Schema.Type.UNION);
        }
        Supplier<SpecificRecord> empty = RecordPlan.EMPTY.get(value.getClass());
        if (empty == null) {
            throw new IllegalArgumentException("no blueprint of " + value.getClass());
        }
        return new RecordPlan(empty, parts);
    }

    private static Blueprint ofValue(Object value, boolean nullable) {
        if (value instanceof SpecificRecord record) {
            return of(record);
        }
        if (value instanceof String text) {
            return new TextPlan(text.getBytes(StandardCharsets.UTF_8));
        }
        if (value instanceof Long number && nullable) {
            return new BoxPlan(number);
        }
        if (value instanceof List<?> list && !list.isEmpty()) {
            return new ListPlan(
                    list.stream().map(element -> ofValue(element, false)).toArray(Blueprint[]::new));
        }
        return new Shared(value);
    }

    record RecordPlan(Supplier<SpecificRecord> empty, Blueprint[] parts) implements Blueprint {
        private static final Map<Class<?>, Supplier<SpecificRecord>> EMPTY = Map.ofEntries(
                Map.entry(SlipMessage.class, SlipMessage::new),
                Map.entry(SubitMessage.class, SubitMessage::new),
                Map.entry(SubitEntry.class, SubitEntry::new),
                Map.entry(CspMessage.class, CspMessage::new),
                Map.entry(CspOperation.class, CspOperation::new),
                Map.entry(CspField.class, CspField::new),
                Map.entry(LambdaMessage.class, LambdaMessage::new),
                Map.entry(LambdaContext.class, LambdaContext::new),
                Map.entry(LambdaEntry.class, LambdaEntry::new),
                Map.entry(LambdaDefinition.class, LambdaDefinition::new),
                Map.entry(LambdaStatement.class, LambdaStatement::new),
                Map.entry(LambdaToken.class, LambdaToken::new));

        @Override
        public Object build() {
            SpecificRecord record = empty.get();
            for (int i = 0; i < parts.length; i++) {
                record.put(i, parts[i].build());
            }
            return record;
        }
    }

    record ListPlan(Blueprint[] elements) implements Blueprint {
        @Override
        public Object build() {
            List<Object> list = new ArrayList<>(elements.length);
            for (Blueprint element : elements) {
                list.add(element.build());
            }
            return list;
        }
    }

    record TextPlan(byte[] utf8) implements Blueprint {
        @Override
        public Object build() {
            return new String(utf8, StandardCharsets.UTF_8);
        }
    }

    record BoxPlan(long number) implements Blueprint {
        @Override
        public Object build() {
            return number;
        }
    }

    /** A shared value, which is not built. */
    record Shared(Object value) implements Blueprint {
        @Override
        public Object build() {
            return value;
        }
    }
}
