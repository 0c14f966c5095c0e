/**
 * Verifies the audit trail in the topics, with the verifiers of {@link dev.parley.log}. Commands use it; it knows no
 * command. Start at {@link dev.parley.cli.verify.TopicVerification}.
 */
package dev.parley.cli.verify;
