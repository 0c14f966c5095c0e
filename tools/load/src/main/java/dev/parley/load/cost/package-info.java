/** Cost of states: applying, storing, rebuilding and folding; run by {@code benchmarks/states}. */
package dev.parley.load.cost;
