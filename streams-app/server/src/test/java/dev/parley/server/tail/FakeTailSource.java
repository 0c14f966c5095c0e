package dev.parley.server.tail;

import dev.parley.avro.AuditRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;

/** An audit topic of one partition in memory. */
public final class FakeTailSource implements TailSource {

    private static final Uuid TOPIC = new Uuid(0, 1);

    private final List<AuditRecord> records = new ArrayList<>();
    /** Cursors that are open. */
    public int open;

    public boolean expired;

    public synchronized void add(AuditRecord record) {
        records.add(record);
        notifyAll();
    }

    @Override
    public synchronized Cursor open(Optional<TailPosition> after) {
        if (after.isPresent() && !after.get().topicId().equals(TOPIC)) {
            throw TailHandler.invalid("The position belongs to another audit topic.");
        }
        open++;
        return new FakeCursor(
                after.map(position -> position.offsets().get(0).intValue()).orElse(records.size()));
    }

    private final class FakeCursor implements Cursor {
        private int next;

        FakeCursor(int next) {
            this.next = next;
        }

        @Override
        public List<Event> poll(Duration timeout, TailFilter filter) {
            synchronized (FakeTailSource.this) {
                if (expired) {
                    throw new TailEndException(TailReader.End.EXPIRED, "expired");
                }
                if (next == records.size()) {
                    try {
                        FakeTailSource.this.wait(timeout.toMillis());
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
                List<Event> events = new ArrayList<>();
                while (next < records.size()) {
                    AuditRecord record = records.get(next++);
                    if (filter.matches(record)) {
                        events.add(new Event(record, position()));
                    }
                }
                return events;
            }
        }

        @Override
        public TailPosition position() {
            return new TailPosition(TOPIC, List.of((long) next));
        }

        @Override
        public void close() {
            synchronized (FakeTailSource.this) {
                open--;
                FakeTailSource.this.notifyAll();
            }
        }
    }
}
