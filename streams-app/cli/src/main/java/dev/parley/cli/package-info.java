/**
 * The parley command: one class per subcommand. The demo and the SQL engine are its services.
 * Start with {@link dev.parley.cli.Parley}.
 */
package dev.parley.cli;
