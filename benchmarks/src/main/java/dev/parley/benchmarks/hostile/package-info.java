/**
 * Hostile load next to honest load, against a running Parley: bombs, orphaned patches, cascades, forged headers, extreme timestamps, and slow HTTP clients. Measures
 * what the honest side notices: verdicts, latency, memory. Start reading at {@link dev.parley.benchmarks.hostile.HostileLoad}.
 */
package dev.parley.benchmarks.hostile;
