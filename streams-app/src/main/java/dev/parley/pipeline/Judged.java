package dev.parley.pipeline;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.Inbound;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.PatchRule;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.decode.Decoding;
import dev.parley.dialogue.ConversationState;
import java.util.ArrayList;
import java.util.List;

/**
 * A record with its verdict, on its way from judge to record.
 *
 * @param chain key of the conversation, or of the source partition's chain for what cannot be decoded
 * @param inbound the input record
 * @param decoding what came of decoding it
 * @param verdict what becomes of it; UNSPECIFIED while it is parked
 * @param stage where it failed; NONE when accepted
 * @param code the fault or violation that decided; null when accepted
 * @param detail a sentence about it; null when the code says all
 * @param warnings codes of the warnings
 * @param rule citation of the rule that decided; null when it could not be decoded
 * @param next the conversation's state after it; null when it could not be decoded
 * @param checkpoints the checkpoints that it wrote, the one that it made last; empty when it made none
 * @param parking whether it waited, or waits, for its base
 */
public record Judged(
        String chain,
        Inbound inbound,
        Decoding decoding,
        Verdict verdict,
        Stage stage,
        Code code,
        String detail,
        List<Code> warnings,
        String rule,
        ConversationState next,
        List<Checkpoint> checkpoints,
        Parking parking) {

    /** Whether a patch waited for its base. */
    public enum Parking {
        /** It never waited. */
        NONE,
        /** It waits now; its verdict comes later. */
        PARKED,
        /** It waited, and this is its final verdict. */
        RELEASED
    }

    /** Bounds the detail, which goes into records and headers. */
    public Judged {
        detail = Excerpt.detail(detail);
    }

    /** Whether it waits for its base: nothing is recorded yet. */
    public boolean isParked() {
        return parking == Parking.PARKED;
    }

    Judged parked() {
        return new Judged(
                chain,
                inbound,
                decoding,
                Verdict.UNSPECIFIED,
                Stage.NONE,
                null,
                null,
                List.of(),
                PatchRule.PARKED.toString(),
                next,
                List.of(),
                Parking.PARKED);
    }

    Judged released() {
        return new Judged(
                chain,
                inbound,
                decoding,
                verdict,
                stage,
                code,
                detail,
                warnings,
                rule,
                next,
                checkpoints,
                Parking.RELEASED);
    }

    Judged applied(List<Checkpoint> written, List<Code> added, PatchRule because) {
        return new Judged(
                chain,
                inbound,
                decoding,
                verdict,
                stage,
                code,
                detail,
                joined(added),
                because.toString(),
                next,
                written,
                parking);
    }

    Judged rejected(Verdict failure, Code violation, String sentence, List<Code> added, PatchRule because) {
        return new Judged(
                chain,
                inbound,
                decoding,
                failure,
                Stage.PATCH,
                violation,
                sentence,
                joined(added),
                because.toString(),
                next,
                List.of(),
                parking);
    }

    private List<Code> joined(List<Code> added) {
        if (added.isEmpty()) {
            return warnings;
        }
        List<Code> all = new ArrayList<>(warnings);
        for (Code code : added) {
            if (!all.contains(code)) {
                all.add(code);
            }
        }
        return all;
    }
}
