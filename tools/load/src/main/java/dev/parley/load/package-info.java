/**
 * Endless traffic with known outcomes, its producer, and an oracle that verifies the topics. Tests, benchmarks and the
 * runs below this package use it. Start with {@link dev.parley.load.Load} and {@link dev.parley.load.Oracle}.
 */
package dev.parley.load;
