/**
 * Code that commands share: the base of a command, its configuration and other options, transcripts, JSON lines,
 * tables, and the client of Parley's HTTP API. Commands, demo, SQL engine and load depend on it; it depends on no
 * command. Start with {@link dev.parley.cli.io.BaseCommand} and {@link dev.parley.cli.io.Transcript}, the format of
 * wire traffic in files.
 */
package dev.parley.cli.io;
