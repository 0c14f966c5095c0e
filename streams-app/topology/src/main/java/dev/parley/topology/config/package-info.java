/** Configuration keys with types, defaults and documentation, and the precedence of their sources. */
package dev.parley.topology.config;
