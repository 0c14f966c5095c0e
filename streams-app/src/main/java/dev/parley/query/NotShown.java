package dev.parley.query;

import dev.parley.audit.InputPosition;
import java.util.Set;
import java.util.stream.Collectors;

/** What must be shown is not shown yet. */
final class NotShown extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Set<InputPosition> missing;

    NotShown(Set<InputPosition> missing) {
        super(null, null, false, false);
        this.missing = missing;
    }

    Set<InputPosition> missing() {
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
