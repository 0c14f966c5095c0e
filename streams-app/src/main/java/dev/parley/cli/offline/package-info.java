/**
 * Commands that judge, rebuild, and explain a transcript without a broker; with {@code --url} the same questions go to
 * a running Parley. Only the root command depends on it, and it knows neither Kafka nor HTTP. Start at {@link
 * dev.parley.cli.offline.JudgeCommand}.
 */
package dev.parley.cli.offline;
