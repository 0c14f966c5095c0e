package dev.parley.log.export;

import dev.parley.avro.ExportEntry;
import dev.parley.log.FaultCode;
import dev.parley.log.RecordLocation;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the entries of an export in order, without verifying them. */
public final class ExportFile {
    private ExportFile() {}

    /** A consumer of entries. */
    public interface EntryConsumer {
        void accept(ExportEntry entry) throws IOException;
    }

    /**
     * Reads the readable entries of a file, which need not be an export.
     *
     * @return whether all entries are readable
     * @throws IOException if the file cannot be read
     */
    public static boolean read(Path file, EntryConsumer each) throws IOException {
        boolean whole = true;
        try (ExportItems items = new ExportItems(new ExportReader(Files.newInputStream(file)), false, 1)) {
            for (Optional<ExportItem> item = items.next(); item.isPresent(); item = items.next()) {
                if (item.get() instanceof ExportItem.Entry entry) {
                    each.accept(entry.entry());
                } else {
                    whole = false;
                }
            }
        }
        return whole;
    }

    /**
     * Reads an export.
     *
     * @param listener listener for unreadable entries, a missing last entry, and progress in bytes
     * @throws NotAnExportException if the file begins like something else than an export
     * @throws IOException if the file cannot be read
     */
    public static void read(Path file, ProgressListener listener, EntryConsumer each) throws IOException {
        long size = Files.size(file);
        String name = String.valueOf(file.getFileName());
        boolean ended = false;
        long number = 1;
        try (FileChannel channel = FileChannel.open(file);
                ExportReader reader = new ExportReader(Channels.newInputStream(channel));
                ExportItems items = new ExportItems(reader, false, 1)) {
            if (size == 0 || !reader.beginsLikeExport()) {
                throw reader.notAnExport(file, size == 0 ? "The file is empty" : "It begins otherwise");
            }
            for (Optional<ExportItem> item = items.next(); item.isPresent(); item = items.next()) {
                if (item.get() instanceof ExportItem.Entry entry) {
                    ended = entry.entry().getEnd() != null;
                    each.accept(entry.entry());
                } else if (item.get() instanceof ExportItem.Damage damage) {
                    listener.found(FaultCode.UNREADABLE.at(RecordLocation.inFile(name, number), damage.message()));
                    if (damage.last()) {
                        return;
                    }
                }
                listener.progress(channel.position(), size);
                number++;
            }
        }
        if (!ended) {
            listener.found(FaultCode.EXPORT_INCOMPLETE.at(
                    RecordLocation.inFile(name, number), "the last entry of the export is missing"));
        }
    }
}
