/**
 * Hostile load next to honest load, against a running Parley: compressed bombs, orphaned patches, cascades, forged
 * headers, extreme timestamps, and slow HTTP clients. Measures the effect on the honest load: verdicts, latency,
 * memory. Start with {@link dev.parley.load.hostile.HostileLoad}.
 */
package dev.parley.load.hostile;
