/** Log layouts that prevent names and messages of agents and clients from forging log lines. */
package dev.parley.logging;
