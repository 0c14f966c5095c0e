package dev.parley.codec.jsonrpc;

import dev.parley.codec.Code;
import dev.parley.codec.json.JsonCodes;

/**
 * What a protocol calls the errors and violations of JSON-RPC.
 *
 * @param json errors of JSON
 * @param notMessage the JSON is no JSON-RPC message
 * @param version jsonrpc is not "2.0"
 * @param id the ID is neither a string nor an integer
 * @param params the parameters are not an object
 * @param response a response does not have either a result, which is an object, or an error with code and message
 */
public record JsonRpcCodes(JsonCodes json, Code notMessage, Code version, Code id, Code params, Code response) {}
