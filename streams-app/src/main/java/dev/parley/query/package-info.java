/**
 * The HTTP API: conversations, checkpoints, states, dead letters, accounting, health and metrics. It reads stores and
 * never writes; what it reads is behind {@link dev.parley.query.Views}, and who sends dead letters again behind
 * {@link dev.parley.query.Redrive}. Who gets in, and who may do what, is decided in one place before any handler runs.
 * Its paths, parameters and schemas are public contract and stand in openapi.yaml.
 */
package dev.parley.query;
