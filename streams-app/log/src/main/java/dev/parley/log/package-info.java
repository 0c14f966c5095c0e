/**
 * The transparency log over the audit records of a partition: its heads and statements, and the verification of
 * records, chains and logs. It knows nothing of Kafka. The pipeline writes with {@link dev.parley.log.AuditLog};
 * verification starts at {@link dev.parley.log.AuditTrailVerifier}.
 */
package dev.parley.log;
