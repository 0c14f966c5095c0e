/**
 * The Model Context Protocol, versions 2024-11-05 to 2026-07-28, over stdio and HTTP.
 *
 * <p>{@link dev.parley.codec.mcp.McpCodec} is the codec; {@link dev.parley.codec.mcp.McpReader} notes what queries and
 * dialogue rules need in the JSON-RPC message that {@link dev.parley.codec.jsonrpc} reads.
 */
package dev.parley.codec.mcp;
