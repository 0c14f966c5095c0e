/** Converts JMH's results to tables of ratios. */
package dev.parley.benchmarks.report;
