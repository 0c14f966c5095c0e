/**
 * The application that materializes views for the HTTP API, and read access to them. A view is one class with its keys,
 * its writer and its reader; {@link dev.parley.topology.views.ViewsTopology} runs all writers, and
 * {@link dev.parley.topology.views.Views} has all readers. Two classes are processors without readers:
 * {@code AuditView} writes the views of the audit topic, and {@code StoreView} runs the writer of another topic. Start
 * at {@link dev.parley.topology.views.OpenItemView}.
 */
package dev.parley.topology.views;
