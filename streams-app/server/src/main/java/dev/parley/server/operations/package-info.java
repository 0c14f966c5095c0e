/**
 * Operator tools: the preflight checks, and the reset to the input. Commands use it; it knows neither HTTP nor the
 * command line. Start with {@link dev.parley.server.operations.Preflight}.
 */
package dev.parley.server.operations;
