/** Parley's records and answers as JSON, in one way for the command line and the HTTP API. Knows neither of the two. */
package dev.parley.json;
