/**
 * OpenTelemetry: a span from input to verdict, and the metrics, sent over OTLP. Only
 * {@link dev.parley.server.lifecycle.Application} starts it, and nothing is sent unless {@code otlp.endpoint} is set.
 * Start with {@link dev.parley.server.telemetry.VerdictSpans}.
 */
package dev.parley.server.telemetry;
