/**
 * Messages of the four protocols in typical JSON: one class per protocol with plain fields for Jackson, without absent
 * optional ones. The benchmarks compare the codecs with Jackson reading these.
 */
package dev.parley.benchmarks.json;
