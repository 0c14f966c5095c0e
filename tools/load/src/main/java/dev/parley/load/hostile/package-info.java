/**
 * Hostile load next to honest load, against a running Parley: compressed bombs, orphaned patches, cascades, forged
 * headers, extreme timestamps, and slow HTTP clients. It measures verdicts, latency and memory of the honest load; the
 * command {@code tools/load/run} and tests use it. Start with {@link dev.parley.load.hostile.HostileLoad}.
 */
package dev.parley.load.hostile;
