/** Audit chains: each record of a chain carries its sequence number and a hash that ties it to the one before. Pure; knows nothing of Kafka. */
package dev.parley.audit;
