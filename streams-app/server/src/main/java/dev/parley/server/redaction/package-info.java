/**
 * Redaction over HTTP and by {@code parley redact}, and approval over HTTP: writes requests to remove the content of a
 * message, or to approve the changed definition in it, which the pipeline carries out. Only the list of features and
 * commands use it. Start with {@link dev.parley.server.redaction.RedactionFeature}.
 */
package dev.parley.server.redaction;
