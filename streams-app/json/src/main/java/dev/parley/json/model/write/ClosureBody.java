package dev.parley.json.model.write;

import java.util.List;

/**
 * The body of a request to close or reopen dead letters, as it is sent; absent members are null.
 *
 * @param ids the dead letters
 * @param reason reason for the change
 */
public record ClosureBody(List<String> ids, String reason) {}
