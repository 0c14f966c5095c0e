/**
 * Reads and writes JSON (RFC 8259) for the codecs of protocols that use it. Parley scans JSON itself, because errors
 * need exact codes and byte offsets, and limits must hold before memory is allocated.
 *
 * <p>{@link dev.parley.codec.json.JsonScanner} reads one token after the other, with
 * {@link dev.parley.codec.json.JsonStrings} for strings (eight bytes at a time with {@link dev.parley.codec.SwarBytes})
 * and {@link dev.parley.codec.json.JsonWords} for numbers and literals. {@link dev.parley.codec.json.JsonValues} reads
 * whole values, {@link dev.parley.codec.json.JsonMembers} objects of other formats, and
 * {@link dev.parley.codec.json.JsonWriter} writes compact JSON. {@link dev.parley.codec.json.MaskRules} mask values.
 */
package dev.parley.codec.json;
