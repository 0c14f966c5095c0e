package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Redrive;
import dev.parley.avro.RedriveKind;
import dev.parley.encoding.Sha256;
import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import dev.parley.server.http.ProblemException;
import dev.parley.server.redrive.RedriveOrder.Candidate;
import dev.parley.server.redrive.RedriveResult.Outcome;
import dev.parley.topology.topics.ClosureKey;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Redrives dead letters of memory, by the rules of the real one. */
public final class FakeRedriver implements Redriver {

    public final Map<InputPosition, DeadLetterRecord> letters = new LinkedHashMap<>();
    public final Map<InputPosition, ConsumerRecord<byte[], byte[]>> inputs = new LinkedHashMap<>();
    public final List<Redrive> redrives = new ArrayList<>();
    /** The records of closed and reopened dead letters, in order. */
    public final List<Redrive> closures = new ArrayList<>();
    /** The messages that entered, in order. */
    public final List<byte[]> sent = new ArrayList<>();
    /** The dead letters that entered, in order. */
    public final List<RedriveItem> records = new ArrayList<>();

    volatile boolean unavailable;
    private final RedriveIndex index = new RedriveIndex();
    private final RedriveRules rules = new RedriveRules(TopicNames.DEFAULT.inputs(Protocols.STANDARD), 3);

    public void add(DeadLetterRecord letter) {
        letters.put(letter.id(), letter);
    }

    @Override
    public Map<InputPosition, Candidate> find(
            Collection<InputPosition> deadLetters, Predicate<DeadLetterRecord> visible) {
        Map<InputPosition, Candidate> found = new LinkedHashMap<>();
        read(List.copyOf(deadLetters)).letters().values().stream()
                .filter(visible)
                .forEach(letter -> found.put(letter.id(), Candidate.of(letter)));
        return found;
    }

    @Override
    public Read read(List<InputPosition> deadLetters) {
        if (unavailable) {
            throw ProblemException.Code.BROKERS_UNAVAILABLE.problem("The brokers are unavailable.");
        }
        Map<InputPosition, DeadLetterRecord> found = new LinkedHashMap<>();
        deadLetters.stream().filter(letters::containsKey).forEach(id -> found.put(id, letters.get(id)));
        return new Read(deadLetters.size(), found);
    }

    @Override
    public Optional<Shown> show(InputPosition deadLetter) {
        return Optional.ofNullable(read(List.of(deadLetter)).letters().get(deadLetter))
                .map(letter -> new Shown(
                        letter,
                        redrives(letter),
                        letter.source().map(index::changes).orElse(List.of()).stream()
                                .map(change -> closures.get((int) change.offset()))
                                .toList(),
                        letter.source().filter(index::isClosed).isPresent()));
    }

    @Override
    public Optional<ConsumerRecord<byte[], byte[]>> input(InputPosition position) {
        return Optional.ofNullable(inputs.get(position));
    }

    @Override
    public List<RedriveResult> check(List<RedriveItem> items, String operation) {
        return items.stream().map(item -> rules.decide(item, index, operation)).toList();
    }

    @Override
    public List<RedriveResult> redrive(List<RedriveItem> items, Order order) {
        List<RedriveResult> results = new ArrayList<>();
        for (RedriveItem item : items) {
            RedriveResult result = rules.decide(item, index, order.operation());
            if (result.outcome() != Outcome.WOULD_ENTER) {
                results.add(result);
                continue;
            }
            InputPosition source = item.source();
            InputPosition position = new InputPosition(source.topic(), source.partition(), 1_000 + sent.size());
            sent.add(item.value());
            records.add(item);
            index.add(new RedriveIndex.Entry(source, position, result.attempt(), redrives.size(), order.operation()));
            redrives.add(Redrive.newBuilder()
                    .setSource(source.toString())
                    .setDeadLetter(item.letter().id().toString())
                    .setSent(position.toString())
                    .setAttempt(result.attempt())
                    .setBy(order.by())
                    .setReason(order.reason())
                    .setTime(Instant.EPOCH)
                    .setOperation(order.operation())
                    .setOriginalHash(hash(item.letter().value()))
                    .setSentHash(hash(item.value()))
                    .setEdited(!item.edit().isEmpty())
                    .build());
            results.add(new RedriveResult(item.letter().id(), Outcome.ENTERED, position, result.attempt(), null));
        }
        return results;
    }

    @Override
    public List<RedriveResult> change(Collection<Candidate> letters, boolean close, Order order) {
        List<RedriveResult> results = new ArrayList<>();
        for (Candidate letter : letters) {
            RedriveResult result = rules.decide(letter, index, close);
            results.add(result);
            if (result.detail() == null) {
                ClosureKey key = index.nextChange(letter.source(), close);
                index.add(new RedriveIndex.Change(key, closures.size(), true));
                closures.add(Redrive.newBuilder()
                        .setSource(letter.source().toString())
                        .setDeadLetter(letter.deadLetter().toString())
                        .setSent("")
                        .setAttempt(key.number())
                        .setBy(order.by())
                        .setReason(order.reason())
                        .setTime(Instant.EPOCH)
                        .setOperation(order.operation())
                        .setKind(close ? RedriveKind.CLOSED : RedriveKind.REOPENED)
                        .build());
            }
        }
        return results;
    }

    private static ByteBuffer hash(byte[] value) {
        return value == null ? null : ByteBuffer.wrap(Sha256.of(value));
    }

    @Override
    public List<Redrive> redrives(Collection<InputPosition> inputs) {
        Set<String> names = inputs.stream().map(InputPosition::toString).collect(Collectors.toSet());
        return redrives.stream()
                .filter(redrive -> names.contains(redrive.getSource()) || names.contains(redrive.getSent()))
                .toList();
    }

    private List<Redrive> redrives(DeadLetterRecord deadLetter) {
        return deadLetter.source().flatMap(index::of).stream()
                .map(entry -> redrives.get((int) entry.offset()))
                .toList();
    }
}
