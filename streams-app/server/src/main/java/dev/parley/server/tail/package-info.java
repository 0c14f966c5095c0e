/**
 * Live tail: audit records as they are committed, filtered, and resumable from any position. Each reader has a consumer
 * of its own, so its position is the only state. Only the list of features and commands use it. Start
 * with {@link dev.parley.server.tail.TailFeature}, then
 * {@link dev.parley.server.tail.TailReader}.
 */
package dev.parley.server.tail;
