/**
 * Witnesses of the audit log (docs/audit.md): submits heads to them, and keeps the cosigned heads. Start with {@link
 * dev.parley.server.witness.WitnessFeature}.
 */
package dev.parley.server.witness;
