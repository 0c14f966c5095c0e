package dev.parley.benchmarks.load;

import dev.parley.avro.Source;

/** Where an input record stands. */
record Place(String topic, int partition, long offset) {

    static Place of(Source source) {
        return new Place(source.getTopic(), source.getPartition(), source.getOffset());
    }

    /** As accounting names it. */
    String inputPartition() {
        return topic + "-" + partition;
    }

    @Override
    public String toString() {
        return inputPartition() + "@" + offset;
    }
}
