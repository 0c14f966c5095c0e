package dev.parley.dialogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.CspDialogue;
import dev.parley.avro.DialogueState;
import dev.parley.avro.Extension;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.LambdaState;
import dev.parley.avro.SlipDialogue;
import dev.parley.avro.SlipMessage;
import dev.parley.avro.SubitDialogue;
import dev.parley.avro.SubitState;
import dev.parley.codec.slip.SlipCodec;
import dev.parley.decode.WireProtocol;
import dev.parley.protocol.Protocols;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.message.MissingSchemaException;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** States of conversations and their form in stores. */
class StoredStatesTest {
    private static final StoredStates FORM = Protocols.STANDARD.storedStates();
    private static final ByteBuffer HASH = ByteBuffer.wrap(new byte[] {1, 2});

    static Stream<SpecificRecord> dialogues() {
        return Stream.of(
                DialogueMessages.slipDialogue(7, List.of()),
                new SubitDialogue(SubitState.PLAN, "a", List.of()),
                new CspDialogue(List.of()),
                new LambdaDialogue(LambdaState.SAID, List.of(), false, null, 1, List.of()));
    }

    @ParameterizedTest
    @MethodSource("dialogues")
    void aStateComesBackFromItsForm(SpecificRecord dialogue) {
        ConversationState state = new ConversationState(new ChainHead(17, HASH, 3), 5, new Dialogue(dialogue, false));
        DialogueState stored = FORM.write(state);
        assertThat(FORM.read(stored, OlderItems.Source.EMPTY)).isEqualTo(state);
        assertThat(Stream.<SpecificRecord>of(stored.getSlip(), stored.getSubit(), stored.getCsp(), stored.getLambda())
                        .filter(part -> part != null)
                        .toList())
                .isEqualTo(List.of(dialogue));
        assertThat(stored.getExtension()).isNull();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStateWithoutADialogueComesBackToo(boolean incomplete) {
        ConversationState state = new ConversationState(new ChainHead(1, HASH, 0), 9, new Dialogue(null, incomplete));
        assertThat(FORM.read(FORM.write(state), OlderItems.Source.EMPTY)).isEqualTo(state);
    }

    @Test
    void anExtensionOfAnEarlierVersionIsReadIfTheProtocolNamesItsSchema() throws IOException {
        Schema earlier = Schema.createRecord("SlipDialogue", null, "dev.parley.avro", false);
        earlier.setFields(SlipDialogue.getClassSchema().getFields().stream()
                .filter(field -> !field.name().equals("tasks"))
                .map(field -> new Schema.Field(field, field.schema()))
                .toList());
        SlipDialogue dialogue = DialogueMessages.slipDialogue(7, List.of());
        GenericData.Record before = new GenericData.Record(earlier);
        earlier.getFields().forEach(field -> before.put(field.name(), dialogue.get(field.pos())));
        DialogueState stored = new DialogueState();
        stored.setExtension(new Extension(
                "PING", new BinaryMessageEncoder<GenericRecord>(SpecificData.get(), earlier).encode(before)));
        WireProtocol<SlipMessage> wire = WireProtocol.extension("PING", new SlipCodec(), SlipMessage.class);

        assertThat(DialogueProtocol.extension(wire, SlipDialogue.class, SlipRules::new, earlier)
                        .getter()
                        .apply(stored))
                .isEqualTo(dialogue);
        assertThatThrownBy(() -> DialogueProtocol.extension(wire, SlipDialogue.class, SlipRules::new)
                        .getter()
                        .apply(stored))
                .isInstanceOf(MissingSchemaException.class);
    }

    @Test
    void aMissingStateIsNull() {
        assertThat(FORM.read(null, OlderItems.Source.EMPTY)).isNull();
        assertThat(FORM.read(FORM.write(ConversationState.NEW), OlderItems.Source.EMPTY))
                .isEqualTo(ConversationState.NEW);
    }
}
