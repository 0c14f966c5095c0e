package dev.parley.chaos;

import dev.parley.audit.InputPartition;
import dev.parley.audit.InputPosition;
import dev.parley.avro.Accounting;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.avro.TrafficCount;
import dev.parley.codec.Symbols;
import dev.parley.load.ExpectedOutcome;
import dev.parley.load.LoadRecord;
import dev.parley.log.ChainVerifier;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Verifies the content of the topics, record by record. The inputs contain their expected outcome
 * ({@link LoadRecord#EXPECTED}), so the oracle needs no information from the pipeline.
 *
 * <ul>
 *   <li>Each sent record is in the inputs once, and each input has its expected verdict and code once.
 * <li>Each accepted message is in the message topic once; each other record is in the dead letters of its stage once,
 * byte for byte.
 *   <li>Every chain verifies. Every checkpoint is the state that the accepted patches create, and there is no other.
 *   <li>No minute of the traffic counts was written twice, or counts more messages than it has.
 * <li>For every input partition, inputs = accepted + rejected + flagged + undecodable + parked, by Parley's count and
 * by the oracle's.
 * </ul>
 *
 * <p>Keeps only what is outstanding, a bit per input, the chain heads, and the states.
 */
final class Oracle {
    private static final String OUR_HEADERS = "parley.error.";
    private static final String KAFKA_HEADERS = "__streams.errors.";
    private static final String ATTEMPT = "parley-attempt";
    private static final String PATCH = "\nINTENT PATCH\n";

    private final BitSet sent = new BitSet();
    private final Map<InputPosition, ConsumerRecord<byte[], byte[]>> unjudged = new HashMap<>();
    private final Map<InputPosition, Failed> owedLetters = new HashMap<>();
    private final Map<InputPosition, Failed> earlyLetters = new HashMap<>();
    private final Map<InputPartition, BitSet> owedMessages = new HashMap<>();
    private final Map<InputPartition, BitSet> earlyMessages = new HashMap<>();
    private final Map<InputPartition, Tally> tallies = new TreeMap<>();
    private final Map<String, Accounting> counted = new HashMap<>();
    private final Map<Instant, Long> minutes = new HashMap<>();
    private final Map<Instant, Long> countedMinutes = new HashMap<>();
    private final Set<String> countedKinds = new HashSet<>();
    private final ChainVerifier chains = new ChainVerifier();
    private final ExpectedStates states = new ExpectedStates();
    private final List<String> wrong = new ArrayList<>();
    private final ApiHistory history;
    private long expiring;
    /** Number of verdicts on messages of the future, which count in the minute of their verdict. */
    private long ahead;

    /** An oracle of a load alone. */
    Oracle() {
        this(new ApiHistory());
    }

    /**
     * An oracle of a load and of HTTP clients.
     *
     * @param history what the clients were told
     */
    Oracle(ApiHistory history) {
        this.history = history;
    }

    /** An input without a message and the stage of its verdict, or a dead letter and the stage of its topic. */
    private record Failed(Stage stage, ConsumerRecord<byte[], byte[]> record) {}

    /**
     * Adds an input record. Call this before adding records that Parley wrote about it; the other topics may come in
     * any order.
     */
    void input(ConsumerRecord<byte[], byte[]> record) {
        InputPosition position = new InputPosition(record.topic(), record.partition(), record.offset());
        if (isOfLoad(record)) {
            int id = Integer.parseInt(header(record, LoadRecord.ID));
            if (sent.get(id)) {
                wrong.add("record " + id + " was sent twice, the second time as " + position);
            }
            sent.set(id);
        } else if (!text(record).startsWith(LocalDeployment.NOISE)) {
            history.input(header(record, ApiClients.KEY), header(record, ATTEMPT), position);
        }
        unjudged.put(position, record);
        add(position, new Tally(1, 0, 0, 0, 0, 1));
    }

    /** Adds an audit record; those of a chain in order. */
    void audit(AuditRecord audit) {
        chains.check(audit).forEach(auditFault -> wrong.add(auditFault.toString()));
        InputPosition position = InputPosition.of(audit.getSource());
        Instant received = audit.getSource().getTimestamp();
        if (received.isAfter(Instant.now())) {
            ahead++;
        } else {
            minutes.merge(received.truncatedTo(ChronoUnit.MINUTES), 1L, Long::sum);
        }
        if ("INPUT_EXPIRED".equals(audit.getCode())) {
            expiring -= audit.getUnread();
            return;
        }
        ConsumerRecord<byte[], byte[]> input = unjudged.remove(position);
        if (input == null) {
            wrong.add(position + " has a verdict more: " + audit.getVerdict());
            return;
        }
        if (!isOfLoad(input)) {
            history.verdict(position, audit.getSequence());
        }
        ExpectedOutcome outcome = expected(input);
        ExpectedOutcome actual = ExpectedOutcome.of(audit);
        if (!outcome.allows(actual)) {
            wrong.add(position + " should be " + outcome + " and is " + actual);
        }
        add(
                position,
                switch (Symbols.VERDICT.of(audit.getVerdict())) {
                    case ACCEPTED -> new Tally(0, 1, 0, 0, 0, -1);
                    case REJECTED -> new Tally(0, 0, 1, 0, 0, -1);
                    case FLAGGED -> new Tally(0, 0, 0, 1, 0, -1);
                    case UNDECODABLE -> new Tally(0, 0, 0, 0, 1, -1);
                    case UNSPECIFIED -> Tally.NOTHING;
                });
        if (audit.getCode() == null) {
            pair(position, owedMessages, earlyMessages);
            patch(audit, input);
        } else {
            Failed early = earlyLetters.remove(position);
            Failed refused = new Failed(Symbols.STAGE.of(audit.getStage()), input);
            if (early == null) {
                owedLetters.put(position, refused);
            } else {
                compare(position, early, refused);
            }
        }
    }

    /** Adds one of two matching records: the first becomes outstanding. */
    private void pair(InputPosition position, Map<InputPartition, BitSet> owed, Map<InputPartition, BitSet> early) {
        BitSet first = early.getOrDefault(position.inputPartition(), new BitSet());
        int offset = Math.toIntExact(position.offset());
        if (first.get(offset)) {
            first.clear(offset);
            return;
        }
        BitSet waiting = owed.computeIfAbsent(position.inputPartition(), any -> new BitSet());
        if (waiting.get(offset)) {
            wrong.add(position + " is in the message topic once too often");
        }
        waiting.set(offset);
    }

    private void patch(AuditRecord audit, ConsumerRecord<byte[], byte[]> input) {
        if (Symbols.PROTOCOL.of(audit.getMessage().getProtocol()) == Protocol.CSP
                && !audit.getWarnings().contains("CSP_DUPLICATE")) {
            String wire = new String(input.value(), StandardCharsets.UTF_8);
            if (wire.contains(PATCH)) {
                states.patch(context(input), wire);
            }
        }
    }

    /** Adds a record of the message topic. */
    void message(AgentMessage message) {
        pair(InputPosition.of(message.getSource()), earlyMessages, owedMessages);
    }

    /** Adds a dead letter. */
    void deadLetter(Stage stage, ConsumerRecord<byte[], byte[]> record) {
        InputPosition position = new InputPosition(
                header(record, KAFKA_HEADERS + "topic"),
                Integer.parseInt(header(record, KAFKA_HEADERS + "partition")),
                Long.parseLong(header(record, KAFKA_HEADERS + "offset")));
        Failed letter = new Failed(stage, record);
        Failed refused = owedLetters.remove(position);
        if (refused != null) {
            compare(position, letter, refused);
        } else if (earlyLetters.put(position, letter) != null) {
            wrong.add(position + " is in the dead letters twice");
        }
    }

    private void compare(InputPosition position, Failed letter, Failed refused) {
        ConsumerRecord<byte[], byte[]> input = refused.record();
        if (letter.stage() != refused.stage()) {
            wrong.add(position + " is in the dead letters of " + letter.stage() + " and should be in those of "
                    + refused.stage());
        }
        if (!Arrays.equals(letter.record().key(), input.key())
                || !Arrays.equals(letter.record().value(), input.value())
                || !original(letter.record()).equals(original(input))) {
            wrong.add("the dead letter of " + position + " is not its input, byte for byte");
        }
    }

    private static List<Header> original(ConsumerRecord<byte[], byte[]> letter) {
        List<Header> headers = new ArrayList<>(List.of(letter.headers().toArray()));
        headers.removeIf(header -> header.key().startsWith(OUR_HEADERS)
                || header.key().startsWith(KAFKA_HEADERS)
                || header.key().equals(ATTEMPT));
        return headers;
    }

    /** Adds a record of the checkpoint topic. */
    void checkpoint(Checkpoint checkpoint) {
        states.checkpoint(checkpoint);
    }

    /** Adds a record of the accounting topic; the last record of a key counts. */
    void accounting(String key, Accounting accounting) {
        counted.put(key, accounting);
    }

    /**
     * Adds a record of the traffic counts. A late message counts as late in another minute, but no message may be
     * counted twice.
     */
    void traffic(String kind, TrafficCount count) {
        if (!countedKinds.add(count.getWindowStart() + " " + kind)) {
            wrong.add("the minute from " + count.getWindowStart() + " was counted twice for " + kind);
        }
        if (!count.getLate()) {
            countedMinutes.merge(count.getWindowStart(), count.getMessages(), Long::sum);
        }
    }

    /** Whether all expected verdicts and the records that follow from them have been added. */
    boolean isSettled() {
        return expiring == 0
                && owedLetters.isEmpty()
                && earlyLetters.isEmpty()
                && owedMessages.values().stream().allMatch(BitSet::isEmpty)
                && earlyMessages.values().stream().allMatch(BitSet::isEmpty)
                && unjudged.values().stream().allMatch(this::mayWait);
    }

    /** Whether a patch may be parked: its base does not exist. */
    private boolean mayWait(ConsumerRecord<byte[], byte[]> input) {
        String wire = text(input);
        return wire.contains(PATCH) && !states.isMade(context(input), wire);
    }

    /** Whether Parley's counts match the oracle's for every input partition. */
    boolean isCounted() {
        return parleysTallies().equals(tallies);
    }

    /**
     * The violations found, one sentence each, at most a few dozen; empty if there are none. Call this when sending has
     * ended and Parley has finished or failed.
     *
     * @param expected number of sent records
     */
    List<String> objections(long expected) {
        List<String> objections = new ArrayList<>(wrong);
        wrong.clear();
        if (sent.cardinality() != expected || sent.length() != expected) {
            objections.add(expected + " records were sent, and " + sent.cardinality() + " are in the inputs");
        }
        unjudged.forEach((position, input) -> {
            if (!mayWait(input)) {
                objections.add(position + " has no verdict and should be " + expected(input));
            }
        });
        owedLetters.keySet().forEach(position -> objections.add(position + " has no dead letter"));
        earlyLetters.forEach((position, letter) -> objections.add(position + " is in the dead letters of "
                + letter.stage() + " and should not be: " + header(letter.record(), KAFKA_HEADERS + "message")));
        each(owedMessages, "is not in the message topic", objections);
        each(earlyMessages, "is in the message topic once too often", objections);
        objections.addAll(states.objections());
        objections.addAll(history.objections());
        if (expiring != 0) {
            objections.add("of the records that were deleted unread, INPUT_EXPIRED misses " + expiring);
        }
        countedMinutes.forEach((minute, messages) -> {
            if (messages > minutes.getOrDefault(minute, 0L) + ahead) {
                objections.add("the minute from " + minute + " has " + minutes.get(minute)
                        + " verdicts, and the traffic counts say " + messages);
            }
        });
        Map<InputPartition, Tally> parleys = parleysTallies();
        tallies.forEach((partition, tally) -> {
            Tally parley = parleys.getOrDefault(partition, Tally.NOTHING);
            if (!tally.balances() || !tally.equals(parley)) {
                objections.add(partition + " has " + tally + ", and Parley counts " + parley);
            }
        });
        return objections.size() > 40 ? List.copyOf(objections.subList(0, 40)) : objections;
    }

    private static void each(Map<InputPartition, BitSet> partitions, String what, List<String> objections) {
        partitions.forEach((partition, offsets) ->
                offsets.stream().forEach(offset -> objections.add(partition + "@" + offset + " " + what)));
    }

    /** Returns the tally of each input partition. */
    Map<InputPartition, Tally> tallies() {
        return Map.copyOf(tallies);
    }

    /** The outcomes of all inputs. */
    Tally total() {
        return tallies.values().stream().reduce(Tally.NOTHING, Tally::plus);
    }

    /** Number of verified audit chains. */
    int chains() {
        return chains.chains();
    }

    /** Number of checkpoints with a compared state. */
    int checkpoints() {
        return states.compared();
    }

    private Map<InputPartition, Tally> parleysTallies() {
        Map<InputPartition, Tally> sums = new TreeMap<>();
        counted.values()
                .forEach(one ->
                        sums.merge(new InputPartition(one.getTopic(), one.getPartition()), Tally.of(one), Tally::plus));
        return sums;
    }

    /** Records were deleted that nobody has read. */
    void expired(long records) {
        expiring += records;
    }

    private static boolean isOfLoad(ConsumerRecord<byte[], byte[]> record) {
        return record.headers().lastHeader(LoadRecord.ID) != null;
    }

    private static ExpectedOutcome expected(ConsumerRecord<byte[], byte[]> input) {
        return isOfLoad(input)
                ? ExpectedOutcome.parse(header(input, LoadRecord.EXPECTED))
                : ApiClients.expected(text(input));
    }

    private static String text(ConsumerRecord<byte[], byte[]> record) {
        return record.value() == null ? "" : new String(record.value(), StandardCharsets.UTF_8);
    }

    private void add(InputPosition position, Tally more) {
        tallies.merge(position.inputPartition(), more, Tally::plus);
    }

    private static String context(ConsumerRecord<byte[], byte[]> input) {
        return header(input, "parley-namespace") + "|" + new String(input.key(), StandardCharsets.UTF_8);
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }
}
