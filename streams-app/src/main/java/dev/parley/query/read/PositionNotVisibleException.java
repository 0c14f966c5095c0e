package dev.parley.query.read;

import dev.parley.audit.InputPosition;
import java.util.Set;
import java.util.stream.Collectors;

/** What must be shown is not shown yet. */
public final class PositionNotVisibleException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Set<InputPosition> missing;

    /** @param missing the input positions that are not visible */
    public PositionNotVisibleException(Set<InputPosition> missing) {
        super(null, null, false, false);
        this.missing = missing;
    }

    /** The input positions that are not visible. */
    public Set<InputPosition> missing() {
        return missing;
    }

    @Override
    public String getMessage() {
        return "The views do not show "
                + missing.stream().map(InputPosition::toString).collect(Collectors.joining(", "))
                + " yet. They follow the audit by a moment; a patch that waits for its base is shown when its verdict"
                + " is final.";
    }
}
