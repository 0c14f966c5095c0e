package dev.parley.codec.csp;

import static dev.parley.codec.csp.CspKey.AT;
import static dev.parley.codec.csp.CspKey.BASE;
import static dev.parley.codec.csp.CspKey.DATA;
import static dev.parley.codec.csp.CspKey.IN;
import static dev.parley.codec.csp.CspKey.OUT;
import static dev.parley.codec.csp.CspKey.OWNER;
import static dev.parley.codec.csp.CspKey.PATH;
import static dev.parley.codec.csp.CspKey.PRIORITY;
import static dev.parley.codec.csp.CspKey.PRODUCED;
import static dev.parley.codec.csp.CspKey.REQ;
import static dev.parley.codec.csp.CspKey.STATUS;

import dev.parley.avro.CspMessage;
import dev.parley.codec.Code;
import dev.parley.codec.csp.CspFindings.Rank;
import java.util.List;

/** What a block cannot do without, and what it should have (CSP v1 "INTENT TYPES", "VALIDATION"). */
final class CspRequirements {

    /** The only operation of a FILEOP that the document names. */
    static final String PATCH = "PATCH";

    private static final String EMPTY = "The patch changes nothing.";
    private static final List<CspKey> TASK_KEYS = List.of(IN, OUT, OWNER, PRIORITY);
    private static final List<CspKey> RESULT_KEYS = List.of(PRODUCED, DATA);
    private static final List<CspKey> ERROR_KEYS = List.of(AT);
    private static final List<CspKey> FILE_KEYS = List.of(PATH, BASE);

    private final CspMessage message;
    private final CspFindings findings;
    private final CspBlock block;
    private final int[] offsets;
    private final int length;

    /**
     * @param offsets for each key of the block, in the document's order, where its value stands
     * @param length the message's length, which is the offset of what is missing
     */
    CspRequirements(CspMessage message, CspFindings findings, CspBlock block, int[] offsets, int length) {
        this.message = message;
        this.findings = findings;
        this.block = block;
        this.offsets = offsets;
        this.length = length;
    }

    /** Notes what the block that was read lacks. */
    void check() {
        if (block == null) {
            missing(Code.CSP_BODY_MISMATCH, "The message has no body block.");
            return;
        }
        if (message.getId() == null && !block.isGeneric()) {
            missing(Code.CSP_MISSING_ID, "The first line of the block names no id.");
        }
        switch (block) {
            case TASK -> {
                must(REQ, Code.CSP_MISSING_REQ, "A TASK says in REQ what to do.");
                expected();
                if (message.getPriority() != null && !PRIORITY.allows(message.getPriority())) {
                    wrong(PRIORITY, Code.CSP_PRIORITY, "The priority is P1, P2 or P3.");
                }
            }
            case RESULT -> {
                must(STATUS, Code.CSP_STATUS, "A RESULT has a STATUS: OK, PARTIAL or FAIL.");
                expected();
            }
            case ERROR -> expected();
            case PATCH -> {
                must(BASE, Code.CSP_PATCH_INCOMPLETE, "A PATCH names in BASE the checkpoint that it changes.");
                target();
                if (message.getOperations().isEmpty()) {
                    missing(Code.CSP_EMPTY_PATCH, EMPTY);
                }
            }
            case FILEOP -> {
                if (message.getFileOperation() == null) {
                    missing(Code.CSP_MISSING_FIELD, "A FILEOP names its operation after its id.");
                }
                expected();
                content();
            }
            case PLAN, QUERY, MEM -> {}
        }
    }

    private void target() {
        String target = message.getTarget();
        if (target == null) {
            missing(Code.CSP_PATCH_INCOMPLETE, "A PATCH has a line APPLY -> and the checkpoint that it makes.");
        } else if (target.equals(message.getBase())) {
            findings.violate(Code.CSP_SELF_APPLY);
        }
    }

    private void content() {
        String operation = message.getFileOperation();
        // Nobody knows what another operation needs, so only a patch must bring its content.
        if (message.getContent() == null && (operation == null || operation.equals(PATCH))) {
            missing(Code.CSP_HEREDOC, "A FILEOP brings CONTENT between lines <<< and >>>.");
        }
    }

    /** The key must be there, with a value that the document allows. */
    private void must(CspKey key, Code code, String detail) {
        String value = key.get(message);
        if (value == null) {
            missing(code, detail);
        } else if (value.isEmpty() || !key.allows(value)) {
            wrong(key, code, detail);
        }
    }

    private void expected() {
        for (CspKey key : expected(block)) {
            if (key.get(message) == null) {
                missing(Code.CSP_MISSING_FIELD, key.missing());
            }
        }
    }

    /** The keys that a block should have, and that the lenient profile does without. */
    private static List<CspKey> expected(CspBlock block) {
        return switch (block) {
            case TASK -> TASK_KEYS;
            case RESULT -> RESULT_KEYS;
            case ERROR -> ERROR_KEYS;
            case FILEOP -> FILE_KEYS;
            case PATCH, PLAN, QUERY, MEM -> List.of();
        };
    }

    /**
     * Refuses a record that lacks what its block should have.
     *
     * @throws IllegalArgumentException with the code of what the strict profile would say
     */
    static void requireExpected(CspMessage message, CspBlock block) {
        for (CspKey key : expected(block)) {
            require(key.get(message) != null, Code.CSP_MISSING_FIELD, key.missing());
        }
        require(block != CspBlock.PATCH || !message.getOperations().isEmpty(), Code.CSP_EMPTY_PATCH, EMPTY);
    }

    private static void require(boolean there, Code code, String detail) {
        if (!there) {
            throw new IllegalArgumentException(code + ": " + detail);
        }
    }

    private void wrong(CspKey key, Code code, String detail) {
        findings.note(Rank.VALUE, code, offsets[block.indexOf(key.packed())], detail);
    }

    private void missing(Code code, String detail) {
        findings.note(Rank.MISSING, code, length, detail);
    }

    /**
     * Refuses a record that lacks what its block cannot do without.
     *
     * @throws IllegalArgumentException naming the field
     */
    static void require(CspMessage message, CspBlock block) {
        CspText.require(block.isGeneric() || message.getId() != null, "id", "is missing");
        CspText.require(
                block == CspBlock.PATCH || message.getOperations().isEmpty(),
                "operations",
                "do not belong to ",
                block,
                "");
        CspText.require(
                block == CspBlock.FILEOP || message.getFileOperation() == null,
                "fileOperation",
                "does not belong to ",
                block,
                "");
        CspText.require(
                message.getContent() != null || !message.getContentHeredoc(),
                "contentHeredoc",
                "is true without content");
        switch (block) {
            case TASK -> CspText.require(isText(message.getRequest()), "request", "is missing or empty");
            case RESULT ->
                CspText.require(
                        message.getStatus() != null && STATUS.allows(message.getStatus()),
                        "status",
                        "is none of OK, PARTIAL, FAIL");
            case PATCH -> {
                CspText.require(isText(message.getBase()), "base", "is missing or empty");
                CspText.require(isText(message.getTarget()), "target", "is missing or empty");
            }
            case FILEOP -> {
                String operation = message.getFileOperation();
                CspText.require(
                        message.getContent() != null || (operation != null && !operation.equals(PATCH)),
                        "content",
                        "is missing");
            }
            case ERROR, PLAN, QUERY, MEM -> {}
        }
    }

    private static boolean isText(String value) {
        return value != null && !value.isEmpty();
    }
}
