package dev.parley.ping;

import org.apache.avro.Schema;

/** Dialogue state of the test protocol: whether a ping awaits its pong, and whose it is. */
public final class PingDialogue extends PingRecord {
    /** The schema of the test protocol's dialogue state. */
    public static final Schema SCHEMA$ = schema("""
            {"type": "record", "name": "PingDialogue", "namespace": "dev.parley.ping", "fields": [
              {"name": "state", "type": {"type": "string", "avro.java.string": "String"}},
              {"name": "sender", "type": {"type": "string", "avro.java.string": "String"}}
            ]}""");

    /** An empty state. */
    public PingDialogue() {}

    PingDialogue(PingRules.State state, String sender) {
        super(state.name(), sender);
    }

    @Override
    public Schema getSchema() {
        return SCHEMA$;
    }

    PingRules.State state() {
        return PingRules.State.valueOf((String) get(0));
    }

    String sender() {
        return (String) get(1);
    }
}
