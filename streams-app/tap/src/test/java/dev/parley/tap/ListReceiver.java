package dev.parley.tap;

import java.io.IOException;
import java.util.List;
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
