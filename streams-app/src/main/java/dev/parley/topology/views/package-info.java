/**
 * The application that materializes views for the HTTP API: audit records, checkpoints, dead letters, accounting, and
 * redactions by key. The read side depends on its keys, values, and stores. Start at {@link
 * dev.parley.topology.views.ViewsTopology}.
 */
package dev.parley.topology.views;
