/**
 * Dialogue rules of CSP/1: tasks, results, and names of definitions. Only the list of protocols depends on them. Start
 * at {@link dev.parley.dialogue.csp.CspRules}.
 */
package dev.parley.dialogue.csp;
