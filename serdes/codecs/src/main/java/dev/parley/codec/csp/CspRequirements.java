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
import dev.parley.codec.Diagnostics;
import java.util.List;

/** The required and expected keys of each block (CSP v1 "INTENT TYPES", "VALIDATION"). */
final class CspRequirements {

    /** The only file operation that the document defines. */
    static final String PATCH = "PATCH";

    private static final String EMPTY = "The patch must contain an operation.";
    private static final List<CspKey> TASK_KEYS = List.of(IN, OUT, OWNER, PRIORITY);
    private static final List<CspKey> RESULT_KEYS = List.of(PRODUCED, DATA);
    private static final List<CspKey> ERROR_KEYS = List.of(AT);
    private static final List<CspKey> FILE_KEYS = List.of(PATH, BASE);

    private final CspMessage message;
    private final Diagnostics findings;
    private final CspBlock block;
    private final int[] offsets;
    private final int length;

    /**
     * @param offsets offset of the value of each key of the block, in document order
     * @param length the message's length, which is the offset of missing parts
     */
    CspRequirements(CspMessage message, Diagnostics findings, CspBlock block, int[] offsets, int length) {
        this.message = message;
        this.findings = findings;
        this.block = block;
        this.offsets = offsets;
        this.length = length;
    }

    /** Adds an error for each missing part of the block. */
    void check() {
        if (block == null) {
            missing(Code.CSP_BODY_MISMATCH, "The message must have a body block.");
            return;
        }
        if (message.getId() == null && !block.isGeneric()) {
            missing(Code.CSP_MISSING_ID, "The first line of the block must contain an ID.");
        }
        switch (block) {
            case TASK -> {
                must(REQ, Code.CSP_MISSING_REQ, "A TASK must describe the work in REQ.");
                expected();
                if (message.getPriority() != null && !PRIORITY.allows(message.getPriority())) {
                    wrong(PRIORITY, Code.CSP_PRIORITY, "The priority must be P1, P2 or P3.");
                }
            }
            case RESULT -> {
                must(STATUS, Code.CSP_STATUS, "A RESULT must have a STATUS: OK, PARTIAL or FAIL.");
                expected();
            }
            case ERROR -> expected();
            case PATCH -> {
                must(BASE, Code.CSP_PATCH_INCOMPLETE, "A PATCH must name its base checkpoint in BASE.");
                target();
                if (message.getOperations().isEmpty()) {
                    missing(Code.CSP_EMPTY_PATCH, EMPTY);
                }
            }
            case FILEOP -> {
                if (message.getFileOperation() == null) {
                    missing(Code.CSP_MISSING_FIELD, "A FILEOP must name its operation after its ID.");
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
            missing(Code.CSP_PATCH_INCOMPLETE, "A PATCH must have a line APPLY -> with its target checkpoint.");
        } else if (target.equals(message.getBase())) {
            findings.violate(Code.CSP_SELF_APPLY);
        }
    }

    private void content() {
        String operation = message.getFileOperation();
        // The requirements of other operations are unknown, so only a patch must have content.
        if (message.getContent() == null && (operation == null || operation.equals(PATCH))) {
            missing(Code.CSP_HEREDOC, "A FILEOP must have CONTENT between lines <<< and >>>.");
        }
    }

    /** Requires the key with a value that the document allows. */
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

    /** The keys that a block should have, but that the lenient profile does not require. */
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
     * Refuses a record without an expected key of its block.
     *
     * @throws IllegalArgumentException with the code of the strict profile
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
        findings.value(code, offsets[block.indexOf(key.packed())], detail);
    }

    private void missing(Code code, String detail) {
        findings.missing(code, length, detail);
    }

    /**
     * Refuses a record without a required key of its block.
     *
     * @throws IllegalArgumentException naming the field
     */
    static void require(CspMessage message, CspBlock block) {
        CspText.require(block.isGeneric() || message.getId() != null, "id", "is missing");
        CspText.require(
                block == CspBlock.PATCH || message.getOperations().isEmpty(),
                "operations",
                "must be absent in the block ",
                block,
                "");
        CspText.require(
                block == CspBlock.FILEOP || message.getFileOperation() == null,
                "fileOperation",
                "must be absent in the block ",
                block,
                "");
        CspText.require(
                message.getContent() != null || !message.getContentHeredoc(),
                "contentHeredoc",
                "must be false without content");
        switch (block) {
            case TASK -> CspText.require(isText(message.getRequest()), "request", "must not be missing or empty");
            case RESULT ->
                CspText.require(
                        message.getStatus() != null && STATUS.allows(message.getStatus()),
                        "status",
                        "must be OK, PARTIAL or FAIL");
            case PATCH -> {
                CspText.require(isText(message.getBase()), "base", "must not be missing or empty");
                CspText.require(isText(message.getTarget()), "target", "must not be missing or empty");
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
