package dev.parley.server.ingest;

import dev.parley.codec.RecordHeaders;
import dev.parley.decode.CloudEvent;
import java.util.Set;
import java.util.TreeSet;

/** The headers of a request that HTTP ingest reads, for tests of the documentation. */
public final class RequestHeaders {

    private RequestHeaders() {}

    public static Set<String> names() {
        Set<String> names = new TreeSet<>(CloudEvent.HEADERS.keySet());
        names.remove(RecordHeaders.TIME);
        names.add(WireHandler.IDEMPOTENCY_KEY);
        return names;
    }
}
