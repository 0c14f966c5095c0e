package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;
import dev.parley.codec.Code;

/** The required and expected parts of each block (CSP v1 "INTENT TYPES", "VALIDATION"). */
final class CspRequirements {

    /** The only file operation that the document defines. */
    static final String PATCH = "PATCH";

    private CspRequirements() {}

    /** Takes what is wrong with a message. */
    @FunctionalInterface
    interface Report {

        /**
         * Takes one error or format warning.
         *
         * @param key the key whose value is missing or invalid; null if another part is missing
         */
        void add(CspKey key, Code code, String detail);
    }

    /** Reports each missing or invalid part of a message; all of it if it has no block. */
    static void check(CspMessage message, CspBlock block, Report report) {
        if (block == null) {
            report.add(null, Code.CSP_BODY_MISMATCH, "The message must have a body block.");
            return;
        }
        if (message.getId() == null && !block.isGeneric()) {
            report.add(null, Code.CSP_MISSING_ID, "The first line of the block must contain an ID.");
        }
        String operation = message.getFileOperation();
        if (block == CspBlock.FILEOP && operation == null) {
            report.add(null, Code.CSP_MISSING_FIELD, "A FILEOP must name its operation after its ID.");
        }
        for (int i = 0; i < block.keyCount(); i++) {
            CspKey key = block.key(i);
            Code code = key.check(block, key.get(message));
            // The requirements of other operations are unknown, so only a patch must have content.
            if (code != null && (code != Code.CSP_HEREDOC || operation == null || operation.equals(PATCH))) {
                report.add(key, code, key.detail(code));
            }
        }
        if (block == CspBlock.PATCH && message.getOperations().isEmpty()) {
            report.add(null, Code.CSP_EMPTY_PATCH, "The patch must contain an operation.");
        }
    }
}
