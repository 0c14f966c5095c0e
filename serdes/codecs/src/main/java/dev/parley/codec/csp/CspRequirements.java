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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The required and expected keys of each block (CSP v1 "INTENT TYPES", "VALIDATION"). */
final class CspRequirements {

    /** The only file operation that the document defines. */
    static final String PATCH = "PATCH";

    /** The keys that a block should have; without them, a message has a format warning. */
    private static final Map<CspBlock, List<CspKey>> EXPECTED = new EnumMap<>(Map.of(
            CspBlock.TASK, List.of(IN, OUT, OWNER, PRIORITY),
            CspBlock.RESULT, List.of(PRODUCED, DATA),
            CspBlock.ERROR, List.of(AT),
            CspBlock.FILEOP, List.of(PATH, BASE)));

    /** The key that a block must have with a value that the document allows. */
    private static final Map<CspBlock, Required> REQUIRED = new EnumMap<>(Map.of(
            CspBlock.TASK, new Required(REQ, Code.CSP_MISSING_REQ, "A TASK must describe the work in REQ."),
            CspBlock.RESULT, new Required(STATUS, Code.CSP_STATUS, "A RESULT must have a STATUS: OK, PARTIAL or FAIL."),
            CspBlock.PATCH,
                    new Required(BASE, Code.CSP_PATCH_INCOMPLETE, "A PATCH must name its base checkpoint in BASE.")));

    private CspRequirements() {}

    private record Required(CspKey key, Code code, String detail) {}

    /** Takes what is wrong with a message. */
    @FunctionalInterface
    interface Report {

        /**
         * Takes one error or format warning.
         *
         * @param invalid the key with an invalid value; null if a part is missing
         */
        void add(CspKey invalid, Code code, String detail);

        /** Takes one about a missing part. */
        default void missing(Code code, String detail) {
            add(null, code, detail);
        }
    }

    /** Reports each missing or invalid part of a message; all of it if it has no block. */
    static void check(CspMessage message, CspBlock block, Report report) {
        if (block == null) {
            report.missing(Code.CSP_BODY_MISMATCH, "The message must have a body block.");
            return;
        }
        if (message.getId() == null && !block.isGeneric()) {
            report.missing(Code.CSP_MISSING_ID, "The first line of the block must contain an ID.");
        }
        for (int i = 0; i < block.keyCount(); i++) {
            CspKey key = block.key(i);
            String value = key.get(message);
            Code invalid = value == null ? null : key.invalid(value);
            if (invalid != null) {
                report.add(key, invalid, key.detail(invalid));
            }
        }
        Required required = REQUIRED.get(block);
        if (required != null) {
            String value = required.key.get(message);
            if (value == null || value.isEmpty() || !required.key.allows(value)) {
                report.add(value == null ? null : required.key, required.code, required.detail);
            }
        }
        if (block == CspBlock.FILEOP && message.getFileOperation() == null) {
            report.missing(Code.CSP_MISSING_FIELD, "A FILEOP must name its operation after its ID.");
        }
        for (CspKey key : EXPECTED.getOrDefault(block, List.of())) {
            if (key.get(message) == null) {
                report.missing(Code.CSP_MISSING_FIELD, key.missing());
            }
        }
        if (message.getPriority() != null && !PRIORITY.allows(message.getPriority())) {
            report.add(PRIORITY, Code.CSP_PRIORITY, "The priority must be P1, P2 or P3.");
        }
        if (block == CspBlock.PATCH && message.getTarget() == null) {
            report.missing(Code.CSP_PATCH_INCOMPLETE, "A PATCH must have a line APPLY -> with its target checkpoint.");
        }
        if (block == CspBlock.PATCH && message.getOperations().isEmpty()) {
            report.missing(Code.CSP_EMPTY_PATCH, "The patch must contain an operation.");
        }
        // The requirements of other operations are unknown, so only a patch must have content.
        if (block == CspBlock.FILEOP
                && message.getContent() == null
                && (message.getFileOperation() == null
                        || message.getFileOperation().equals(PATCH))) {
            report.missing(Code.CSP_HEREDOC, "A FILEOP must have CONTENT between lines <<< and >>>.");
        }
    }

    /** Names the parts of a decoded message for whose absence it has CSP_MISSING_FIELD. */
    static List<String> missingParts(CspMessage message) {
        CspBlock block = CspBlock.of(message.getIntent());
        List<String> missing = new ArrayList<>();
        if (block == CspBlock.FILEOP && message.getFileOperation() == null) {
            missing.add("the operation after the ID");
        }
        for (CspKey key : EXPECTED.getOrDefault(block, List.of())) {
            if (key.get(message) == null) {
                missing.add(key.name());
            }
        }
        return missing;
    }
}
