/**
 * The HTTP API: conversations, checkpoints, states, dead letters, accounting, health and metrics. It reads stores and never writes; what it
 * reads is behind {@link dev.parley.query.Views}. Its paths, parameters and schemas are public contract and stand in openapi.yaml.
 */
package dev.parley.query;
