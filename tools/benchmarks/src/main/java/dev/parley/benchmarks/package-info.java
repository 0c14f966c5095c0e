/** Cost of codecs and rules, measured with JMH and compared with targets; see {@code docs/benchmarks.md}. */
package dev.parley.benchmarks;
