package dev.parley.server.api;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.TrackedItem;
import dev.parley.avro.TrackedItems;
import dev.parley.items.ItemListener;
import dev.parley.items.ItemOutcome;
import dev.parley.items.ItemTracker;
import dev.parley.json.model.CallPage;
import dev.parley.json.model.CallPage.Call;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.stage.StageSettings;
import dev.parley.topology.views.Views;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Answers with the requests of a conversation and their ends, from a replay of its records with the rules of the
 * analytics.
 *
 * @param settings settings of the pipeline
 */
record CallHandler(StageSettings settings) {

    /** Maximum number of records that one response examines. */
    static final long MAX_RECORDS = 5_000;

    /** A response ends after the record with which it has this many requests. */
    static final int MAX_CALLS = 10_000;

    CallPage list(ViewRequest request, Views views) {
        Parameters parameters = Parameters.of(request, "from");
        ConversationSummary summary = ConversationHandler.find(request, views);
        long from = parameters.from().orElseGet(() -> ConversationHandler.firstOf(summary, views));
        ItemTracker tracker = new ItemTracker(
                settings.protocols()::itemRules, settings.dialogue().idleMillis());
        Calls calls = new Calls();
        TrackedItems open = null;
        boolean partial = false;
        long end = Math.min(from + MAX_RECORDS, summary.getLastSequence() + 1);
        Iterator<AuditRecord> records = views.records(summary.getChain(), from, end);
        while (records.hasNext()) {
            if (calls.all.size() >= MAX_CALLS) {
                end = calls.sequence + 1;
                break;
            }
            AuditRecord record = request.masking().visible(records.next());
            if (record == null || record.getMessage() == null) {
                partial = true;
            } else {
                calls.sequence = record.getSequence();
                calls.time = record.getSource().getTimestamp();
                open = tracker.follow(open, record, calls.time.toEpochMilli(), calls);
            }
        }
        ConversationHandler.requireKept(from, summary, views);
        List<Call> fitting = new ArrayList<>();
        for (Call call : calls.all.values()) {
            if (!request.budget().add(call, fitting.isEmpty())) {
                // A record whose requests do not fit is not read again.
                end = Math.max(call.opened(), from + 1);
                partial |= call.opened() < end;
                break;
            }
            fitting.add(call);
        }
        Long next = end > summary.getLastSequence() ? null : (Long) end;
        return new CallPage(summary.getChain(), from, end - 1, partial, fitting, next);
    }

    /** The requests so far, by the sequence, kind and ID of the request. */
    private static final class Calls implements ItemListener {
        private record Key(long sequence, String kind, String item) {
            static Key of(TrackedItem item) {
                return new Key(item.getSequence(), item.getKind(), item.getItem());
            }
        }

        private final Map<Key, Call> all = new LinkedHashMap<>();
        private long sequence;
        private Instant time;

        @Override
        public void opened(TrackedItem item) {
            all.put(
                    Key.of(item),
                    new Call(
                            item.getKind(),
                            ItemTracker.shown(item.getItem()),
                            ItemTracker.shown(item.getName()),
                            ItemTracker.shown(item.getAgent()),
                            ItemTracker.shown(item.getRequester()),
                            item.getSequence(),
                            Instant.ofEpochMilli(item.getSince()),
                            null,
                            null,
                            null));
        }

        @Override
        public void touched(TrackedItem item) {
            // The request and its time remain.
        }

        @Override
        public void closed(TrackedItem item, ItemOutcome outcome, String agent, long bytes) {
            end(item, outcome.name(), agent);
        }

        @Override
        public void dropped(TrackedItem item) {
            end(item, null, null);
        }

        private void end(TrackedItem item, String outcome, String agent) {
            all.computeIfPresent(
                    Key.of(item),
                    (key, call) -> call.closed() != null && outcome == null
                            ? call
                            : new Call(
                                    call.kind(),
                                    call.item(),
                                    call.name(),
                                    agent == null ? call.agent() : agent,
                                    call.requester(),
                                    call.opened(),
                                    call.since(),
                                    sequence,
                                    time,
                                    outcome));
        }
    }
}
