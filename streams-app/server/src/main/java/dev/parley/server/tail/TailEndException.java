package dev.parley.server.tail;

/** A tail cannot go on. The message is a sentence. */
final class TailEndException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final TailReader.End end;

    TailEndException(TailReader.End end, String message) {
        super(message);
        this.end = end;
    }

    /** Why the stream ends. */
    TailReader.End end() {
        return end;
    }
}
