/**
 * Results of the requests of the HTTP API that write: ingest, redaction and redrive; and the body of a redrive. Their
 * features return the results, and the command line reads them. Start at {@link dev.parley.json.model.write.Ingested}.
 */
package dev.parley.json.model.write;
