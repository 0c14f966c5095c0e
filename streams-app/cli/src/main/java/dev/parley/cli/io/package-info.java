/**
 * Code that commands share: the base of a command, its configuration and other options, JSON lines, tables, and files
 * that are written safely. Commands, demo, SQL engine and load depend on it; it depends on no command. Start with
 * {@link dev.parley.cli.io.BaseCommand}.
 */
package dev.parley.cli.io;
