package dev.parley.codec;

import dev.parley.avro.Profile;
import java.util.Objects;

/**
 * Options of a decoder.
 *
 * @param profile LENIENT, or STRICT, which turns every {@link Code.Kind#FORM_WARNING} into a decode error
 * @param limits limits on a message
 */
public record DecodeOptions(Profile profile, Limits limits) {

    public static final DecodeOptions LENIENT = new DecodeOptions(Profile.LENIENT, Limits.DEFAULT);

    public static final DecodeOptions STRICT = new DecodeOptions(Profile.STRICT, Limits.DEFAULT);

    /** Requires one of the two profiles. */
    public DecodeOptions {
        Objects.requireNonNull(limits, "limits");
        if (profile != Profile.LENIENT && profile != Profile.STRICT) {
            throw new IllegalArgumentException("profile must be LENIENT or STRICT, but was " + profile);
        }
    }

    /** Whether format warnings are decode errors. */
    public boolean strict() {
        return profile == Profile.STRICT;
    }
}
