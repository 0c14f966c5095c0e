/** A long run under full load that checks memory. Start with {@link dev.parley.load.soak.Soak}. */
package dev.parley.load.soak;
