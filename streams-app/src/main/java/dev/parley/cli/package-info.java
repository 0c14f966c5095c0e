/**
 * The parley command: one class for each subcommand. Nothing but the demo depends on it. Start reading at {@link
 * dev.parley.cli.Parley}.
 */
package dev.parley.cli;
