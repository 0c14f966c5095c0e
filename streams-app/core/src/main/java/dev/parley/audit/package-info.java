/**
 * Audit chains, the log of each partition with its signed heads, and their verification. It knows nothing of Kafka;
 * stages write with it, and the command line verifies. Start at {@link dev.parley.audit.AuditLog} and
 * {@link dev.parley.audit.AuditTrailVerifier}.
 */
package dev.parley.audit;
