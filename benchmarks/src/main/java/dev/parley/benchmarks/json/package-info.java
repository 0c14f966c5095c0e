/**
 * The messages of the four protocols as an ordinary user would write them in JSON: one class for each protocol, with plain fields that Jackson
 * binds, optional ones left out when they are absent. The benchmarks hold the codecs against Jackson reading these.
 */
package dev.parley.benchmarks.json;
