/**
 * Results of the requests of the HTTP API that write: ingest, redaction and redrive. Their features return
 * them, and the command line reads them. Start at {@link dev.parley.json.model.write.Ingested}.
 */
package dev.parley.json.model.write;
