package dev.parley.server.ingest;

import dev.parley.audit.InputPosition;
import dev.parley.decode.RecordHeaders;
import dev.parley.decode.Sha256;
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
    private static final List<String> CONTENT_HEADERS =
            List.of(RecordHeaders.NAMESPACE, RecordHeaders.PROTOCOL, RecordHeaders.CONVERSATION, RecordHeaders.SENDER);

    private final long windowMs;
    private final int maxKeys;
    private final Map<Hash, Entry> entries = new LinkedHashMap<>();
    private final Map<Long, Integer> keysByCaller = new HashMap<>();

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

    /** @param maxKeys maximum keys; one caller takes at most half of those that others do not take */
    KeyWindow(long windowMs, int maxKeys) {
        this.windowMs = windowMs;
        this.maxKeys = maxKeys;
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
        return hash(headers.toString(), message.value());
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

    /** Adds a key; if it is already in the window, its first message stays. */
    void add(Hash key, Entry entry) {
        Entry before = entries.get(key);
        if (before != null) {
            if (!isExpired(before, entry.time())) {
                return;
            }
            entries.remove(key);
            count(before.caller(), -1);
        }
        entries.put(key, entry);
        count(entry.caller(), 1);
    }

    /**
     * Whether there is room for another key of a caller, in addition to others that are being written. A caller has at
     * most as many keys as remain free, so that any number of callers leaves room for one more.
     */
    boolean hasRoom(long caller, int writing, int writingOfCaller) {
        int free = maxKeys - entries.size() - writing;
        return keysByCaller.getOrDefault(caller, 0) + writingOfCaller < free;
    }

    /** Drops the oldest keys that are no longer in the window. */
    void prune(long now) {
        for (Iterator<Entry> oldest = entries.values().iterator(); oldest.hasNext(); ) {
            Entry entry = oldest.next();
            if (!isExpired(entry, now)) {
                return;
            }
            oldest.remove();
            count(entry.caller(), -1);
        }
    }

    int size() {
        return entries.size();
    }

    private void count(long caller, int change) {
        keysByCaller.merge(caller, change, (count, more) -> count + more == 0 ? null : count + more);
    }

    private boolean isExpired(Entry entry, long now) {
        return now - entry.time() >= windowMs;
    }
}
