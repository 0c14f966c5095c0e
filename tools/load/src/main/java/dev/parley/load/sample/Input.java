package dev.parley.load.sample;

import org.apache.kafka.clients.producer.ProducerRecord;

/** Endless input of a measurement. The number of a record determines the record, so that runs have the same input. */
@FunctionalInterface
public interface Input {
    /**
     * Returns a record.
     *
     * @param number number of the record, from 0; a conversation is in order if its records are
     */
    ProducerRecord<byte[], byte[]> at(long number);

    /** Returns the input topic of all its records. */
    default String topic() {
        return at(0).topic();
    }
}
