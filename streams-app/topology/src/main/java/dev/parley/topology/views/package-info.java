/**
 * The application that materializes views for the HTTP API: audit records, checkpoints, dead letters, accounting, and
 * redactions by key. Only its start and its readers use it. Start at
 * {@link dev.parley.topology.views.ViewsTopology}.
 */
package dev.parley.topology.views;
