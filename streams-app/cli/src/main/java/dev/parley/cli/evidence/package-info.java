/**
 * Evidence: an export with its proofs and a report, for a reader without Parley. The commands {@code evidence} and
 * {@code rejudge} use it. Start at {@link dev.parley.cli.evidence.Evidence}.
 */
package dev.parley.cli.evidence;
