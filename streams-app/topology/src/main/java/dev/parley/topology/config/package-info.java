/**
 * Configuration keys of the topology with types, defaults and documentation, and the precedence of their sources. The
 * applications, the server, which adds its own groups of keys, and the commands use it. Start with
 * {@link dev.parley.topology.config.ParleyConfig}.
 */
package dev.parley.topology.config;
