package dev.parley.fuzz;

import static dev.parley.fuzz.Promise.require;
import static dev.parley.fuzz.Promise.requireEqual;
import static org.junit.jupiter.api.Named.named;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.checkpoint.CheckpointSettings.Branching;
import dev.parley.codec.Code;
import dev.parley.codec.Code.Kind;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Judgement;
import dev.parley.gloss.Sentence;
import dev.parley.log.ChainVerifier;
import dev.parley.protocol.Glosses;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.OfflinePipeline;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzzes whole dialogues of all protocols, legal or not, through decode, judge, apply and record. */
class DialogueFuzzTest {
    private static final int ONE_SECOND_LATER = 0x40;

    /** Each transcript of the samples and of the conformance kit as one sequence. */
    static Stream<Named<byte[]>> samples() {
        Map<String, ByteArrayOutputStream> transcripts = new LinkedHashMap<>();
        for (int i = 0; i < Seeds.ALL.size(); i++) {
            ByteArrayOutputStream steps =
                    transcripts.computeIfAbsent(Seeds.ALL.get(i).transcript(), transcript -> settings());
            steps.write(Traffic.SAMPLE);
            steps.write(i >> 8);
            steps.write(i);
            steps.write(ONE_SECOND_LATER);
        }
        return transcripts.entrySet().stream()
                .map(entry -> named(entry.getKey(), entry.getValue().toByteArray()));
    }

    private static ByteArrayOutputStream settings() {
        ByteArrayOutputStream steps = new ByteArrayOutputStream();
        steps.write(0);
        steps.write(0);
        return steps;
    }

    @MethodSource("samples")
    @FuzzTest
    void everyRecordHasOneVerdictAndOneChainPosition(byte[] data) {
        Traffic traffic = Traffic.of(data);
        StoredPipeline stored = new StoredPipeline(traffic);
        OfflinePipeline memory = new OfflinePipeline(traffic.settings(), new Random(StoredPipeline.SALTS));
        Fold fold = new Fold();
        Set<Long> waiting = new HashSet<>();
        int decided = 0;
        for (Traffic.Sent sent : traffic.records()) {
            List<JudgedRecord> out = new ArrayList<>();
            stored.accept(sent, out::add);
            List<JudgedRecord> same = new ArrayList<>();
            memory.accept(sent.record(), sent.headers(), same::add);
            requireEqual(out, same, "verdicts must not depend on the serialization of state");
            require(
                    offset(out.get(0)) == sent.record().source().getOffset(),
                    "a record's own verdict must precede those of patches that it releases");
            for (JudgedRecord judged : out) {
                requireVerdict(judged, traffic);
                if (judged.isParked()) {
                    require(waiting.add(offset(judged)), "a patch must be parked only once");
                } else {
                    boolean waited = waiting.remove(offset(judged));
                    require(waited == judged.released(), "only a parked patch may be released");
                    decided++;
                }
                if (!judged.checkpoints().isEmpty()) {
                    AgentMessage message = judged.message();
                    fold.apply(message.getNamespace(), message.getConversation(), message.getCsp());
                }
            }
        }
        require(
                traffic.records().size() == decided + waiting.size(),
                "%d records, %d verdicts, %d parked",
                traffic.records().size(),
                decided,
                waiting.size());
        require(stored.waiting() == waiting.size(), "the parking lot must contain the parked patches");
        requireChains(stored.links(), decided);
        requireCheckpoints(stored, memory.checkpoints(), fold);
    }

    private static void requireVerdict(JudgedRecord judged, Traffic traffic) {
        boolean enforce = traffic.dialogue().mode() == DialogueSettings.Mode.ENFORCE;
        boolean strict = traffic.options().strict();
        Judgement judgement = judged.judgement();
        Code code = judgement.code();
        Stage stage = judgement.stage();
        switch (judgement.verdict()) {
            case ACCEPTED -> require(code == null, "accepted with %s", code);
            case REJECTED, FLAGGED -> {
                require(
                        enforce == (judgement.verdict() == Verdict.REJECTED),
                        "the mode must determine the verdict: %s",
                        judgement.verdict());
                require(isViolation(code, traffic), "%s is not a violation", code);
                require(stage == Stage.JUDGE || stage == Stage.APPLY, "%s at %s", code, stage);
                require(stage == code.stage() || code.stage() == Stage.NONE, "%s at %s", code, stage);
            }
            case UNDECODABLE -> {
                require(
                        code.kind() == Kind.MALFORMED || (strict && code.kind() == Kind.FORM_WARNING),
                        "%s is not a decode error",
                        code);
                require(
                        stage == Stage.DECODE && judgement.next() == null,
                        "an undecodable record must not change state");
            }
            default -> require(judged.isParked() && code == null, "a record without a verdict must be parked");
        }
        if (judgement.detail() != null) {
            Promise.requireSentence(judgement.detail());
        }
        if (judged.message() != null) {
            requireGloss(judged);
        }
        require(
                new HashSet<>(judgement.warnings()).size()
                        == judgement.warnings().size(),
                "warnings must not be repeated");
        for (Code warning : judgement.warnings()) {
            require(
                    warning.kind() == Kind.WARNING || (warning.kind() == Kind.FORM_WARNING && !strict),
                    "%s is not a warning",
                    warning);
        }
    }

    private static void requireGloss(JudgedRecord judged) {
        String gloss = Glosses.STANDARD.gloss(
                judged.message(), Glosses.definitions(judged.judgement().next()));
        Promise.requireSentence(gloss);
        require(
                gloss.codePointCount(0, gloss.length()) <= Sentence.MAX_CODE_POINTS,
                "a gloss has %d characters",
                gloss.length());
    }

    /**
     * Two codes are warnings that settings or repetition turn into violations; every other violation is of that kind.
     */
    private static boolean isViolation(Code code, Traffic traffic) {
        return switch (code) {
            case CSP_FORK -> traffic.checkpoints().branching() == Branching.REJECT;
            case LAMBDA_ERROR_LOOP -> true;
            case INTERNAL_ERROR, STATE_UNREADABLE -> false;
            default -> code.kind() == Kind.VIOLATION || code.kind() == Kind.PATCH_VIOLATION;
        };
    }

    private static void requireChains(List<AuditRecord> links, int decided) {
        require(links.size() == decided, "%d verdicts, %d audit records", decided, links.size());
        ChainVerifier verifier = new ChainVerifier();
        for (AuditRecord link : links) {
            verifier.check(link).forEach(auditFault -> require(false, "the chain must verify: %s", auditFault));
        }
    }

    private static void requireCheckpoints(StoredPipeline stored, CheckpointReader memory, Fold fold) {
        Set<CheckpointKey> listed = new HashSet<>();
        for (Checkpoint checkpoint : stored.listed()) {
            listed.add(new CheckpointKey(checkpoint.getNamespace(), checkpoint.getContext(), checkpoint.getId()));
        }
        requireEqual(listed, fold.states().keySet(), "the listed checkpoints must be those that were created");
        CheckpointReader live = stored.checkpoints().reader();
        CheckpointReader rebuilt = stored.rebuilt().reader();
        fold.states().forEach((key, state) -> {
            requireEqual(live.state(key).orElse(null), state, "the state of " + key);
            requireEqual(rebuilt.state(key).orElse(null), state, "the state of " + key + ", rebuilt");
            requireEqual(memory.state(key).orElse(null), state, "the state of " + key + ", in memory");
        });
    }

    private static long offset(JudgedRecord judged) {
        return judged.inbound().getSource().getOffset();
    }
}
