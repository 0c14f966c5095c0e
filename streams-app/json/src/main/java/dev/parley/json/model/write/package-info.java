/**
 * Results of the requests of the HTTP API that write: ingest, redaction and redrive. Start at {@link
 * dev.parley.json.model.write.Ingested}.
 */
package dev.parley.json.model.write;
