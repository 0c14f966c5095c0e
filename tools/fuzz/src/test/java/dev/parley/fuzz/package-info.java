/** Properties of every input, whatever its bytes, and fuzzers that search for a violation. See docs/testing.md. */
package dev.parley.fuzz;
