package dev.parley.server.api;

import dev.parley.avro.AuditRecord;
import dev.parley.json.model.Unapproved;
import dev.parley.protocol.Glosses;
import dev.parley.server.api.view.KeyedItems;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.topology.views.Views;
import java.util.Optional;

/** Answers requests for the records with a changed definition that no approval names. */
record UnapprovedHandler(Glosses glosses, ResponseLinks links) {

    KeyedItems list(ViewRequest request, Views views) {
        Optional<String> namespace = Parameters.ofList(request, "namespace").text("namespace");
        DefinitionChanges changes = new DefinitionChanges(views, request.masking());
        KeyedItems items = new KeyedItems(request.budget());
        return items.endAt(views.approvals()
                .list(
                        namespace,
                        request.after(),
                        request.limit(),
                        (key, record) -> items.add(key, item(record, changes.of(record), request))));
    }

    private Unapproved item(AuditRecord record, DefinitionChanges.Changes changes, ViewRequest request) {
        MessageOutline outline = MessageOutline.of(record);
        return new Unapproved(
                record.getChain(),
                record.getSequence(),
                outline.time(),
                changes.server() == null ? outline.sender() : changes.server(),
                changes.definitions(),
                new MaskedGloss(glosses, request.masking()).of(record),
                record.getRedacted() != null,
                links.messages(record));
    }
}
