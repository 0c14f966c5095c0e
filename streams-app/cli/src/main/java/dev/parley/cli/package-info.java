/**
 * The parley command: one class per subcommand. Only the demo depends on it. Start with {@link dev.parley.cli.Parley}.
 */
package dev.parley.cli;
