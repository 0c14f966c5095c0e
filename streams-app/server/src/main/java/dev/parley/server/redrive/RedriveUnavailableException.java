package dev.parley.server.redrive;

/** Brokers or registry are unavailable. The message says whether something may have been sent. */
public final class RedriveUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RedriveUnavailableException(String detail, Throwable cause) {
        super(detail, cause);
    }
}
