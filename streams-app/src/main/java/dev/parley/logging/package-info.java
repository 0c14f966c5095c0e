/** Layouts of the log in which no name or message of an agent or client can pass for something else. */
package dev.parley.logging;
