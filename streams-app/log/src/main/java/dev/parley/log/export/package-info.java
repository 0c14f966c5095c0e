/**
 * Exports of the audit trail: both file formats, their writer and reader, and the choice of records. Start at {@link
 * dev.parley.log.export.Exporter} and {@link dev.parley.log.export.ExportFile}.
 */
package dev.parley.log.export;
