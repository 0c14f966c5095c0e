package dev.parley.codec.csp;

import dev.parley.avro.CspField;
import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.codec.DecodeOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Builds the message of one body block; see {@link CspMessages} for the contract.
 *
 * @param <B> the builder itself
 */
public abstract sealed class CspBuilder<B extends CspBuilder<B>> {
    private static final CspCodec CODEC = new CspCodec();

    /** The message under construction. */
    final CspMessage message;

    final CspBlock block;
    private final List<CspField> headerFields = new ArrayList<>();
    private final List<CspField> fields = new ArrayList<>();
    private boolean strict = true;

    CspBuilder(CspMessage message) {
        this.message = message;
        this.block = CspBlock.of(message.getIntent());
    }

    /**
     * Adds a header key that CSP/1 does not define. The strict profile refuses it, unless it is DEF or LAWS.
     *
     * @param key upper-case letters, digits and underscores, starting with a letter; only DEF and LAWS may be repeated
     * @param value one line, possibly empty
     */
    public final B header(String key, String value) {
        CspField field = new CspField(key, value);
        CspChecks.headerField(field);
        addOnce(headerFields, "headerFields", field, false);
        return self();
    }

    /**
     * Adds a key that CSP/1 does not define for the block. The strict profile refuses it, unless it is DEF or LAWS or
     * the block is a PLAN, a QUERY or a MEM.
     *
     * @param key as in {@link #header}; in a PLAN, a QUERY or a MEM any key may be repeated
     * @param value one or several lines, possibly empty
     */
    public final B field(String key, String value) {
        CspField field = new CspField(key, value);
        CspText.require(
                !CspChecks.isData(field), "fields", "must not contain DATA, which extends to the end of the message");
        CspChecks.field(block, field);
        addOnce(fields, "fields", field, block.isGeneric());
        return self();
    }

    /**
     * Builds the message.
     *
     * @throws IllegalArgumentException if a key is missing, or the message exceeds
     *     {@link dev.parley.codec.Limits#DEFAULT}
     */
    public final CspMessage build() {
        message.setHeaderFields(headerFields);
        message.setFields(allFields(fields));
        CspRequirements.check(message, block, (invalid, code, detail) -> {
            throw new IllegalArgumentException(code + ": " + detail);
        });
        return CODEC.verify(message, strict ? DecodeOptions.STRICT : DecodeOptions.LENIENT);
    }

    @SuppressWarnings("unchecked") // B is the class of the builder itself.
    private B self() {
        return (B) this;
    }

    List<CspField> allFields(List<CspField> keys) {
        return keys;
    }

    /** Sets a key of the block. */
    final B set(CspKey key, String value) {
        BiConsumer<String, String> check =
                key == CspKey.DATA ? CspText::data : key.isOneLine() ? CspText::line : CspText::value;
        check.accept(key.name(), value);
        CspChecks.value(block, key, value);
        key.set(message, value);
        return self();
    }

    /** Notes that the message deviates from the document's form. */
    final void deviates() {
        strict = false;
    }

    private void addOnce(List<CspField> list, String field, CspField added, boolean repeatable) {
        if (!CspUnknownKeys.isDefinition(added.getKey()) && !repeatable) {
            for (CspField other : list) {
                CspText.require(
                        !other.getKey().equals(added.getKey()), field, "must not contain %s twice", added.getKey());
            }
            deviates();
        }
        list.add(added);
    }

    /** Builds a TASK. */
    public static final class Task extends CspBuilder<Task> {

        Task(CspMessage message, String request) {
            super(message);
            set(CspKey.REQ, request);
        }

        /** IN: the subject of the task, often a comma-separated list of definitions. */
        public Task scope(String scope) {
            return set(CspKey.IN, scope);
        }

        /** OUT: the type of the expected output. */
        public Task output(String output) {
            return set(CspKey.OUT, output);
        }

        /** OWNER: the agent responsible for the task. */
        public Task owner(String owner) {
            return set(CspKey.OWNER, owner);
        }

        /** PRIORITY: P1, P2 or P3. */
        public Task priority(String priority) {
            return set(CspKey.PRIORITY, priority);
        }
    }

    /** Builds a RESULT. */
    public static final class Result extends CspBuilder<Result> {

        Result(CspMessage message, String status) {
            super(message);
            set(CspKey.STATUS, status);
        }

        /** PRODUCED: the outcome of the task. */
        public Result produced(String produced) {
            return set(CspKey.PRODUCED, produced);
        }

        /**
         * Sets DATA, the last part of the message: text without tabs, carriage returns, or white space at either end.
         */
        public Result data(String data) {
            return set(CspKey.DATA, data);
        }
    }

    /** Builds an ERROR. */
    public static final class Error extends CspBuilder<Error> {

        Error(CspMessage message, String at) {
            super(message);
            set(CspKey.AT, at);
        }

        /** CAUSE: the reason. */
        public Error cause(String cause) {
            return set(CspKey.CAUSE, cause);
        }

        /** NEXT: the action to take. */
        public Error next(String action) {
            return set(CspKey.NEXT, action);
        }
    }

    /**
     * Builds a PATCH. Its operations are in the order of the calls, and no two have the same name.
     */
    public static final class Patch extends CspBuilder<Patch> {
        private final Set<String> names = new HashSet<>();

        Patch(CspMessage message, String base, String target) {
            super(message);
            set(CspKey.BASE, base);
            set(CspKey.APPLY, target);
            CspText.require(!target.equals(base), "target", "must differ from the base");
            message.setOperations(new ArrayList<>());
        }

        /**
         * {@code + DEF name = value}: adds a definition that the base does not have.
         *
         * @param name one word
         * @param value one line, possibly empty
         */
        public Patch add(String name, String value) {
            return operation(new CspOperation(CspOperator.ADD, name, Objects.requireNonNull(value, "value")));
        }

        /**
         * {@code ~ DEF name := value}: changes the value of a definition of the base.
         *
         * @param name one word
         * @param value one line, possibly empty
         */
        public Patch change(String name, String value) {
            return operation(new CspOperation(CspOperator.CHANGE, name, Objects.requireNonNull(value, "value")));
        }

        /** {@code - DEF name}: removes a definition of the base. */
        public Patch remove(String name) {
            return operation(new CspOperation(CspOperator.REMOVE, name, null));
        }

        private Patch operation(CspOperation operation) {
            CspChecks.operation(operation);
            CspText.require(
                    names.add(operation.getName()), "operations", "must not contain %s twice", operation.getName());
            message.getOperations().add(operation);
            return this;
        }
    }

    /** Builds a FILE message. */
    public static final class File extends CspBuilder<File> {

        File(CspMessage message, String path, String base, String content) {
            super(message);
            set(CspKey.PATH, path);
            set(CspKey.BASE, base);
            message.setFileOperation(CspBlock.PATCH.name());
            message.setContent(CspText.content("content", content));
            message.setContentHeredoc(true);
        }

        /** Sets another operation than PATCH, one word. CSP/1 defines no other; the strict profile refuses it. */
        public File operation(String operation) {
            message.setFileOperation(CspText.word("fileOperation", operation));
            deviates();
            return this;
        }
    }

    /** Builds a PLAN, a QUERY or a MEM with an optional ID, text, keys and data. */
    public static final class FreeForm extends CspBuilder<FreeForm> {
        private CspField text;
        private CspField data;

        FreeForm(CspMessage message) {
            super(message);
        }

        /** Sets the ID on the block's first line, one word. */
        public FreeForm id(String id) {
            message.setId(CspChecks.name("id", CspText.word("id", id)));
            return this;
        }

        /** Sets the lines below the block's first line. None may start with an upper-case word. */
        public FreeForm text(String lines) {
            Objects.requireNonNull(lines, "lines");
            text = new CspField(block.name(), CspText.value("fields", '\n' + lines));
            return this;
        }

        /**
         * Sets DATA, the last part of the message: text without tabs, carriage returns, or white space at either end.
         */
        public FreeForm data(String value) {
            CspField field = new CspField(CspKey.DATA.name(), value);
            CspChecks.field(block, field);
            data = field;
            return this;
        }

        @Override
        List<CspField> allFields(List<CspField> keys) {
            List<CspField> all = new ArrayList<>(keys.size() + 2);
            if (text != null) {
                all.add(text);
            }
            all.addAll(keys);
            if (data != null) {
                all.add(data);
            }
            return all;
        }
    }
}
