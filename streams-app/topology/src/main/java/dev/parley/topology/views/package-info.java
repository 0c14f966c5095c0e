/**
 * The application that materializes views for the HTTP API, and read access to them. A view is one class with its keys,
 * its writer and its reader; {@link dev.parley.topology.views.ViewsTopology} runs all writers, and
 * {@link dev.parley.topology.views.Views} has all readers.
 */
package dev.parley.topology.views;
