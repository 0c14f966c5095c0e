package dev.parley.json.model.state;

/** The result of a query for a difference: all of it, or a page of its changes. */
public sealed interface DiffResult permits Diff, DiffPage {}
