/** What holds for every input, whatever its bytes, and the fuzzers that look for one of which it does not. docs/fuzzing.md says how they are run. */
package dev.parley.fuzz;
