/** Traffic without end whose every verdict is known beforehand, what feeds it to Parley, and an oracle that reads the topics and says what is wrong with them. */
package dev.parley.benchmarks.load;
