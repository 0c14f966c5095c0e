/**
 * OpenTelemetry: a span from input to verdict, and the metrics, sent over OTLP. Lifecycle and
 * {@code Metrics} use it, and nothing here runs unless {@code otlp.endpoint} is set. Start with
 * {@link dev.parley.server.telemetry.VerdictSpans}.
 */
package dev.parley.server.telemetry;
