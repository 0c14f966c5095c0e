package dev.parley.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.dialogue.CspNames;
import dev.parley.dialogue.StateBytes;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatchOperationsTest {
    private static final ByteBuffer PARENT = ByteBuffer.wrap(new byte[] {1, 2, 3});

    @Test
    void theFirstNameThatStandsAgainIsTold() {
        assertThat(CspNames.repeatedName(List.of())).isNull();
        assertThat(CspNames.repeatedName(List.of(add("A", "1")))).isNull();
        assertThat(CspNames.repeatedName(List.of(add("A", "1"), add("B", "1")))).isNull();
        assertThat(CspNames.repeatedName(List.of(add("A", "1"), remove("B"), change("B", "2"), remove("A"))))
                .isEqualTo("B");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "A", "\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "λ v0.6", "€uro", "😀", "a😀é\ue000b"
            })
    void theLengthIsThatOfTheUtf8(String text) {
        assertThat(StateBytes.of(text)).isEqualTo(text.getBytes(UTF_8).length);
    }

    @Test
    void aPatchWeighsWhatItsNamesAndValuesWeighAndThirtyTwoMore() {
        assertThat(PatchOperations.weight(List.of())).isEqualTo(32);
        assertThat(PatchOperations.weight(List.of(add("AB", "xyz"), change("é", "€"), remove("LONG"))))
                .isEqualTo(32 + 2 + 3 + 2 + 3 + 4);
    }

    @Test
    void theStateGrowsByWhatTheOperationsChange() {
        Map<String, Definition> state =
                Map.of("A", new Definition("1", 1), "BB", new Definition("22", 1), "CCC", new Definition("é", 1));
        assertThat(PatchOperations.growth(List.of(add("DDDD", "€")), state)).isEqualTo(4 + 3);
        assertThat(PatchOperations.growth(List.of(change("CCC", "12345")), state))
                .isEqualTo(5 - 2);
        assertThat(PatchOperations.growth(List.of(remove("BB")), state)).isEqualTo(-4);
        assertThat(PatchOperations.growth(List.of(remove("A"), add("E", ""), change("BB", "")), state))
                .isEqualTo(-2 + 1 - 2);
    }

    @Test
    void theHashIsThatOfTheDocumentedBytes() throws Exception {
        List<CspOperation> operations = List.of(add("A", "1"), change("B", ""), remove("Ç"));
        assertThat(PatchOperations.hash(PARENT, "C1", "P1", operations))
                .isEqualTo(recomputed(PARENT, "C1", "P1", operations));
        assertThat(PatchOperations.hash(PARENT, "", "", List.of())).isEqualTo(recomputed(PARENT, "", "", List.of()));
        assertThat(PARENT.remaining()).isEqualTo(3);
    }

    @Test
    void lengthsCountInAllTheirFourBytes() throws Exception {
        for (int length : new int[] {0x41, 0x4142, 0x414243, 0x1000001}) {
            List<CspOperation> operations = List.of(add("A", "x".repeat(length)));
            assertThat(PatchOperations.hash(PARENT, "C1", "P1", operations))
                    .isEqualTo(recomputed(PARENT, "C1", "P1", operations));
        }
    }

    @Test
    @SuppressWarnings("ByteBufferBackingArray")
    void aKnownHashNeverChanges() {
        ByteBuffer hash =
                PatchOperations.hash(PARENT, "C1", "P1", List.of(add("A", "1"), change("B", "2"), remove("D")));
        assertThat(HexFormat.of().formatHex(hash.array()))
                .isEqualTo("f026464ea1da0458c978510a49b78b6b6ee831a5df05452279787a5ce672d0a7");
    }

    @SuppressWarnings("ByteBufferBackingArray")
    private static ByteBuffer recomputed(ByteBuffer parent, String id, String patch, List<CspOperation> operations)
            throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(parent.array());
        text(out, id);
        text(out, patch);
        out.writeInt(operations.size());
        for (CspOperation operation : operations) {
            out.writeByte(
                    switch (operation.getOperator()) {
                        case ADD -> '+';
                        case CHANGE -> '~';
                        default -> '-';
                    });
            text(out, operation.getName());
            if (operation.getValue() != null) {
                text(out, operation.getValue());
            }
        }
        return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray()));
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static CspOperation add(String name, String value) {
        return new CspOperation(CspOperator.ADD, name, value);
    }

    private static CspOperation change(String name, String value) {
        return new CspOperation(CspOperator.CHANGE, name, value);
    }

    private static CspOperation remove(String name) {
        return new CspOperation(CspOperator.REMOVE, name, null);
    }
}
