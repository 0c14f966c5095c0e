package dev.parley.codec;

/**
 * Collects the errors, warnings and violations of one message, and selects the error to report: the first by rank, then
 * by offset. Under the strict profile, a format warning is an error. For decoders.
 */
public final class Diagnostics {

    /** Classes of errors in the order of precedence. */
    private enum Rank {
        LEXICAL,
        DUPLICATE,
        VALUE,
        MISSING,
        STRAY
    }

    private final boolean strict;
    private Warnings warnings;
    private Warnings violations;
    private boolean plain;
    private Rank rank;
    private DecodeResult.Malformed<Object> error;

    /** Creates diagnostics of one message. */
    public Diagnostics(boolean strict) {
        this.strict = strict;
    }

    /** Adds an error of the lexical rules of the protocol or, like the methods below, the warning of a code. */
    public void lexical(Code found, int at, String sentence) {
        note(Rank.LEXICAL, found, at, sentence);
    }

    /** Adds the error of a repeated part. */
    public void duplicate(Code found, int at, String sentence) {
        note(Rank.DUPLICATE, found, at, sentence);
    }

    /** Adds the error of an invalid value. */
    public void value(Code found, int at, String sentence) {
        note(Rank.VALUE, found, at, sentence);
    }

    /** Adds the error of a missing part. */
    public void missing(Code found, int at, String sentence) {
        note(Rank.MISSING, found, at, sentence);
    }

    /** Adds the error of an unknown part, perhaps misspelled, for which the missing part is the better error. */
    public void stray(Code found, int at, String sentence) {
        note(Rank.STRAY, found, at, sentence);
    }

    private void note(Rank foundIn, Code found, int at, String sentence) {
        if (found.kind() != Code.Kind.MALFORMED && !(strict && found.kind() == Code.Kind.FORM_WARNING)) {
            warn(found);
        } else if (rank == null || foundIn.compareTo(rank) < 0 || (foundIn == rank && at < error.offset())) {
            decide(foundIn, found, at, sentence);
        }
    }

    /** Adds a lexical error that takes precedence over all errors so far. */
    public void overrule(Code found, int at, String sentence) {
        decide(Rank.LEXICAL, found, at, sentence);
    }

    private void decide(Rank foundIn, Code found, int at, String sentence) {
        rank = foundIn;
        error = new DecodeResult.Malformed<>(found, at, sentence);
    }

    /** Adds a warning of both profiles. */
    public void warn(Code found) {
        warnings = Warnings.with(warnings, found);
    }

    /** Adds a violation in every dialogue state. */
    public void violate(Code found) {
        violations = Warnings.with(violations, found);
    }

    /** Notes that the message is {@link DecodeResult.Decoded#plain}. */
    public void plain() {
        plain = true;
    }

    /** Whether there is a lexical error, so that the rest of the message need not be read. */
    public boolean stopped() {
        return rank == Rank.LEXICAL;
    }

    /** Whether the error to report has a code. */
    public boolean has(Code code) {
        return error != null && error.code() == code;
    }

    /** The result of decoding: the error to report, or else the message with its warnings and violations. */
    public <M> DecodeResult<M> result(M message) {
        return error == null
                ? new DecodeResult.Decoded<>(message, Warnings.listed(warnings), Warnings.listed(violations), plain)
                : new DecodeResult.Malformed<>(error.code(), error.offset(), error.detail());
    }
}
