package dev.parley.dialogue.csp;

import dev.parley.avro.CspField;
import dev.parley.avro.CspIntent;
import dev.parley.avro.CspMessage;
import dev.parley.codec.Code;
import dev.parley.codec.Warnings;
import dev.parley.codec.csp.CspCodec;
import dev.parley.dialogue.ContextView;
import dev.parley.dialogue.CspNames;
import java.util.List;
import java.util.function.Predicate;

/**
 * Warnings about a CSP message that do not depend on the state of its task: those of docs/protocols.md 3.2 that need
 * meaning or checkpoints.
 */
final class CspWarnings {
    private CspWarnings() {}

    /** Adds the warnings about this message, those about its header first. */
    static void collect(CspMessage message, ContextView context, Warnings warnings) {
        if (CspNames.isCheckpoint(message.getCtx()) && !context.knows(message.getCtx())) {
            warnings.add(Code.CSP_UNKNOWN_CTX);
        }
        switch (message.getIntent()) {
            case TASK -> checkTask(message, context, warnings);
            case PATCH -> checkPatch(message, warnings);
            default -> {}
        }
        checkDefinitions(message.getHeaderFields(), message.getCtx(), context, warnings);
        if (message.getIntent() != CspIntent.PATCH) {
            checkDefinitions(message.getFields(), message.getCtx(), context, warnings);
        }
    }

    private static void checkTask(CspMessage task, ContextView context, Warnings warnings) {
        String owner = task.getOwner();
        if (owner != null && !owner.isEmpty() && !CspNames.lists(task.getRecipient(), owner)) {
            warnings.add(Code.CSP_OWNER_NOT_RECIPIENT);
        }
        // The definitions of an unknown checkpoint are unknown: CSP_UNKNOWN_CTX is the only warning.
        if (task.getScope() != null && context.knows(task.getCtx()) && hasUnresolved(task, context)) {
            warnings.add(Code.CSP_UNRESOLVED_NAME);
        }
    }

    private static boolean hasUnresolved(CspMessage task, ContextView context) {
        String scope = task.getScope();
        Predicate<String> defined = context.names(task.getCtx());
        return CspNames.anyMember(
                scope,
                (from, to) -> CspNames.isDefinitionName(scope, from, to) && !defined.test(scope.substring(from, to)));
    }

    private static void checkPatch(CspMessage patch, Warnings warnings) {
        if (!patch.getCtx().equals(patch.getBase())) {
            warnings.add(Code.CSP_CTX_BASE_MISMATCH);
        }
        if (CspNames.isCheckpoint(patch.getBase())
                && CspNames.isCheckpoint(patch.getTarget())
                && !CspNames.isNext(patch.getBase(), patch.getTarget())) {
            warnings.add(Code.CSP_TARGET_NOT_NEXT);
        }
    }

    private static void checkDefinitions(List<CspField> fields, String ctx, ContextView context, Warnings warnings) {
        Predicate<String> defined = null;
        for (CspField field : fields) {
            if (field.getKey().equals("DEF") || field.getKey().equals("LAWS")) {
                defined = defined == null ? context.names(ctx) : defined;
                boolean restated = defined.test(CspCodec.definedName(field.getValue()));
                warnings.add(restated ? Code.CSP_RESTATE : Code.CSP_DEF_OUTSIDE_PATCH);
            }
        }
    }
}
