/**
 * Glosses: one English sentence for each decoded message, for people who do not read the wire form. A gloss is
 * deterministic, bounded and one line, and it is computed on read. Each protocol has a {@link
 * dev.parley.gloss.Glosser}; {@code dev.parley.protocol.Glosses} finds it for a message. Start with
 * {@link dev.parley.gloss.Glosser}.
 */
package dev.parley.gloss;
