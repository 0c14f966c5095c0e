/**
 * Endless traffic with known outcomes, and its producer. Tests, benchmarks and the runs below this package use it.
 * Start with {@link dev.parley.load.Load}.
 */
package dev.parley.load;
