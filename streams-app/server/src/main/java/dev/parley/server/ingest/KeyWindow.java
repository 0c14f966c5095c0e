package dev.parley.server.ingest;

import dev.parley.audit.InputPosition;
import dev.parley.codec.RecordHeaders;
import dev.parley.encoding.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The idempotency keys of one partition of the key topic that are in the window, in memory. It has only hashes of keys,
 * callers and messages. Not thread-safe.
 */
final class KeyWindow {

    /** A value of the key topic: version, caller, content and position. */
    private static final Pattern VALUE = Pattern.compile("1 ([0-9a-f]{16}) ([0-9a-f]{32}) (.+)");

    private static final HexFormat HEX = HexFormat.of();
    /** Headers that are part of a message; a repeat may differ in its trace context and time. */
    private static final List<String> CONTENT_HEADERS = List.of(
            RecordHeaders.NAMESPACE,
            RecordHeaders.PROTOCOL,
            RecordHeaders.CONVERSATION,
            RecordHeaders.SENDER,
            RecordHeaders.EXPECT);

    private final long windowMs;
    private final Map<Hash, Entry> entries = new LinkedHashMap<>();
    /** Keys of the entries and reserved keys. */
    private final FairShares<Hash> keys;

    /** The callers of keys that are being written. */
    private final Map<Hash, Long> reserved = new HashMap<>();
    /** When the displaced keys of callers would have expired. */
    private final Map<Long, Long> refusedUntil = new HashMap<>();

    /** The first 128 bits of a SHA-256. */
    record Hash(long high, long low) {

        /** A record key of the key topic; empty for any other bytes. */
        static Optional<Hash> of(byte[] bytes) {
            return bytes == null || bytes.length != 2 * Long.BYTES
                    ? Optional.empty()
                    : Optional.of(of(ByteBuffer.wrap(bytes)));
        }

        private static Hash of(ByteBuffer bytes) {
            return new Hash(bytes.getLong(), bytes.getLong());
        }

        byte[] bytes() {
            return ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(high)
                    .putLong(low)
                    .array();
        }

        @Override
        public String toString() {
            return HEX.formatHex(bytes());
        }
    }

    /**
     * A message that is in the input.
     *
     * @param caller hash of the caller's name
     * @param content hash of the message
     * @param time milliseconds since 1970 when it was written, by the clock of the writing instance
     */
    record Entry(long caller, Hash content, InputPosition position, long time) {

        /** A value of the key topic: version, caller, content and position. */
        byte[] value() {
            return ("1 " + HEX.toHexDigits(caller) + ' ' + content + ' ' + position).getBytes(StandardCharsets.UTF_8);
        }

        /** Reads such a value; empty for any other bytes. */
        static Optional<Entry> of(byte[] value, long time) {
            Matcher parts = VALUE.matcher(value == null ? "" : new String(value, StandardCharsets.UTF_8));
            return parts.matches()
                    ? InputPosition.parse(parts.group(3))
                            .map(position -> new Entry(
                                    HexFormat.fromHexDigitsToLong(parts.group(1)),
                                    Hash.of(ByteBuffer.wrap(HEX.parseHex(parts.group(2)))),
                                    position,
                                    time))
                    : Optional.empty();
        }
    }

    KeyWindow(long windowMs, int maxKeys) {
        this.windowMs = windowMs;
        this.keys = new FairShares<>(maxKeys);
    }

    static long caller(String name) {
        return hash(name, new byte[0]).high();
    }

    static Hash key(String caller, IdempotencyKey key) {
        StringBuilder parts = new StringBuilder();
        append(parts, caller);
        key.parts().forEach(part -> append(parts, part));
        return hash(parts.toString(), new byte[0]);
    }

    static Hash content(IngestMessage message) {
        StringBuilder headers = new StringBuilder();
        for (String name : CONTENT_HEADERS) {
            append(headers, message.headers().getOrDefault(name, ""));
        }
        append(headers, message.value() == null ? "none" : "");
        return hash(headers.toString(), message.value() == null ? new byte[0] : message.value());
    }

    /** Appends a part after its length, so that no other parts result in the same text. */
    private static void append(StringBuilder text, String part) {
        text.append(part.length()).append(':').append(part);
    }

    /** The first bits of the hash of a text, and of other bytes after it. */
    private static Hash hash(String text, byte[] more) {
        MessageDigest digest = Sha256.digest();
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        return Hash.of(ByteBuffer.wrap(digest.digest(more)));
    }

    /** The message of a key, if it is in the window. */
    Optional<Entry> find(Hash key, long now) {
        return Optional.ofNullable(entries.get(key)).filter(entry -> !isExpired(entry, now));
    }

    /**
     * Reserves room for a new key of a caller until it is added or released. In a full window, a caller with fewer keys
     * displaces the oldest one of the caller with the most. A message with a displaced key could enter again: until
     * that key would have expired, its caller gets no room for other keys.
     */
    boolean reserve(long caller, Hash key, long now) {
        if (now < refusedUntil.getOrDefault(caller, Long.MIN_VALUE)
                || keys.isFull() && !(keys.mayDisplace(caller) && displace())) {
            return false;
        }
        keys.add(caller, key);
        reserved.put(key, caller);
        return true;
    }

    /** Gives back reserved room that was not used, because a transaction failed. */
    void release() {
        List.copyOf(reserved.keySet()).forEach(this::release);
    }

    private void release(Hash key) {
        Long caller = reserved.remove(key);
        if (caller != null) {
            keys.removeNew(caller, key);
        }
    }

    /**
     * Adds a key; if it is already in the window, its first message stays. A full window displaces the oldest key of
     * the caller with the most.
     */
    void add(Hash key, Entry entry) {
        Entry before = entries.get(key);
        if (before != null) {
            if (!isExpired(before, entry.time())) {
                return;
            }
            entries.remove(key);
            forget(before.caller(), key);
        }
        if (!reserved.remove(key, entry.caller())) {
            // Only another client writes a key of another caller.
            release(key);
            if (keys.isFull()) {
                displace();
            }
            keys.add(entry.caller(), key);
        }
        entries.put(key, entry);
    }

    /** Displaces the oldest key of the caller with the most, unless it has only one or that key is being written. */
    private boolean displace() {
        FairShares.Share<Hash> largest = keys.largest();
        Hash key = largest.items().getFirst();
        if (largest.items().size() == 1 || reserved.containsKey(key)) {
            return false;
        }
        refusedUntil.merge(largest.caller(), entries.remove(key).time() + windowMs, Math::max);
        keys.removeOld(largest.caller(), key);
        return true;
    }

    /** Drops the oldest keys that are no longer in the window. */
    void prune(long now) {
        for (Iterator<Map.Entry<Hash, Entry>> oldest = entries.entrySet().iterator(); oldest.hasNext(); ) {
            Map.Entry<Hash, Entry> entry = oldest.next();
            if (!isExpired(entry.getValue(), now)) {
                return;
            }
            oldest.remove();
            forget(entry.getValue().caller(), entry.getKey());
        }
    }

    int size() {
        return entries.size();
    }

    private void forget(long caller, Hash key) {
        keys.removeOld(caller, key);
        if (keys.size(caller) == 0) {
            // Its displaced keys were older than those that have expired.
            refusedUntil.remove(caller);
        }
    }

    private boolean isExpired(Entry entry, long now) {
        return now - entry.time() >= windowMs;
    }
}
