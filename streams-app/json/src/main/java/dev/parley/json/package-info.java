/**
 * JSON form of Avro records, and the mapper of results. Command line and HTTP API use it; it knows neither of them.
 * Start with {@link dev.parley.json.ApiJson} for results, and with {@link dev.parley.json.AvroJson} for records.
 */
package dev.parley.json;
