/** The command {@code tools/load/run}. Start with {@link dev.parley.load.cli.LoadCommand}. */
package dev.parley.load.cli;
