/**
 * Code that commands share: configuration and other options, transcripts and other input, JSON lines, tables and
 * standard output, and the client of Parley's HTTP API. Commands, demo, SQL engine and load depend on it; it depends on
 * no command.
 * Start with {@link dev.parley.cli.io.Transcript}, the format of wire traffic in files.
 */
package dev.parley.cli.io;
