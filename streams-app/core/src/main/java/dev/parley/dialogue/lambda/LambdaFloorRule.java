package dev.parley.dialogue.lambda;

import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.Provenance;
import dev.parley.avro.Rule;
import dev.parley.codec.Code;
import dev.parley.dialogue.Rules;
import dev.parley.dialogue.StoredText;

/** Permission to speak in a Λ conversation (Λ v0.6 §2.3, docs/protocols.md 4.3 "Floor"). */
final class LambdaFloorRule {
    /** An agent speaks while another one holds the floor. */
    static final Rule SPEAKING = rule("floor HELD(x) × message by y → LAMBDA_FLOOR");

    private static final Outcome TAKEN = taken(null);
    private static final Outcome TAKEN_AGAIN = taken(Code.LAMBDA_UNEXPECTED);
    private static final Outcome TAKE_REFUSED = refused(">>");
    private static final Outcome YIELDED = yielded(null);
    private static final Outcome YIELDED_FREE = yielded(Code.LAMBDA_UNEXPECTED);
    private static final Outcome YIELD_REFUSED = refused("<<");
    private static final Outcome CONTINUED = kept("floor HELD(x) × -- by x → HELD(x)", null);
    private static final Outcome CONTINUED_FREE = kept("floor FREE × -- by x → FREE", Code.LAMBDA_UNEXPECTED);
    private static final Outcome CONTINUE_REFUSED = refused("--");
    private static final Outcome INTERJECTED = kept("floor × >< → stays", null);
    private static final Outcome UNREAD = kept("floor × unknown mark → stays", null);

    private LambdaFloorRule() {}

    /** Effect of a mark on the floor. */
    enum Effect {
        /** The sender holds it. */
        TAKE,
        /** It becomes free. */
        FREE,
        /** It does not change. */
        KEEP
    }

    /**
     * Result of a floor mark.
     *
     * @param effect effect on the floor; irrelevant with a violation
     * @param violation why it is illegal; null if it is legal
     * @param warning the warning; null if there is none
     * @param rule the rule that decided
     */
    record Outcome(Effect effect, Code violation, Code warning, Rule rule) {}

    /** Relation of the sender of a message to the floor. */
    private enum Standing {
        FREE,
        HOLDER,
        OTHER,
        /** The floor is held, but holder or sender is unknown. */
        UNKNOWN;

        private Outcome of(Outcome free, Outcome holder, Outcome other, Outcome unknown) {
            return switch (this) {
                case FREE -> free;
                case HOLDER -> holder;
                case OTHER -> other;
                case UNKNOWN -> unknown;
            };
        }
    }

    /**
     * Applies a floor mark.
     *
     * @param held whether the floor is held
     * @param holder its holder; null if unknown
     * @param sender sender of the mark; null if unknown
     */
    static Outcome mark(LambdaFloor mark, boolean held, String holder, String sender) {
        Standing standing = standing(held, holder, sender);
        return switch (mark) {
            case TAKE -> standing.of(TAKEN, TAKEN_AGAIN, TAKE_REFUSED, TAKEN);
            case YIELD -> standing.of(YIELDED_FREE, YIELDED, YIELD_REFUSED, YIELDED);
            case CONTINUE -> standing.of(CONTINUED_FREE, CONTINUED, CONTINUE_REFUSED, CONTINUED);
            case INTERJECT -> INTERJECTED;
            case UNKNOWN -> UNREAD;
        };
    }

    /** Whether the sender may send any message: the floor is not another agent's. */
    static boolean mayStart(boolean held, String holder, String sender) {
        return standing(held, holder, sender) != Standing.OTHER;
    }

    /** Whether the sender may send the message. Anyone may interject, acknowledge, or report an error. */
    static boolean maySpeak(LambdaMessage message, boolean held, String holder, String sender) {
        return mayStart(held, holder, sender)
                || message.getFloorBefore() == LambdaFloor.INTERJECT
                || message.getFloorAfter() == LambdaFloor.INTERJECT
                || answersOnly(message);
    }

    private static boolean answersOnly(LambdaMessage message) {
        if (message.getKind() != LambdaKind.STATEMENTS) {
            return false;
        }
        for (LambdaStatement statement : message.getStatements()) {
            LambdaEvent event = LambdaEvent.of(statement.getKind());
            if (event == null || !(event.acknowledges() || event == LambdaEvent.ERR)) {
                return false;
            }
        }
        return true;
    }

    private static Standing standing(boolean held, String holder, String sender) {
        if (!held) {
            return Standing.FREE;
        }
        if (holder == null || sender == null) {
            return Standing.UNKNOWN;
        }
        return new StoredText(sender).matches(holder) ? Standing.HOLDER : Standing.OTHER;
    }

    private static Outcome taken(Code warning) {
        return new Outcome(Effect.TAKE, null, warning, rule("floor × >> by x → HELD(x)"));
    }

    private static Outcome yielded(Code warning) {
        return new Outcome(Effect.FREE, null, warning, rule("floor × << by x → FREE"));
    }

    private static Outcome kept(String name, Code warning) {
        return new Outcome(Effect.KEEP, null, warning, rule(name));
    }

    private static Outcome refused(String mark) {
        return new Outcome(
                Effect.KEEP, Code.LAMBDA_FLOOR, null, rule("floor HELD(x) × " + mark + " by y → LAMBDA_FLOOR"));
    }

    private static Rule rule(String name) {
        return Rules.of(name, Provenance.I, LambdaTable.SECTION);
    }
}
