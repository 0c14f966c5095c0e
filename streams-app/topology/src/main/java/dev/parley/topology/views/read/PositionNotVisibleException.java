package dev.parley.topology.views.read;

import dev.parley.audit.InputPosition;
import java.util.Set;
import java.util.stream.Collectors;

/** Thrown if an input position that the answer must include is not visible yet. */
public final class PositionNotVisibleException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Set<InputPosition> missing;

    /** @param missing the input positions that are not visible */
    public PositionNotVisibleException(Set<InputPosition> missing) {
        super(null, null, false, false);
        this.missing = missing;
    }

    public Set<InputPosition> missing() {
        return missing;
    }

    @Override
    public String getMessage() {
        return "Not visible: "
                + missing.stream().map(InputPosition::toString).collect(Collectors.joining(", "))
                + ". A parked patch becomes visible when its verdict is final, a position without a record never.";
    }
}
