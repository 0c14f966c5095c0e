/**
 * Verification of the audit trail, in the topics and in exports. Commands use it; it knows no command. Start at
 * {@link dev.parley.cli.verify.TopicVerification} and {@link dev.parley.cli.verify.FileVerification}.
 */
package dev.parley.cli.verify;
