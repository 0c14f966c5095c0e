package dev.parley.dialogue;

import dev.parley.avro.DialogueState;
import dev.parley.decode.ExtensionForm;
import dev.parley.decode.WireProtocol;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/**
 * Dialogue part of a protocol: its rules, and the field of its state in stored states.
 *
 * @param <D> its dialogue state; no two protocols share a type
 * @param wire its wire part
 * @param stateType generated record of its dialogue state
 * @param getter reads its dialogue state from a stored state; returns null if there is none
 * @param setter writes its dialogue state into a stored state
 */
public record DialogueProtocol<D extends SpecificRecord>(
        WireProtocol<?> wire,
        Class<D> stateType,
        Function<DialogueState, D> getter,
        BiConsumer<DialogueState, D> setter,
        Function<DialogueSettings, ProtocolRules<D>> rules) {

    /**
     * Creates a protocol whose dialogue state is in the field {@code extension} of stored states.
     *
     * @param wire its wire part
     * @param stateType generated record of its dialogue state
     * @param earlier schemas with which earlier versions wrote its dialogue state
     */
    public static <D extends SpecificRecord> DialogueProtocol<D> extension(
            WireProtocol<?> wire,
            Class<D> stateType,
            Function<DialogueSettings, ProtocolRules<D>> rules,
            Schema... earlier) {
        ExtensionForm<D> form = new ExtensionForm<>(wire.name(), stateType, List.of(earlier));
        return new DialogueProtocol<>(
                wire,
                stateType,
                stored -> form.read(stored.getExtension()),
                (stored, state) -> stored.setExtension(form.write(state)),
                rules);
    }
}
