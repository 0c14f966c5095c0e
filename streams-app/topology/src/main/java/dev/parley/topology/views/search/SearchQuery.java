package dev.parley.topology.views.search;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.views.read.NamespaceScope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A search for audit records, latest first. A record must satisfy every part; an empty part matches all.
 *
 * @param words words of its content, or of the names of its conversation and agents, as {@link SearchTerms#words}
 *     returns them
 * @param code its deciding code, or one of its warnings
 * @param sender its sender, exactly
 * @param recipient one of its first recipients, exactly
 * @param reference one of its first references, exactly: its kind, a colon, and the name
 * @param from earliest record time, inclusive
 * @param to latest record time, inclusive
 * @param visible the content to find, as if there were no other; empty to find everything
 */
public record SearchQuery(
        List<String> words,
        Optional<String> code,
        Optional<String> sender,
        Optional<String> recipient,
        Optional<String> reference,
        Optional<Verdict> verdict,
        Optional<Protocol> protocol,
        Optional<String> namespace,
        Optional<Instant> from,
        Optional<Instant> to,
        Optional<PublicContent> visible) {

    /** Maximum number of words. */
    public static final int MAX_WORDS = 8;

    public SearchQuery {
        words = List.copyOf(words);
    }

    /** Whether a record satisfies all parts. */
    public boolean matches(AuditRecord record) {
        boolean seesPrivate = visible.isEmpty();
        SearchTerms terms = SearchTerms.of(record, visible.orElse(PublicContent.WITHOUT_RULES));
        Instant time = record.getSource().getTimestamp();
        return (terms.attributes().containsAll(attributes(false, false))
                        || seesPrivate
                                && (terms.attributes().containsAll(attributes(false, true))
                                        || terms.attributes().containsAll(attributes(true, true))))
                && terms.hasWords(words, seesPrivate)
                && from.filter(time::isBefore).isEmpty()
                && to.filter(time::isAfter).isEmpty();
    }

    /**
     * Terms of the parts that are attributes.
     *
     * @param isClaimed whether sender and namespace are claims of a private record
     * @param isPrivate whether the reference is in a private record
     */
    private List<String> attributes(boolean isClaimed, boolean isPrivate) {
        List<String> attributes = new ArrayList<>();
        code.map(SearchTerms::code).ifPresent(attributes::add);
        sender.map(name -> SearchTerms.claimed(SearchTerms.sender(name), isClaimed))
                .ifPresent(attributes::add);
        recipient.map(SearchTerms::recipient).ifPresent(attributes::add);
        namespace
                .map(name -> SearchTerms.claimed(SearchTerms.namespace(name), isClaimed))
                .ifPresent(attributes::add);
        reference
                .map(name -> SearchTerms.claimed(SearchTerms.reference(name), isPrivate))
                .ifPresent(attributes::add);
        verdict.map(SearchTerms::verdict).ifPresent(attributes::add);
        protocol.map(SearchTerms::protocol).ifPresent(attributes::add);
        return attributes;
    }

    /**
     * The terms of each list of matches in a scope: for each of its namespaces, the records that every role finds by
     * these words, and the private ones. The lists have no record in common, unless each word is one of names, or
     * of the public part of a record.
     */
    List<List<String>> terms(NamespaceScope scope) {
        return scope.select(namespace).stream()
                .flatMap(name -> in(name).terms().stream())
                .toList();
    }

    private SearchQuery in(Optional<String> name) {
        return new SearchQuery(words, code, sender, recipient, reference, verdict, protocol, name, from, to, visible);
    }

    private List<List<String>> terms() {
        List<List<String>> terms = new ArrayList<>();
        terms.add(terms(false, false));
        if (visible.isEmpty()) {
            boolean names = sender.isPresent() || namespace.isPresent();
            if (!words.isEmpty() || reference.isPresent()) {
                terms.add(terms(false, true));
            }
            if (names) {
                terms.add(terms(true, true));
            }
        }
        return terms;
    }

    private List<String> terms(boolean isClaimed, boolean isPrivate) {
        List<String> terms = attributes(isClaimed, isPrivate);
        words.forEach(word -> terms.add(isPrivate ? SearchTerms.privateWord(word) : SearchTerms.word(word)));
        return terms;
    }
}
