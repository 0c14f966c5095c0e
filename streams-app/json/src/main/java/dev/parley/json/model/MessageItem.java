package dev.parley.json.model;

/** An item of a list of messages: the message, or with {@code view=summary} a row of a timeline. */
public sealed interface MessageItem permits Message, MessageRow {}
