/**
 * Operator tools: the preflight checks, the ACLs of each principal, and the reset to the input. Commands,
 * lifecycle and features use it; it knows neither HTTP nor the command line. Start with
 * {@link dev.parley.server.operations.Preflight}.
 */
package dev.parley.server.operations;
