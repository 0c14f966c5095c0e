/**
 * The contract that all wire codecs share: {@link dev.parley.codec.WireCodec}, its results and its {@link dev.parley.codec.Code codes}. One
 * package below this one for each protocol. Nothing here knows Kafka.
 */
package dev.parley.codec;
