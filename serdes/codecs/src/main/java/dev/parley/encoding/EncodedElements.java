package dev.parley.encoding;

import java.util.List;

/**
 * The elements of a list in an encoded record: objects and positions. {@link CopyingOutput} encodes a changed copy of
 * the list by copying the bytes of elements that are the same objects.
 *
 * @param items the elements; must not be changed
 * @param positions position of each element in the encoding, then the end of the last one
 * @param encoding the complete encoding; must not be changed
 */
public record EncodedElements(List<?> items, int[] positions, byte[] encoding) {}
