/**
 * Transparency log in the formats of C2SP: Merkle trees of RFC 6962, tiles, proofs, signed notes, tree heads and
 * cosignatures. It is plain Java that knows nothing of Kafka, Avro or audit records, and every parser accepts hostile
 * bytes. Start at {@link dev.parley.log.tlog.Frontier}, {@link dev.parley.log.tlog.SignedNote} and
 * {@link dev.parley.log.tlog.TlogProof}.
 */
package dev.parley.log.tlog;
