/**
 * Evidence: an export with its proofs and a report, for a reader without Parley. Judges messages of an export again.
 * Start at {@link dev.parley.log.evidence.Evidence} and {@link dev.parley.log.evidence.Rejudgement}.
 */
package dev.parley.log.evidence;
