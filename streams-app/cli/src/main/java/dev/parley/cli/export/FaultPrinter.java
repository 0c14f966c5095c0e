package dev.parley.cli.export;

import dev.parley.cli.io.Progress;
import dev.parley.codec.ControlCharacters;
import dev.parley.log.AuditFault;
import dev.parley.log.export.ProgressListener;
import java.io.PrintWriter;

/** Prints faults as they are found, one per line, and moves a progress bar. */
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
        out.println(ControlCharacters.escape(fault.toString()));
    }

    @Override
    public void progress(long done, long total) {
        progress.stepTo(done, total);
    }
}
