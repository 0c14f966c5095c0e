package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Builds a PATCH. Its operations are in the order of the calls, and no two have the same name. See {@link CspMessages}.
 */
public final class CspPatchBuilder extends CspBuilder<CspPatchBuilder> {
    private final Set<String> names = new HashSet<>();

    CspPatchBuilder(CspMessage message, String base, String target) {
        super(message);
        CspText.require(!CspText.line("BASE", base).isEmpty(), "BASE", "must not be empty");
        CspText.require(!CspText.word("target", target).equals(base), "target", "must differ from the base");
        message.setBase(base);
        message.setTarget(target);
        message.setOperations(new ArrayList<>());
    }

    /**
     * {@code + DEF name = value}: adds a definition that the base does not have.
     *
     * @param name one word
     * @param value one line, possibly empty
     */
    public CspPatchBuilder add(String name, String value) {
        return operation(new CspOperation(CspOperator.ADD, name, required(value)));
    }

    /**
     * {@code ~ DEF name := value}: changes the value of a definition of the base.
     *
     * @param name one word
     * @param value one line, possibly empty
     */
    public CspPatchBuilder change(String name, String value) {
        return operation(new CspOperation(CspOperator.CHANGE, name, required(value)));
    }

    /** {@code - DEF name}: removes a definition of the base. */
    public CspPatchBuilder remove(String name) {
        return operation(new CspOperation(CspOperator.REMOVE, name, null));
    }

    @Override
    CspPatchBuilder self() {
        return this;
    }

    private CspPatchBuilder operation(CspOperation operation) {
        CspChecks.operation(operation);
        CspText.require(
                names.add(operation.getName()), "operations", "must not contain " + operation.getName() + " twice");
        message.getOperations().add(operation);
        return this;
    }

    private static String required(String value) {
        return Objects.requireNonNull(value, "value");
    }
}
