package dev.parley.cli.export;

import dev.parley.cli.io.Progress;
import dev.parley.codec.ControlCharacters;
import dev.parley.log.AuditFault;
import dev.parley.log.FaultCode;
import dev.parley.log.export.ProgressListener;
import java.io.PrintWriter;

/** Prints faults as they are found, and moves a progress bar. */
public final class FaultPrinter implements ProgressListener {
    private final PrintWriter out;
    private final Progress progress;
    private boolean found;

    public FaultPrinter(PrintWriter out, Progress progress) {
        this.out = out;
        this.progress = progress;
    }

    /** Whether it has printed a fault. */
    public boolean hasFound() {
        return found;
    }

    @Override
    public void found(AuditFault fault) {
        found = true;
        // The bar would overwrite the line.
        progress.close();
        String text = (fault.code().isNotice() ? "notice: " : "") + fault;
        out.println(fault.code() == FaultCode.HEAD_SPLIT ? indented(text) : ControlCharacters.escape(text));
    }

    /** Keeps the lines of the two notes, indented so that none of them looks like a line of the report. */
    private static String indented(String fault) {
        return ControlCharacters.escapeLines(fault.strip()).replace("\n", "\n    ");
    }

    @Override
    public void progress(long done, long total) {
        progress.stepTo(done, total);
    }
}
