/**
 * Commands that decode, judge, rebuild and explain without a broker; with {@code --url}, the queries about states go to
 * a running Parley. Only the root command depends on it; it depends neither on Kafka nor on the HTTP server. Start with
 * {@link dev.parley.cli.offline.JudgeCommand}.
 */
package dev.parley.cli.offline;
