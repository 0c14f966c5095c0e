/** JSON form of records and query results, shared by command line and HTTP API. Depends on neither of them. */
package dev.parley.json;
