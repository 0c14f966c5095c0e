/** Parley's records as JSON, in one way for the command line and the HTTP API. */
package dev.parley.json;
