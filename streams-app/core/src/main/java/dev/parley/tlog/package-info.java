/**
 * Transparency log in the formats of C2SP: Merkle trees of RFC 6962, tiles, proofs, signed notes, checkpoints and
 * cosignatures. It is plain Java that knows nothing of Kafka, Avro and audit records, and every parser accepts hostile
 * bytes. Start at {@link dev.parley.tlog.Frontier}, {@link dev.parley.tlog.SignedNote} and
 * {@link dev.parley.tlog.TlogProof}.
 */
package dev.parley.tlog;
