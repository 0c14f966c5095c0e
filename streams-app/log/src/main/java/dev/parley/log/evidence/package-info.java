/**
 * Evidence: an export with its proofs and a report, for a reader without Parley. Also judges the messages of an export
 * again; no other package of the log knows dialogues. Start at {@link dev.parley.log.evidence.Evidence} and
 * {@link dev.parley.log.evidence.Rejudgement}.
 */
package dev.parley.log.evidence;
