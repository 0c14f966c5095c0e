package dev.parley.topology.pipeline;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedItem;
import dev.parley.stage.JudgedRecord;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Lists the parked patches: a row when a patch is parked, and a tombstone when it is judged finally. Rows are in the
 * transaction of the parking lot. Any other record passes without work.
 */
final class ParkingProcessor extends ContextualProcessor<String, JudgedRecord, String, ParkedItem> {

    @Override
    public void process(Record<String, JudgedRecord> record) {
        JudgedRecord judged = record.value();
        if (judged.isParked()) {
            forward(judged.chain(), judged.inbound(), item(judged.inbound(), judged.message()), record.timestamp());
        } else if (judged.released()) {
            // The patch may have another chain now, for example if other settings make it undecodable.
            forward(judged.parkedIn(), judged.inbound(), null, record.timestamp());
        }
    }

    /** Forwards a row without the headers of the input record, which are content. */
    private void forward(String chain, Inbound inbound, ParkedItem item, long timestamp) {
        context().forward(new Record<>(chain + '|' + InputPosition.of(inbound.getSource()), item, timestamp));
    }

    private static ParkedItem item(Inbound inbound, AgentMessage message) {
        return new ParkedItem(
                message.getNamespace(),
                message.getConversation(),
                message.getCsp().getId(),
                message.getCsp().getBase(),
                message.getCsp().getTarget(),
                message.getSender(),
                inbound.getSource());
    }

    /** Returns the chain in the key of a row. An input position has no bar. */
    static String chainOf(String key) {
        return key.substring(0, key.lastIndexOf('|'));
    }
}
