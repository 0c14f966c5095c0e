/** What can be configured: keys, types, defaults and documentation in Kafka's own ConfigDef, and the one order in which sources win. */
package dev.parley.config;
