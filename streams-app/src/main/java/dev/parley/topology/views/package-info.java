/**
 * The application that materializes what the HTTP API reads: audit records, checkpoints, dead letters, accounting, and
 * redactions by key. The read side depends on its keys, values, and stores. Start at {@link
 * dev.parley.topology.views.ViewsTopology}.
 */
package dev.parley.topology.views;
