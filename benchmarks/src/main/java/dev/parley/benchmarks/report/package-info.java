/** Turns JMH's results into the table of ratios. */
package dev.parley.benchmarks.report;
