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
    private static final int ITEMS_PER_PROGRESS = 256;

    private ExportFile() {}

    /** A consumer of entries. */
    public interface EntryConsumer {
        void accept(ExportEntry entry) throws IOException;
    }

    /** A consumer of items, each with its location. */
    public interface ItemConsumer {
        void accept(ExportItem item, RecordLocation location) throws IOException;
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
        boolean[] ended = {false};
        RecordLocation end = read(file, false, 1, listener, (item, location) -> {
            if (item instanceof ExportItem.Entry entry) {
                ended[0] = entry.entry().getEnd() != null;
                each.accept(entry.entry());
            } else if (item instanceof ExportItem.Damage damage) {
                listener.found(FaultCode.UNREADABLE.at(location, damage.message()));
                ended[0] |= damage.last();
            }
        });
        if (!ended[0]) {
            listener.found(FaultCode.EXPORT_INCOMPLETE.at(end, "the last entry of the export is missing"));
        }
    }

    /**
     * Reads the items of an export, until damage hides the rest.
     *
     * @param verifying whether to verify the audit records by themselves; if not, the file must begin like an export
     * @param threads number of threads that decode
     * @param listener listener for progress in bytes
     * @return location of that damage; without it, of a further item
     * @throws NotAnExportException if the file is something else than an export
     * @throws IOException if the file cannot be read
     */
    public static RecordLocation read(
            Path file, boolean verifying, int threads, ProgressListener listener, ItemConsumer each)
            throws IOException {
        long size = Files.size(file);
        if (size == 0) {
            throw new NotAnExportException(file, "The file is empty");
        }
        try (FileChannel channel = FileChannel.open(file);
                ExportReader reader = new ExportReader(Channels.newInputStream(channel));
                ExportItems items = new ExportItems(reader, verifying, threads)) {
            for (long number = 1; ; number++) {
                RecordLocation location = RecordLocation.inFile(String.valueOf(file.getFileName()), number);
                Optional<ExportItem> item = items.next();
                ExportItem.Damage damage = item.orElse(null) instanceof ExportItem.Damage found ? found : null;
                if (number == 1 && !reader.beginsLikeExport() && (damage != null || !verifying)) {
                    throw reader.notAnExport(
                            file, verifying ? location + ": " + damage.message() : "It begins otherwise");
                }
                if (item.isPresent()) {
                    each.accept(item.get(), location);
                }
                if (item.isEmpty() || damage != null && damage.last()) {
                    return location;
                }
                if (number % ITEMS_PER_PROGRESS == 0) {
                    // The position is a system call, which costs as much as a hash.
                    listener.progress(channel.position(), size);
                }
            }
        }
    }
}
