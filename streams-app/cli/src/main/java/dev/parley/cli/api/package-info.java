/**
 * The client of Parley's HTTP API, and what commands that use it share: its options, queries, pages, and the stream of
 * events. Start with {@link dev.parley.cli.api.ApiClient}.
 */
package dev.parley.cli.api;
