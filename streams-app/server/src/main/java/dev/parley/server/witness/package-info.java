/**
 * Witnesses of the audit log (docs/audit.md): submits heads to them, and keeps the cosigned heads. The log routes
 * read these through {@link dev.parley.server.feature.CosignedHeads}. Only the list of features uses it; the server of
 * {@code parley witness} is {@link dev.parley.server.http.WitnessServer}. Start with
 * {@link dev.parley.server.witness.WitnessFeature}.
 */
package dev.parley.server.witness;
