/**
 * Reads the topics for exports of the audit trail, whose format is in {@link dev.parley.log.export}. Commands, the
 * demo and the SQL engine use it; it knows no command. Start at {@link dev.parley.cli.export.TopicExport}.
 */
package dev.parley.cli.export;
