/** A long run under full load, to see what memory does. */
package dev.parley.benchmarks.soak;
