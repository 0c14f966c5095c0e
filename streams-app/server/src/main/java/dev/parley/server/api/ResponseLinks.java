package dev.parley.server.api;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.json.model.InputRecord;
import dev.parley.server.api.view.Paths;
import dev.parley.topology.topics.ChainNames;

/**
 * Paths of the API in responses.
 *
 * @param prefix path of the API for clients of a reverse proxy; empty if there is none
 */
record ResponseLinks(String prefix) {

    /** The conversation of a chain. */
    String conversation(ChainNames names) {
        return conversation(names.namespace(), names.protocol(), names.conversation());
    }

    String conversation(String namespace, Protocol protocol, String conversation) {
        return prefix + Paths.conversation(namespace, protocol.name(), conversation);
    }

    /** The conversation of a record, and its messages from this one on. */
    InputRecord.Links messages(AuditRecord record) {
        String conversation = conversation(ChainNames.of(record.getChain()));
        return new InputRecord.Links(
                conversation, conversation + "/messages?limit=1&bodies=true&from=" + record.getSequence());
    }

    /** The verdict on an input record. */
    String position(InputPosition position) {
        return prefix + "/v1/positions/" + Paths.segment(position.topic()) + '/' + position.partition() + '/'
                + position.offset();
    }
}
