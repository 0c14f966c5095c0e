/**
 * The read side: the views of this instance as lists, items, and cursors, with masking. The cluster layer and the HTTP
 * API depend on it; it never writes and knows neither. Start at {@link dev.parley.query.read.Views}.
 */
package dev.parley.query.read;
