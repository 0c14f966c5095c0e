/** Endless traffic with known outcomes, its producer, and an oracle that verifies the topics. */
package dev.parley.load;
