/**
 * The command {@code parley tap}: passes the traffic of MCP clients and servers on unchanged, and records it as
 * docs/capture.md defines.
 */
package dev.parley.tap;
