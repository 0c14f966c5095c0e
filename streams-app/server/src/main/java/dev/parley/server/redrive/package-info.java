/**
 * Redrive: returns dead letters to the input topics that they came from. The dry run judges dead letters against the
 * current state with the stages of the pipeline. Only the list of features uses it. Start with
 * {@link dev.parley.server.redrive.RedriveFeature}, then {@link dev.parley.server.redrive.RedriveRules}.
 */
package dev.parley.server.redrive;
