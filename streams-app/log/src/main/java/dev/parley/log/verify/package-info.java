/**
 * Verification of what an auditor has without the cluster: exports, proofs of single records, and stored heads. Start
 * at {@link dev.parley.log.verify.FileVerification} and {@link dev.parley.log.verify.ProofCheck}.
 */
package dev.parley.log.verify;
