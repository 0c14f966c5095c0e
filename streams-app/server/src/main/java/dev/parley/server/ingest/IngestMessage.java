package dev.parley.server.ingest;

import java.util.Map;
import java.util.Optional;

/**
 * A message to send to the input.
 *
 * @param value its bytes; not changed; null for a record of a capture without a body
 * @param headers headers of its record, by name
 * @param key idempotency key; empty for a message that enters each time
 */
public record IngestMessage(byte[] value, Map<String, String> headers, Optional<IdempotencyKey> key)
        implements WireItem {

    public IngestMessage {
        headers = Map.copyOf(headers);
    }
}
