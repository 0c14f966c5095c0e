/**
 * Redrive: returns dead letters to the input topics that they came from. Contains its rules, their order, and the dry
 * run, which judges dead letters against the current state with the stages of the pipeline. Depends on {@code core} and
 * {@code topology}; {@code server} has the Kafka clients, {@code query.api} the HTTP routes. Start with
 * {@link dev.parley.server.redrive.RedriveRules}.
 */
package dev.parley.server.redrive;
