/**
 * Exports of the audit trail: the file format, its writer and reader, and the choice of records. Start at {@link
 * dev.parley.log.export.Exporter} and {@link dev.parley.log.export.ExportFile}.
 */
package dev.parley.log.export;
