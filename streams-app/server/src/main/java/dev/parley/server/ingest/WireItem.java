package dev.parley.server.ingest;

import dev.parley.server.http.ProblemException.Code;

/** One message of an ingest request, or the reason why it is none. */
sealed interface WireItem {

    /** A message to send. */
    record Valid(IngestMessage message) implements WireItem {}

    /**
     * Not a message; nothing is sent.
     *
     * @param detail one or two sentences for the caller
     */
    record Invalid(Code code, String detail) implements WireItem {}
}
