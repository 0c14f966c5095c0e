/**
 * The search index of the audit records: its documents, terms and filters, and the scan that answers a search. The
 * views write it and the read side scans it. Start at {@link dev.parley.topology.views.search.SearchIndex} for
 * writing, and at {@link dev.parley.topology.views.search.SearchScan} for reading.
 */
package dev.parley.topology.views.search;
