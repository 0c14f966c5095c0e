/**
 * Transcripts: wire traffic in files, which commands judge, send and create. Start with {@link
 * dev.parley.cli.transcript.Transcript}, the format of a line.
 */
package dev.parley.cli.transcript;
