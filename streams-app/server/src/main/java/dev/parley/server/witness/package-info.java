/**
 * Witnesses of the audit log (docs/audit.md): submits heads to them, and keeps the cosigned heads. The log routes
 * read these through {@link dev.parley.server.api.CosignedHeads}. Start with
 * {@link dev.parley.server.witness.WitnessFeature}.
 */
package dev.parley.server.witness;
