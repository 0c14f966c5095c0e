/**
 * Audit chains: every audit record contains a sequence number and the hash of its predecessor. Does not depend on
 * Kafka.
 */
package dev.parley.audit;
