package dev.parley.gloss;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.CspField;
import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.dialogue.CspNames;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Glosses of CSP/1: who gives whom which task, result, error, patch or file. Names that the checkpoint of the message
 * defines are expanded where they first occur.
 */
public final class CspGlosser implements Glosser {
    /** Maximum number of operations or fields. */
    private static final int MAX_ITEMS = 4;

    @Override
    public void write(AgentMessage message, Definitions definitions, Sentence sentence) {
        CspMessage csp = message.getCsp();
        new Writer(definitions, sentence).message(csp);
    }

    /**
     * The gloss of the patch that made a checkpoint, for a reader that has the checkpoint and not the message.
     *
     * @param checkpoint a checkpoint other than the root
     */
    public static String patch(Checkpoint checkpoint) {
        Sentence sentence = new Sentence();
        Writer writer = new Writer(Definitions.NONE, sentence);
        writer.value(checkpoint.getSender(), "An agent").add(" patches ");
        writer.change(checkpoint.getParent(), checkpoint.getId(), checkpoint.getPatch());
        writer.operations(checkpoint.getOperations());
        return sentence.toString();
    }

    /** Writes one message. */
    private static final class Writer {
        private final Definitions definitions;
        private final Sentence sentence;
        private final Set<String> expanded = new HashSet<>();

        Writer(Definitions definitions, Sentence sentence) {
            this.definitions = definitions;
            this.sentence = sentence;
        }

        void message(CspMessage csp) {
            sentence.value(csp.getSender());
            switch (csp.getIntent()) {
                case TASK -> task(csp);
                case RESULT -> result(csp);
                case ERROR -> error(csp);
                case PATCH -> {
                    sentence.add(" patches ");
                    change(csp.getBase(), csp.getTarget(), csp.getId());
                    sentence.add(" for ").value(csp.getRecipient());
                    operations(csp.getOperations());
                }
                case FILE -> file(csp);
                case QUERY -> free(csp, " asks ", " a question");
                case PLAN -> free(csp, " gives ", " a plan");
                case MEM -> free(csp, " tells ", " what to remember");
                case UNKNOWN -> free(csp, " sends ", " a message");
            }
        }

        private void task(CspMessage csp) {
            sentence.add(" gives ").value(csp.getRecipient()).add(" task ").value(csp.getId());
            text(": ", csp.getRequest());
            text(" in ", csp.getScope());
            if (isPresent(csp.getOwner()) && !CspNames.lists(csp.getRecipient(), csp.getOwner())) {
                sentence.add(", owned by ").value(csp.getOwner());
            }
        }

        private void result(CspMessage csp) {
            String status = csp.getStatus() == null ? "" : csp.getStatus();
            sentence.add(" tells ").value(csp.getRecipient()).add(" that ").value(csp.getId());
            switch (status) {
                case "OK" -> sentence.add(" is done");
                case "PARTIAL" -> sentence.add(" is partly done");
                case "FAIL" -> sentence.add(" has failed");
                default -> sentence.add(" has a result");
            }
            text(", with ", csp.getProduced());
            name(": ", csp.getData(), "");
        }

        private void error(CspMessage csp) {
            sentence.add(" reports error ").value(csp.getId());
            name(" at ", csp.getErrorAt(), "");
            sentence.add(" to ").value(csp.getRecipient());
            text(": ", csp.getCause());
            text("; next: ", csp.getNextAction());
        }

        private void file(CspMessage csp) {
            sentence.add(" sends ")
                    .value(csp.getRecipient())
                    .add(" file operation ")
                    .value(csp.getId());
            name(" (", csp.getFileOperation(), ")");
            name(" on ", csp.getPath(), "");
            name(", based on ", csp.getBase(), "");
        }

        /** A block without a grammar: its ID and first fields. */
        private void free(CspMessage csp, String verb, String noun) {
            sentence.add(verb).value(csp.getRecipient()).add(noun);
            name(": ", csp.getId(), "");
            List<CspField> fields = csp.getFields();
            for (int i = 0; i < fields.size() && i < MAX_ITEMS; i++) {
                CspField field = fields.get(i);
                boolean rest = i == 0 && field.getKey().equals(csp.getIntent().name());
                sentence.add(i > 0 || isPresent(csp.getId()) ? rest ? " " : ", " : ": ");
                if (!rest) {
                    sentence.value(field.getKey()).add(field.getValue().isEmpty() ? "" : " ");
                }
                text(field.getValue());
            }
            more(fields.size());
        }

        Sentence value(String value, String otherwise) {
            return sentence.value(value == null ? otherwise : value);
        }

        void change(String base, String target, String patch) {
            value(base, "an unknown state").add(" to ");
            value(target, "an unknown state");
            name(" (", patch, ")");
        }

        void operations(List<CspOperation> operations) {
            if (operations.isEmpty()) {
                sentence.add(", which changes nothing");
            }
            for (int i = 0; i < operations.size() && i < MAX_ITEMS; i++) {
                CspOperation operation = operations.get(i);
                sentence.add(i == 0 ? ": " : ", ");
                switch (operation.getOperator()) {
                    case ADD -> sentence.add("adds ").value(operation.getName()).add(" = ");
                    case CHANGE ->
                        sentence.add("changes ").value(operation.getName()).add(" to ");
                    case REMOVE -> sentence.add("removes ").value(operation.getName());
                    case UNKNOWN -> sentence.value(operation.getName()).add(" ");
                }
                sentence.value(operation.getValue());
            }
            more(operations.size());
        }

        private void more(int items) {
            if (items > MAX_ITEMS) {
                sentence.add(" and " + (items - MAX_ITEMS) + " more");
            }
        }

        /** Appends a name between words, unless it is absent. */
        private void name(String before, String name, String after) {
            if (isPresent(name)) {
                sentence.add(before).value(name).add(after);
            }
        }

        /** Appends a text after words, unless it is absent. */
        private void text(String before, String text) {
            if (isPresent(text)) {
                sentence.add(before);
                text(text);
            }
        }

        /** Appends a text in which defined names are expanded, cut like a value. */
        private void text(String text) {
            int end = Sentence.endOfValue(text);
            int at = 0;
            while (at < end && !sentence.isFull()) {
                int wordEnd = at;
                while (wordEnd < end && isNameCharacter(text.charAt(wordEnd))) {
                    wordEnd++;
                }
                if (wordEnd > at) {
                    boolean isExpanded = word(text.substring(at, wordEnd));
                    at = wordEnd;
                    if (isExpanded && at + 1 < end && text.charAt(at) == ',' && text.charAt(at + 1) != ' ') {
                        sentence.add(", ");
                        at++;
                    }
                } else {
                    int next = at + Character.charCount(text.codePointAt(at));
                    sentence.add(text.substring(at, next));
                    at = next;
                }
            }
            if (end < text.length()) {
                sentence.add("…");
            }
        }

        /** Appends a word. Returns whether it was expanded. */
        private boolean word(String word) {
            sentence.add(word);
            String value = CspNames.isDefinitionName(word, 0, word.length()) ? definitions.valueOf(word) : null;
            if (value == null || !expanded.add(word)) {
                return false;
            }
            sentence.add(" (").value(value).add(")");
            return true;
        }

        private static boolean isNameCharacter(char c) {
            return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_';
        }

        private static boolean isPresent(String value) {
            return value != null && !value.isEmpty();
        }
    }
}
