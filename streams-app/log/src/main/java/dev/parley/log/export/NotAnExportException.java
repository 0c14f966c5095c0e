package dev.parley.log.export;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown for a file that neither begins like an export nor with an entry of one. */
public final class NotAnExportException extends IOException {
    private static final long serialVersionUID = 1L;

    public NotAnExportException(Path file, String reason) {
        super(file + " is not an export of the audit trail. " + reason + ". Create an export with parley export.");
    }
}
