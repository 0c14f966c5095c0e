package dev.parley.json.model.state;

/** The result of a query for a state: all of it, or a page of its entries. */
public sealed interface StateResult permits State, StatePage {}
