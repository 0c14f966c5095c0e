/**
 * Ownership of a partition by one instance of a deployment: it fences the previous owner by a transactional ID and then
 * reads the partition to its end. Redrive and ingest write through it, so that nothing enters twice. Start with
 * {@link dev.parley.server.fencing.OwnedPartition}.
 */
package dev.parley.server.fencing;
