package dev.parley.benchmarks.load;

import dev.parley.avro.Source;

/** Input position of a record. */
record Place(String topic, int partition, long offset) {

    static Place of(Source source) {
        return new Place(source.getTopic(), source.getPartition(), source.getOffset());
    }

    /** The form in accounting. */
    String inputPartition() {
        return topic + "-" + partition;
    }

    @Override
    public String toString() {
        return inputPartition() + "@" + offset;
    }
}
