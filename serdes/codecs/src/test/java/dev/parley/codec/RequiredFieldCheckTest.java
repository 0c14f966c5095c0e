package dev.parley.codec;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.avro.SubitMessage;
import dev.parley.codec.csp.CspMessages;
import dev.parley.codec.subit.SubitBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.generic.IndexedRecord;
import org.junit.jupiter.api.Test;

class RequiredFieldCheckTest {

    @Test
    void aNullableFieldMayBeNull() {
        assertThatCode(() -> RequiredFieldCheck.require(SubitBuilder.state(1).build()))
                .doesNotThrowAnyException();
    }

    @Test
    void theFieldIsNamedWithItsPath() {
        CspMessage patch = CspMessages.of("ada", "bob", "C0")
                .patch("P1", "C0", "C1")
                .add("A", "x")
                .build();
        patch.setOperations(List.of(
                patch.getOperations().get(0), new CspOperation(CspOperator.REMOVE, "B", null), new CspOperation()));
        requireNamed(patch, "operations[2].operator: ");
        patch.setOperations(new ArrayList<>(Arrays.asList(patch.getOperations().get(0), null)));
        requireNamed(patch, "operations[1]: ");
        SubitMessage state = SubitBuilder.state(1).build();
        state.setForms(Arrays.asList(1, null));
        requireNamed(state, "forms[1]: ");
    }

    private static void requireNamed(IndexedRecord record, String field) {
        assertThatThrownBy(() -> RequiredFieldCheck.require(record))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(field);
    }
}
