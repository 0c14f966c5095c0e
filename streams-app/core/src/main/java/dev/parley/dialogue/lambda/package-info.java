/**
 * Dialogue rules of Λ v0.6: its transition table, agreements, definitions, turns, and relays. Only the list of
 * protocols depends on it. Start at {@link dev.parley.dialogue.lambda.LambdaRules}.
 */
package dev.parley.dialogue.lambda;
