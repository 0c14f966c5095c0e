/**
 * The command {@code tools/load/run}, which starts each run of load. Nothing depends on it. Start with {@link
 * dev.parley.load.cli.LoadCommand}.
 */
package dev.parley.load.cli;
