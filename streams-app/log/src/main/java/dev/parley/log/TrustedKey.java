package dev.parley.log;

import dev.parley.log.tlog.NoteVerification;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.VerifierKey;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;

/**
 * A verifier key of a deployment, and the time until which it signed. Who has a retired key, which may be stolen, must
 * not be able to sign later notes, nor later records with earlier notes.
 *
 * @param until time after which its notes do not count; {@link Instant#MAX} for a present key
 */
public record TrustedKey(VerifierKey key, Instant until) {
    /** Maximum time by which clocks of brokers, pipeline and verifier may differ, in milliseconds. */
    private static final long MAX_SKEW_MS = Duration.ofHours(2).toMillis();

    private static final String UNTIL = " until ";

    /** Present keys. */
    public static List<TrustedKey> present(List<VerifierKey> keys) {
        return keys.stream().map(key -> new TrustedKey(key, Instant.MAX)).toList();
    }

    /**
     * Parses a verifier key, and after it, for a retired one, " until " and a time in ISO 8601.
     *
     * @throws TlogFormatException if the text is neither
     */
    public static TrustedKey parse(String text) throws TlogFormatException {
        int end = text.indexOf(UNTIL);
        if (end < 0) {
            return new TrustedKey(VerifierKey.parse(text), Instant.MAX);
        }
        try {
            return new TrustedKey(
                    VerifierKey.parse(text.substring(0, end)), Instant.parse(text.substring(end + UNTIL.length())));
        } catch (DateTimeParseException e) {
            throw new TlogFormatException(1, "the end of a retired key must be a time such as 2026-01-31T12:00:00Z");
        }
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return until.equals(Instant.MAX) ? key.toString() : key + UNTIL + until;
    }

    /** Whether one of these keys signed a note of a time. */
    public static boolean signed(List<TrustedKey> keys, NoteVerification verification, Instant time) {
        return verification.valid().stream()
                .anyMatch(valid -> keys.stream()
                        .anyMatch(trusted -> trusted.key.equals(valid.key()) && !time.isAfter(trusted.until)));
    }

    /**
     * Whether a time is neither in the future nor after another one, apart from differences of clocks.
     *
     * @param time time of a note, or of the input of a record, in milliseconds since the epoch
     * @param head time of the head above the record, in milliseconds since the epoch; the maximum without one
     */
    public static boolean isPossible(long time, long head) {
        return time <= Math.min(head, System.currentTimeMillis()) + MAX_SKEW_MS;
    }
}
