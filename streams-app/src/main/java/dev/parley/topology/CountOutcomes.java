package dev.parley.topology;

import dev.parley.avro.Accounting;
import dev.parley.avro.Source;
import dev.parley.pipeline.Judged;
import org.apache.kafka.streams.processor.api.Record;

/** Counts what became of each input: the right side of the accounting. */
final class CountOutcomes extends CountProcessor<String, Recorded> {

    CountOutcomes() {
        super(Stores.OUTCOMES);
    }

    @Override
    public void process(Record<String, Recorded> record) {
        Judged judged = record.value().judged();
        Source source = judged.inbound().getSource();
        Accounting counted = of(source.getTopic(), source.getPartition());
        switch (judged.parking()) {
            case PARKED -> counted.setParked(counted.getParked() + 1);
            case RELEASED -> counted.setParked(counted.getParked() - 1);
            case NONE -> {}
        }
        switch (judged.verdict()) {
            case ACCEPTED -> counted.setAccepted(counted.getAccepted() + 1);
            case REJECTED -> counted.setRejected(counted.getRejected() + 1);
            case FLAGGED -> counted.setFlagged(counted.getFlagged() + 1);
            case UNDECODABLE -> counted.setUndecodable(counted.getUndecodable() + 1);
            case UNSPECIFIED -> {}
        }
        keep(counted);
    }
}
