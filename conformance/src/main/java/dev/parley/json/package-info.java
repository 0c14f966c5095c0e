/**
 * The JSON form of Avro records, which vectors, exports, commands and the HTTP API share. It depends on Avro and
 * Jackson only; every package above the core may use it. Start reading at {@link dev.parley.json.AvroJson}.
 */
package dev.parley.json;
