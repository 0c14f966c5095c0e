package dev.parley.log;

/** A restored log does not follow from its last signed head. */
public final class RestoredLogException extends Exception {
    private static final long serialVersionUID = 1L;

    private final long index;

    /**
     * Creates an exception.
     *
     * @param index index of the first record in the log that cannot be signed
     */
    public RestoredLogException(long index, String message) {
        super(message);
        this.index = index;
    }

    /** Index of the first record in the log that cannot be signed. */
    public long index() {
        return index;
    }
}
