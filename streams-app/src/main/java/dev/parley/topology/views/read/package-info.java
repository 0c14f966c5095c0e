/**
 * The read side: access to the view stores of this instance, with cursors, masking, and visibility of input positions.
 * The cluster layer and the HTTP API depend on it; it writes nothing. Start at {@link dev.parley.topology.views.read.Views},
 * which {@link dev.parley.topology.views.read.KafkaViews} implements.
 */
package dev.parley.topology.views.read;
