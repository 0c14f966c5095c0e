/** What states cost: applying patches, storing them, rebuilding and folding; run by {@code benchmarks/states}. */
package dev.parley.benchmarks.states;
