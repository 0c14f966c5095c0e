package dev.parley.server.ingest;

/**
 * Limits of HTTP ingest.
 *
 * @param bodyBytes maximum bytes of a body
 * @param inFlightBytes maximum bytes of all bodies in progress
 * @param messages maximum messages of one request
 * @param messageBytes maximum bytes of one message
 */
public record IngestLimits(int bodyBytes, long inFlightBytes, int messages, int messageBytes) {}
