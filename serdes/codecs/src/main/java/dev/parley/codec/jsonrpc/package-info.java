/**
 * JSON-RPC 2.0 and the facts that a capture adds to its messages, for the codecs of protocols that are built on it.
 *
 * <p>{@link dev.parley.codec.jsonrpc.JsonRpcReader} reads one message or batch in one pass, and passes the members of
 * parameters, result and error to the reader of the protocol. {@link dev.parley.codec.jsonrpc.JsonRpcWriter} writes the
 * canonical form. {@link dev.parley.codec.jsonrpc.CaptureHeaders} reads record headers (docs/capture.md).
 */
package dev.parley.codec.jsonrpc;
