/**
 * What writers, search and readers of the view stores need: names of the stores, keys, positions, and visits of all
 * entries. It knows none of them. Start at {@link dev.parley.topology.views.store.ViewStores} and
 * {@link dev.parley.topology.views.store.ViewKeys}.
 */
package dev.parley.topology.views.store;
