/**
 * The conformance kit: language-neutral vectors for codecs, records and dialogues, what runs them, and the guide to the codes that is made from them.
 */
package dev.parley.conformance;
