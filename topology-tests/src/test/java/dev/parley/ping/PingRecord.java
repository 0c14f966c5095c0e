package dev.parley.ping;

import java.util.Arrays;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * A record of the test protocol, as the Avro compiler would generate it from its schema, but with values by position.
 */
abstract class PingRecord extends SpecificRecordBase {
    private final Object[] values;

    PingRecord(Object... values) {
        this.values = Arrays.copyOf(values, getSchema().getFields().size());
    }

    static Schema schema(String json) {
        return new Schema.Parser().parse(json);
    }

    @Override
    public Object get(int field) {
        return values[field];
    }

    @Override
    public void put(int field, Object value) {
        values[field] = value instanceof CharSequence ? value.toString() : value;
    }
}
