package dev.parley.server.api;

import dev.parley.avro.ConversationSummary;
import dev.parley.decode.ConversationKey;
import dev.parley.json.ResultSize;
import dev.parley.server.api.view.KeyedItems;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.server.http.ResponseBudget;
import dev.parley.stage.StageSettings;
import dev.parley.state.PointInTime;
import dev.parley.state.ShownEntry;
import dev.parley.state.StateAnswer;
import dev.parley.state.StateQueries;
import dev.parley.topology.views.ConversationPart;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.read.InvalidCursorException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/**
 * Answers what its conversations had shown an agent by {@link StateQueries}. An item of the list is a conversation, or
 * a part of one that does not fit on a page.
 *
 * @param settings settings of the pipeline, with which its messages were judged
 */
record KnowledgeHandler(StageSettings settings) {

    /** A page ends after the conversation with which it has read this many bytes. */
    static final long MAX_BYTES = 128 << 20;

    KeyedItems list(ViewRequest request, Views views) {
        Parameters parameters = Parameters.ofList(request, "at");
        Optional<ConversationPart> position = request.after().map(KnowledgeHandler::position);
        Instant until = parameters.parsed(
                "at", parameters.text("at").orElse("latest"), text -> PointInTime.until(text, Clock.systemUTC()));
        Page page = new Page(request, views, until, position);
        Optional<Bytes> end = views.agents()
                .list(
                        request.pathParam("namespace"),
                        request.pathParam("agent"),
                        position.map(ConversationPart::after),
                        request.limit(),
                        page::add);
        return page.items.endAt(page.split.or(() -> end));
    }

    private static ConversationPart position(Bytes cursor) {
        return ConversationPart.of(cursor).orElseThrow(() -> new InvalidCursorException("it belongs to another query"));
    }

    private final class Page {
        private final String agent;
        private final Instant until;
        private final Optional<ConversationPart> position;
        private final ResponseBudget budget;
        private final StateQueries queries;
        private final KeyedItems items;
        private Optional<Bytes> split = Optional.empty();

        Page(ViewRequest request, Views views, Instant until, Optional<ConversationPart> position) {
            this.agent = request.pathParam("agent");
            this.until = until;
            this.position = position;
            this.budget = request.budget();
            this.queries = new StateQueries(views, settings::stateModel, request.masking()::visible, budget);
            this.items = new KeyedItems(budget);
        }

        /** Adds the next conversation; returns false if it belongs to the next page. */
        boolean add(Bytes key, ConversationSummary summary) {
            if (queries.knowledgeBytes() >= MAX_BYTES || split.isPresent()) {
                return false;
            }
            ConversationKey conversation =
                    ConversationKey.ofView(summary.getNamespace(), summary.getProtocol(), summary.getConversation());
            if (settings.stateModel(conversation.protocol()).isEmpty()) {
                return true;
            }
            StateAnswer.Knowledge all = queries.knowledge(conversation, agent, until);
            Optional<String> last =
                    position.filter(part -> part.conversation().equals(key)).flatMap(ConversationPart::entry);
            StateAnswer.Knowledge rest = last.map(name -> all.with(all.entries().stream()
                            .filter(entry -> entry.entry().compareTo(name) > 0)
                            .toList()))
                    .orElse(all);
            boolean nothing = last.isPresent() ? rest.entries().isEmpty() : !all.hasContent();
            return nothing || items.addIfFits(key, rest) || addPart(key, rest);
        }

        /** Adds the entries that fit if the page is empty. */
        private boolean addPart(Bytes key, StateAnswer.Knowledge knowledge) {
            List<ShownEntry> entries = knowledge.entries();
            long left = budget.left() - ResultSize.of(knowledge.with(List.of())).memory();
            List<ShownEntry> part = new ArrayList<>();
            for (ShownEntry entry : entries) {
                left -= ResultSize.of(entry).memory();
                if (left < 0 && !part.isEmpty()) {
                    break;
                }
                part.add(entry);
            }
            boolean whole = part.size() == entries.size();
            Bytes end = whole
                    ? key
                    : new ConversationPart(
                                    key, Optional.of(part.get(part.size() - 1).entry()))
                            .toKey();
            boolean added = items.addFirst(end, knowledge.with(part));
            split = added && !whole ? Optional.of(end) : Optional.empty();
            return added;
        }
    }
}
