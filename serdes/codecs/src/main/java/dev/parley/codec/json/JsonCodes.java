package dev.parley.codec.json;

import dev.parley.codec.Code;

/**
 * What a protocol calls the lexical errors of JSON.
 *
 * @param notJson the bytes are not one JSON value
 * @param badUtf8 a byte is not valid UTF-8
 * @param trailingData more than white space follows the value
 * @param duplicateKey a key is repeated in its object
 */
public record JsonCodes(Code notJson, Code badUtf8, Code trailingData, Code duplicateKey) {}
