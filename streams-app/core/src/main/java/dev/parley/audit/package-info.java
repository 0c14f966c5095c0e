/**
 * Audit chains, their published heads, signatures and journals, and their verification. It depends on Avro records
 * only, and knows nothing of Kafka and files; stages write chains with it, and {@code trail} verifies them. Start
 * reading at {@link dev.parley.audit.AuditChain} and {@link dev.parley.audit.AuditTrailVerifier}.
 */
package dev.parley.audit;
