/**
 * The parley command: one class per subcommand. Only its services depend on it: the demo and the SQL engine. Start
 * with {@link dev.parley.cli.Parley}.
 */
package dev.parley.cli;
