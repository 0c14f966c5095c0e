/**
 * Dialogue rules of the Model Context Protocol (docs/protocols.md 5).
 *
 * <p>{@link dev.parley.dialogue.mcp.McpRules} judges one message; {@link dev.parley.dialogue.mcp.McpTurn} follows it
 * through the rules, which {@link dev.parley.dialogue.mcp.McpRule} cites, with the tables of
 * {@link dev.parley.dialogue.mcp.McpMethods}.
 */
package dev.parley.dialogue.mcp;
