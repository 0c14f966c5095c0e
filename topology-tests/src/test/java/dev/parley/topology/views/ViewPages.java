package dev.parley.topology.views;

import dev.parley.avro.ConversationSummary;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.topology.views.read.Cursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads pages of {@link Views} into memory. */
public final class ViewPages {

    private ViewPages() {}

    /**
     * A page of a list.
     *
     * @param next cursor of the next page; empty if this is the last
     */
    public record Page<T>(List<T> items, Optional<String> next) {}

    public static Page<ConversationSummary> conversations(
            Views views, Optional<String> namespace, Optional<Protocol> protocol, Optional<String> cursor, int limit) {
        return conversations(
                views,
                new ConversationView.Filter(namespace, protocol, Optional.empty(), Optional.empty()),
                cursor,
                limit);
    }

    public static Page<ConversationSummary> conversations(
            Views views, ConversationView.Filter filter, Optional<String> cursor, int limit) {
        return conversations(views, filter, ConversationOrder.LATEST, cursor, limit);
    }

    public static Page<ConversationSummary> conversations(
            Views views, ConversationView.Filter filter, ConversationOrder order, Optional<String> cursor, int limit) {
        List<ConversationSummary> items = new ArrayList<>();
        return new Page<>(
                items,
                views.conversations()
                        .list(filter, order, cursor.map(Cursor::key), limit, (key, item) -> items.add(item))
                        .map(Cursor::of));
    }

    public static Page<DeadLetterSummary> deadLetters(
            Views views, Optional<Stage> stage, Optional<String> code, Optional<String> cursor, int limit) {
        return deadLetters(
                views,
                new DeadLetterView.Filter(
                        stage,
                        code,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                cursor,
                limit);
    }

    public static Page<DeadLetterSummary> deadLetters(
            Views views, DeadLetterView.Filter filter, Optional<String> cursor, int limit) {
        List<DeadLetterSummary> items = new ArrayList<>();
        return new Page<>(
                items,
                views.deadLetters()
                        .list(filter, each -> true, cursor.map(Cursor::key), limit, (key, item) -> items.add(item))
                        .map(Cursor::of));
    }

    public static Page<CheckpointNode> checkpoints(
            Views views, String namespace, String context, Optional<String> cursor, int limit) {
        List<CheckpointNode> items = new ArrayList<>();
        return new Page<>(items, views.checkpoints(namespace, context, cursor, limit, items::add));
    }
}
