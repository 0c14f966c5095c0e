package dev.parley.topology.views.search;

import dev.parley.avro.AuditRecord;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.views.read.NamespaceScope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A search for audit records, latest first.
 *
 * @param text the conditions on a record
 * @param from earliest record time, inclusive
 * @param to latest record time, inclusive
 * @param visible the content to find, as if there were no other; empty to find everything
 */
public record SearchQuery(
        SearchText text, Optional<Instant> from, Optional<Instant> to, Optional<PublicContent> visible) {

    /** Whether a record satisfies all conditions. */
    public boolean matches(AuditRecord record) {
        SearchTerms terms = SearchTerms.of(record, visible.orElse(PublicContent.WITHOUT_RULES));
        Instant time = record.getSource().getTimestamp();
        return text.matches(part -> terms.satisfy(part, visible.isEmpty()))
                && from.filter(time::isBefore).isEmpty()
                && to.filter(time::isAfter).isEmpty();
    }

    /** What documents must have to be candidates. Exclusions are no part of it: only the record itself decides. */
    Plan plan(NamespaceScope scope) {
        boolean seesPrivate = visible.isEmpty();
        List<List<List<TermPattern>>> clauses = new ArrayList<>();
        for (List<SearchText.Part> clause : text.clauses()) {
            clauses.add(clause.stream().map(part -> part.patterns(seesPrivate)).toList());
        }
        scope.namespaces()
                .ifPresent(names -> clauses.add(names.stream()
                        .map(name -> List.of(TermPattern.attribute(SearchTerms.namespace(name), seesPrivate)))
                        .toList()));
        return new Plan(clauses);
    }

    /** Clauses, which all must match: by one of its alternatives, of which all patterns match. */
    record Plan(List<List<List<TermPattern>>> clauses) {
        boolean matches(Predicate<TermPattern> has) {
            for (List<List<TermPattern>> clause : clauses) {
                if (clause.stream().noneMatch(all -> all.stream().allMatch(has))) {
                    return false;
                }
            }
            return true;
        }
    }
}
