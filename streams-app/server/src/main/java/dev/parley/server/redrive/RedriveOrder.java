package dev.parley.server.redrive;

import dev.parley.audit.InputPartition;
import dev.parley.audit.InputPosition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The order in which dead letters enter: that of their failed records. Within an input partition by offset, between
 * partitions by time, so the messages of a conversation keep their order.
 */
public final class RedriveOrder {

    /**
     * A dead letter of a selection.
     *
     * @param deadLetter its position
     * @param source input position of the failed record; that of the dead letter if its headers name none
     * @param time timestamp of the dead letter, milliseconds since 1970; in a sorted list, the latest time of the dead
     *     letters of its input partition up to this one
     * @param bytes size of its value, with key and headers if they are known
     */
    public record Candidate(InputPosition deadLetter, InputPosition source, long time, long bytes) {

        static Candidate of(DeadLetterRecord letter) {
            return new Candidate(letter.id(), letter.source().orElse(letter.id()), letter.timestamp(), letter.bytes());
        }

        /** Its place in a sorted list. */
        Place place() {
            return new Place(time, source);
        }
    }

    /**
     * A place in the order.
     *
     * @param time latest time of the dead letters of its input partition up to this one
     */
    public record Place(long time, InputPosition source) implements Comparable<Place> {
        private static final Comparator<Place> ORDER = Comparator.comparingLong(Place::time)
                .thenComparing(place -> place.source().inputPartition())
                .thenComparingLong(place -> place.source().offset());

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * How far an operation has come.
     *
     * @param operation its name
     * @param after the last place that it has processed; empty before the first
     */
    public record Cursor(String operation, Optional<Place> after) {

        /** The cursor of a new operation. */
        public static Cursor start() {
            return new Cursor(UUID.randomUUID().toString(), Optional.empty());
        }

        /** Parses the form that {@link #text} returns; empty for any other text. */
        public static Optional<Cursor> parse(String text) {
            try {
                String[] parts = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8).split(" ", 3);
                if (parts.length != 3) {
                    return Optional.empty();
                }
                String operation = UUID.fromString(parts[0]).toString();
                long time = Long.parseLong(parts[1]);
                return InputPosition.parse(parts[2])
                        .map(source -> new Cursor(operation, Optional.of(new Place(time, source))));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }

        /** The opaque form of a cursor with a place. */
        public String text() {
            Place place = after.orElseThrow();
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(
                            (operation + ' ' + place.time() + ' ' + place.source()).getBytes(StandardCharsets.UTF_8));
        }
    }

    private RedriveOrder() {}

    /**
     * Sorts dead letters. Of those with the same failed record, one remains: an edited one, or else that with the
     * lowest position.
     *
     * @param edited dead letters whose bytes the operator has edited
     */
    public static List<Candidate> sorted(Collection<Candidate> candidates, Set<InputPosition> edited) {
        Map<InputPartition, Map<Long, Candidate>> partitions = new TreeMap<>();
        Comparator<Candidate> preference = Comparator.<Candidate>comparingInt(
                        candidate -> edited.contains(candidate.deadLetter()) ? 0 : 1)
                .thenComparing(candidate -> candidate.deadLetter().inputPartition())
                .thenComparingLong(candidate -> candidate.deadLetter().offset());
        for (Candidate candidate : candidates) {
            partitions
                    .computeIfAbsent(candidate.source().inputPartition(), partition -> new TreeMap<>())
                    .merge(candidate.source().offset(), candidate, (a, b) -> preference.compare(a, b) <= 0 ? a : b);
        }
        List<Candidate> sorted = new ArrayList<>();
        partitions.values().forEach(partition -> {
            long time = Long.MIN_VALUE;
            for (Candidate candidate : partition.values()) {
                // A parked patch that expired has the time of its expiry, although later offsets are older.
                time = Math.max(time, candidate.time());
                sorted.add(new Candidate(candidate.deadLetter(), candidate.source(), time, candidate.bytes()));
            }
        });
        sorted.sort(Comparator.comparing(Candidate::place));
        return sorted;
    }

    /** The next dead letters after a cursor, up to a number and a size in bytes, which only the first may exceed. */
    public static List<Candidate> next(List<Candidate> sorted, Cursor cursor, int limit, long maxBytes) {
        List<Candidate> next = new ArrayList<>();
        long bytes = 0;
        for (Candidate candidate : sorted) {
            if (cursor.after().isPresent()
                    && candidate.place().compareTo(cursor.after().get()) <= 0) {
                continue;
            }
            bytes += candidate.bytes();
            if (next.size() == limit || !next.isEmpty() && bytes > maxBytes) {
                break;
            }
            next.add(candidate);
        }
        return next;
    }
}
