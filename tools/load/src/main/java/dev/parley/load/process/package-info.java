/**
 * Parley in a process of its own. Runs of load, benchmarks and tests use it. Start with
 * {@link dev.parley.load.process.ParleyProcess}.
 */
package dev.parley.load.process;
