/** A long run under full load that measures memory. */
package dev.parley.load.process;
