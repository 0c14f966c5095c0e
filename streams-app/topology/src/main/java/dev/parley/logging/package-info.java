/**
 * Log layouts that prevent names and messages of agents and clients from forging log lines, and limits of the number of
 * lines. Topology, server and commands use them, and the files of logback name them. Start at
 * {@link dev.parley.logging.LogText}.
 */
package dev.parley.logging;
