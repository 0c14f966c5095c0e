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
import java.util.ArrayList;
import java.util.List;

/** The required and expected keys of each block (CSP v1 "INTENT TYPES", "VALIDATION"). */
final class CspRequirements {

    /** The only file operation that the document defines. */
    static final String PATCH = "PATCH";

    private static final List<CspKey> TASK_KEYS = List.of(IN, OUT, OWNER, PRIORITY);
    private static final List<CspKey> RESULT_KEYS = List.of(PRODUCED, DATA);
    private static final List<CspKey> ERROR_KEYS = List.of(AT);
    private static final List<CspKey> FILE_KEYS = List.of(PATH, BASE);

    private final CspMessage message;
    private final Report report;

    private CspRequirements(CspMessage message, Report report) {
        this.message = message;
        this.report = report;
    }

    /** Takes what is wrong with a message. */
    @FunctionalInterface
    interface Report {

        /**
         * Takes one error or format warning.
         *
         * @param invalid the key with an invalid value; null if a part is missing
         */
        void add(CspKey invalid, Code code, String detail);
    }

    /** Reports each missing or invalid part of a message; all of it if it has no block. */
    static void check(CspMessage message, CspBlock block, Report report) {
        new CspRequirements(message, report).check(block);
    }

    private void check(CspBlock block) {
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
                expected(TASK_KEYS);
                if (message.getPriority() != null && !PRIORITY.allows(message.getPriority())) {
                    report.add(PRIORITY, Code.CSP_PRIORITY, "The priority must be P1, P2 or P3.");
                }
            }
            case RESULT -> {
                must(STATUS, Code.CSP_STATUS, "A RESULT must have a STATUS: OK, PARTIAL or FAIL.");
                expected(RESULT_KEYS);
            }
            case ERROR -> expected(ERROR_KEYS);
            case PATCH -> {
                must(BASE, Code.CSP_PATCH_INCOMPLETE, "A PATCH must name its base checkpoint in BASE.");
                if (message.getTarget() == null) {
                    missing(Code.CSP_PATCH_INCOMPLETE, "A PATCH must have a line APPLY -> with its target checkpoint.");
                }
                if (message.getOperations().isEmpty()) {
                    missing(Code.CSP_EMPTY_PATCH, "The patch must contain an operation.");
                }
            }
            case FILEOP -> {
                if (message.getFileOperation() == null) {
                    missing(Code.CSP_MISSING_FIELD, "A FILEOP must name its operation after its ID.");
                }
                expected(FILE_KEYS);
                content();
            }
            case PLAN, QUERY, MEM -> {}
        }
    }

    /** Names the parts of a decoded message for whose absence it has CSP_MISSING_FIELD. */
    static List<String> missingParts(CspMessage message) {
        CspBlock block = CspBlock.of(message.getIntent());
        List<CspKey> expected = switch (block) {
            case TASK -> TASK_KEYS;
            case RESULT -> RESULT_KEYS;
            case ERROR -> ERROR_KEYS;
            case FILEOP -> FILE_KEYS;
            case PATCH, PLAN, QUERY, MEM -> List.of();
        };
        List<String> missing = new ArrayList<>(expected.size() + 1);
        if (block == CspBlock.FILEOP && message.getFileOperation() == null) {
            missing.add("the operation after the ID");
        }
        for (CspKey key : expected) {
            if (key.get(message) == null) {
                missing.add(key.name());
            }
        }
        return missing;
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
            report.add(key, code, detail);
        }
    }

    /** Requires keys that a block should have; a message without them has the warnings of its form. */
    private void expected(List<CspKey> keys) {
        for (CspKey key : keys) {
            if (key.get(message) == null) {
                missing(Code.CSP_MISSING_FIELD, key.missing());
            }
        }
    }

    private void missing(Code code, String detail) {
        report.add(null, code, detail);
    }
}
