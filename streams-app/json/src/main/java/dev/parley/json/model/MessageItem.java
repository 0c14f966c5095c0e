package dev.parley.json.model;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** An item of a list of messages: the message, or with {@code view=summary} a row of a timeline. */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({@JsonSubTypes.Type(Message.class), @JsonSubTypes.Type(MessageRow.class)})
public sealed interface MessageItem permits Message, MessageRow {}
