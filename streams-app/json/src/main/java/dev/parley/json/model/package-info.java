/**
 * Results of the HTTP API as records: one for each object, with one component for each key. The handlers return them,
 * instances exchange them, and the command line reads them; {@code OpenApiSchemasTest} compares them with openapi.yaml.
 * Start at {@link dev.parley.json.model.Conversation}. Results about states are in {@code dev.parley.state}, those of
 * requests that write in {@code dev.parley.json.model.write}.
 */
package dev.parley.json.model;
