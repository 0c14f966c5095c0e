package dev.parley.ping;

import org.apache.avro.Schema;

/** A ping or pong of the test protocol. */
public final class PingMessage extends PingRecord {
    /** The schema of the test protocol's messages. */
    public static final Schema SCHEMA$ = schema("""
            {"type": "record", "name": "PingMessage", "namespace": "dev.parley.ping", "fields": [
              {"name": "conversation", "type": {"type": "string", "avro.java.string": "String"}},
              {"name": "sender", "type": {"type": "string", "avro.java.string": "String"}},
              {"name": "act", "type": {"type": "string", "avro.java.string": "String"}},
              {"name": "number", "type": "int"}
            ]}""");

    /** An empty message. */
    public PingMessage() {}

    PingMessage(String conversation, String sender, PingRules.Act act, int number) {
        super(conversation, sender, act.name(), number);
    }

    @Override
    public Schema getSchema() {
        return SCHEMA$;
    }

    String conversation() {
        return (String) get(0);
    }

    String sender() {
        return (String) get(1);
    }

    PingRules.Act act() {
        return PingRules.Act.valueOf((String) get(2));
    }

    int number() {
        return (Integer) get(3);
    }
}
