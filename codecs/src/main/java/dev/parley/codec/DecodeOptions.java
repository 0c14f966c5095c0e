package dev.parley.codec;

import dev.parley.avro.Profile;
import java.util.Objects;

/**
 * How messages are read.
 *
 * @param profile LENIENT, or STRICT, under which every {@link Code.Kind#FORM_WARNING} is a fault
 * @param limits bounds on what is accepted
 */
public record DecodeOptions(Profile profile, Limits limits) {

    /** Lenient, with the default limits. */
    public static final DecodeOptions LENIENT = new DecodeOptions(Profile.LENIENT, Limits.DEFAULT);

    /** Strict, with the default limits. */
    public static final DecodeOptions STRICT = new DecodeOptions(Profile.STRICT, Limits.DEFAULT);

    /** Checks that the profile is one of the two. */
    public DecodeOptions {
        Objects.requireNonNull(limits, "limits");
        if (profile != Profile.LENIENT && profile != Profile.STRICT) {
            throw new IllegalArgumentException("profile is LENIENT or STRICT, not " + profile);
        }
    }

    /** Whether form warnings are faults. */
    public boolean strict() {
        return profile == Profile.STRICT;
    }
}
