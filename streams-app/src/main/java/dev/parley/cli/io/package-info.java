/**
 * What commands share: configuration and common options, transcripts and other input, JSON and tables as output, and
 * the client of Parley's own HTTP API. Commands and the demo depend on it; it knows no command. Start reading at {@link
 * dev.parley.cli.io.Transcript}, the form of all wire traffic in files.
 */
package dev.parley.cli.io;
