/** The parley command: one class for each subcommand. Here alone the parts are wired together. */
package dev.parley.cli;
