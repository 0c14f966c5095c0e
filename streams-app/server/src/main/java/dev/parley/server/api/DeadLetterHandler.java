package dev.parley.server.api;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.json.AvroJson;
import dev.parley.json.model.DeadLetter;
import dev.parley.json.model.DeadLetter.RecordPosition;
import dev.parley.json.model.EncodedText;
import dev.parley.protocol.Glosses;
import dev.parley.server.api.view.KeyedItems;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.server.auth.MaskingPolicy;
import dev.parley.topology.views.DeadLetterSummaries;
import dev.parley.topology.views.DeadLetterView;
import dev.parley.topology.views.DeadLetterView.State;
import dev.parley.topology.views.Views;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;

/** Answers requests about dead letters. */
public record DeadLetterHandler(Glosses glosses) {

    private static final int ID_PARTS = 3;

    KeyedItems list(ViewRequest request, Views views) {
        DeadLetterView.Filter filter = filter(request);
        KeyedItems items = new KeyedItems(request.budget());
        Predicate<DeadLetterSummary> selected = selected(filter, views, request.masking());
        BiPredicate<Bytes, DeadLetterSummary> page =
                (key, deadLetter) -> add(items, key, deadLetter, views, request.masking());
        return items.endAt(views.deadLetters().list(filter, selected, request.after(), request.limit(), page));
    }

    private static DeadLetterView.Filter filter(ViewRequest request) {
        return DeadLetterQuery.of(Parameters.ofList(request, DeadLetterQuery.NAMES.toArray(String[]::new)));
    }

    private static Predicate<DeadLetterSummary> selected(
            DeadLetterView.Filter filter, Views views, MaskingPolicy masking) {
        return deadLetter -> (!filter.usesNames() || hasVisibleNames(deadLetter, views, masking))
                && Views.selects(filter.state(), filter.state().isEmpty() ? State.OPEN : state(deadLetter, views));
    }

    private static State state(DeadLetterSummary deadLetter, Views views) {
        return DeadLetterSummaries.inputPosition(deadLetter)
                .map(views.deadLetters()::state)
                .orElse(State.OPEN);
    }

    /** Whether the caller may see the names of a dead letter: a filter must not tell them. */
    private static boolean hasVisibleNames(DeadLetterSummary deadLetter, Views views, MaskingPolicy masking) {
        return !DeadLetterSummaries.isClaimed(deadLetter)
                || !masking.masksClaims(deadLetter)
                        && DeadLetterSummaries.inputPosition(deadLetter)
                                .filter(views.redactions()::isRedacted)
                                .isEmpty();
    }

    /** Counts the selected dead letters by stage, code and partition of their topic. */
    static KeyedItems counts(ViewRequest request, Views views) {
        DeadLetterView.Filter filter = filter(request);
        GroupedItems<DeadLetterSummary> groups =
                new GroupedItems<>(new KeyedItems(request.budget()), request.limit(), Group::new);
        Predicate<DeadLetterSummary> selected = selected(filter, views, request.masking());
        return groups.page(
                views.deadLetters().byCode(filter, selected, request.after(), GroupedItems.MAX_RECORDS, groups::add));
    }

    /** Consecutive dead letters of one stage, code and partition. */
    private static final class Group implements GroupedItems.Group<DeadLetterSummary> {
        private final DeadLetterSummary first;
        private long count = 1;

        Group(DeadLetterSummary first) {
            this.first = first;
        }

        @Override
        public boolean add(DeadLetterSummary next) {
            boolean same = first.getStage() == next.getStage()
                    && first.getCode().equals(next.getCode())
                    && first.getPartition() == next.getPartition();
            count += same ? 1 : 0;
            return same;
        }

        @Override
        public DeadLetter.Count item() {
            String code = first.getCode().isEmpty() ? null : first.getCode();
            return new DeadLetter.Count(first.getStage().name(), code, first.getPartition(), count);
        }
    }

    /** Adds a dead letter if it fits; of the first, as much as fits. */
    private boolean add(KeyedItems items, Bytes key, DeadLetterSummary deadLetter, Views views, MaskingPolicy masking) {
        Optional<InputPosition> position = DeadLetterSummaries.inputPosition(deadLetter);
        Optional<AuditRecord> recorded = position.flatMap(at -> record(at, views));
        boolean redacted = position.filter(views.redactions()::isRedacted).isPresent()
                || recorded.filter(record -> record.getRedacted() != null).isPresent();
        boolean masked = masking.masks(deadLetter);
        String gloss = redacted || masked ? null : new MaskedGloss(glosses, masking).of(deadLetter, recorded);
        State state = state(deadLetter, views);
        return items.addIfFits(key, item(deadLetter, redacted, masking, true, gloss, state))
                || items.addFirst(key, item(deadLetter, redacted, masking, false, null, state));
    }

    /**
     * The audit record, if this instance has it. It also says whether the message was redacted: the redaction topic may
     * have lost the request.
     */
    private static Optional<AuditRecord> record(InputPosition position, Views views) {
        return views.messages().position(position).flatMap(found -> views.message(found.chain(), found.sequence()));
    }

    /** The ID of a dead letter: topic/partition/offset. */
    public static String id(InputPosition deadLetter) {
        return deadLetter.topic() + '/' + deadLetter.partition() + '/' + deadLetter.offset();
    }

    /** The dead letter with an ID; empty if the text has another form than {@link #id}. */
    public static Optional<InputPosition> ofId(String id) {
        String[] parts = id.split("/", ID_PARTS + 1);
        return parts.length == ID_PARTS
                ? InputPosition.parse(parts[0] + '-' + parts[1] + '@' + parts[2])
                : Optional.empty();
    }

    /**
     * One dead letter.
     *
     * @param redacted whether its message is redacted, so that not even size and hash may confirm a guess
     * @param masking what the caller may see
     * @param body whether to include texts of any length
     * @param gloss null if there is none, or the caller may not see it
     * @param state what became of it
     */
    public static DeadLetter item(
            DeadLetterSummary deadLetter,
            boolean redacted,
            MaskingPolicy masking,
            boolean body,
            String gloss,
            State state) {
        boolean masked = redacted || masking.masks(deadLetter);
        boolean detailMasked = redacted || masking.masksDetail(deadLetter);
        boolean claimsMasked = redacted || masking.masksClaims(deadLetter);
        boolean claimed = DeadLetterSummaries.isClaimed(deadLetter);
        boolean named = body && !(claimsMasked && claimed);
        EncodedText preview = masked || !body ? EncodedText.NONE : EncodedText.of(deadLetter.getPreview());
        return new DeadLetter(
                id(new InputPosition(deadLetter.getTopic(), deadLetter.getPartition(), deadLetter.getOffset())),
                deadLetter.getStage().name(),
                deadLetter.getCode().isEmpty() ? null : deadLetter.getCode(),
                detailMasked || !body ? null : deadLetter.getDetail(),
                body ? deadLetter.getException() : null,
                deadLetter.getPosition(),
                deadLetter.getProtocol().name(),
                named ? deadLetter.getNamespace() : null,
                named ? deadLetter.getConversation() : null,
                body && !claimsMasked ? deadLetter.getSender() : null,
                claimed,
                deadLetter.getAttempt(),
                state == State.RETURNED,
                state == State.CLOSED,
                deadLetter.getTimestamp(),
                new RecordPosition(
                        deadLetter.getSourceTopic(), deadLetter.getSourcePartition(), deadLetter.getSourceOffset()),
                new RecordPosition(deadLetter.getTopic(), deadLetter.getPartition(), deadLetter.getOffset()),
                redacted ? null : deadLetter.getValueSize(),
                redacted || masked && masking.masksHashes() ? null : AvroJson.hex(deadLetter.getSha256()),
                preview.text(),
                preview.encoding(),
                gloss,
                masked,
                !body);
    }
}
