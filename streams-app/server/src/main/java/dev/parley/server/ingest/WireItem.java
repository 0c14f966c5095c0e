package dev.parley.server.ingest;

/** One message of an ingest request, or the reason why it is none. */
sealed interface WireItem permits IngestMessage, IngestResult.Failed {}
