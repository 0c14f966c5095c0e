/**
 * Audit chains, their published heads, signatures and journals, and their verification. It depends on Avro records
 * only, and knows nothing of Kafka; stages write chains with it, and the command line verifies them. Start at
 * {@link dev.parley.audit.AuditChain} and {@link dev.parley.audit.AuditTrailVerifier}.
 */
package dev.parley.audit;
