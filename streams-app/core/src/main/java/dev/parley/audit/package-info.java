/**
 * What the stages record: the hashes of audit records and of their chains, redacted copies, and input positions. Start
 * at {@link dev.parley.audit.AuditChain}. The log over all records is a module of its own.
 */
package dev.parley.audit;
