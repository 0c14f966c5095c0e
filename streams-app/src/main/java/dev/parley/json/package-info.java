/** JSON form of Parley's Avro records, shared by the command line and the HTTP API. */
package dev.parley.json;
