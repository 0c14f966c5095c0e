/** Measures the speed of verifying an export. {@code benchmarks/verify} starts it. */
package dev.parley.load.soak;
