package dev.parley.json.model.state;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** The last message or checkpoint that a state includes. */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({@JsonSubTypes.Type(Checkpoint.class), @JsonSubTypes.Type(Setter.class)})
public sealed interface AsOf permits Checkpoint, Setter {

    /** Sender of the message; null if there is none. */
    String sender();
}
