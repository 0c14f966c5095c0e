/**
 * The dialogue rules of CSP/1: tasks, results, and the names of definitions. Only the list of protocols and the text
 * that a state keeps depend on it. Start at {@link dev.parley.dialogue.csp.CspRules}.
 */
package dev.parley.dialogue.csp;
