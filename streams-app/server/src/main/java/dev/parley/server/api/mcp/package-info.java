/** The API as a server of MCP: its tools are requests of the API. */
package dev.parley.server.api.mcp;
