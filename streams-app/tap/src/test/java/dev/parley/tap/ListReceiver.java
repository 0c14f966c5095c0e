package dev.parley.tap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps records in memory. */
final class ListReceiver implements Receiver {
    final List<Captured> records = new CopyOnWriteArrayList<>();
    final List<String> names = new CopyOnWriteArrayList<>();
    volatile boolean isAway;

    @Override
    public List<Captured> deliver(Batch batch) throws IOException {
        if (isAway) {
            throw new IOException("away");
        }
        names.add(batch.name());
        records.addAll(batch.records());
        return List.of();
    }

    /** An outbox that delivers to it. */
    Outbox outbox(Path state) throws IOException {
        SessionFile file = SessionFile.create(state, "tap-test");
        return new Outbox(() -> this, Map.of("parley-protocol", "mcp"), Map.of(), file, 64 << 20, false);
    }

    /** A line for each record: direction, mark and value. */
    List<String> lines() {
        return records.stream()
                .map(record -> (record.headers().get("parley-direction").startsWith("c") ? ">" : "<")
                        + record.headers().getOrDefault("parley-capture", "")
                        + (record.value() == null ? "" : " " + new String(record.value())))
                .toList();
    }

    @Override
    public void close() {}
}
