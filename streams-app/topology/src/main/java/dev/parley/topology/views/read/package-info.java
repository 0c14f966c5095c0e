/**
 * Read access to the view stores of this instance, with cursors and visibility of input positions. The server uses it;
 * it writes nothing. Start at {@link dev.parley.topology.views.read.Views}, which
 * {@link dev.parley.topology.views.read.KafkaViews} implements.
 */
package dev.parley.topology.views.read;
