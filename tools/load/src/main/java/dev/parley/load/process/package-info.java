/**
 * Parley in a process of its own, and the samples of its memory. Runs of load, benchmarks and tests use it. Start with
 * {@link dev.parley.load.process.ParleyProcess}.
 */
package dev.parley.load.process;
