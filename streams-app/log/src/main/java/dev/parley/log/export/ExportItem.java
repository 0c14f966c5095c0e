package dev.parley.log.export;

import dev.parley.avro.ExportEntry;
import dev.parley.log.CheckedRecord;

/** What an export has at one place. */
public sealed interface ExportItem {

    /** An entry. */
    record Entry(ExportEntry entry) implements ExportItem {}

    /** An entry with an audit record that was verified by itself. */
    record Checked(CheckedRecord checked) implements ExportItem {}

    /**
     * An unreadable entry.
     *
     * @param message a sentence
     * @param last whether the rest of the file is unreadable too
     */
    record Damage(String message, boolean last) implements ExportItem {}
}
