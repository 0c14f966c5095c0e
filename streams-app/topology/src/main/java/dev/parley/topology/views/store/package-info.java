/**
 * The layout of the view stores: names, keys and values, and the tools that both writers and readers need. Processors,
 * search and readers of the views use it; it knows none of them. Start at
 * {@link dev.parley.topology.views.store.ViewStores} and {@link dev.parley.topology.views.store.ViewKeys}.
 */
package dev.parley.topology.views.store;
