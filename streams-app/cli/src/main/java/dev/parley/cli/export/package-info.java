/**
 * Exports of the audit trail: creation from the topics, both file formats, and their reader. Commands, the demo and the
 * SQL engine use it; it knows no command. Start at {@link dev.parley.cli.export.TopicExport}.
 */
package dev.parley.cli.export;
