package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.avro.AuditHead;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.VerifierKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which notes are notes of a log, and what they prove with which keys. */
class LogNoteReaderTest {
    private static final String CHAIN = "default|SLIP|\n1\u202e";

    private final NoteSigner key = Trail.key();
    private final NoteSigner other = Trail.key();
    private final List<AuditFault> faults = new ArrayList<>();

    private LogNoteReader.Note read(LogNoteReader reader, AuditHead note) {
        return reader.read(note, RecordLocation.of("heads-0", 7), faults);
    }

    private static LogNotes notes(NoteSigner... signers) {
        return new LogNotes(Trail.ORIGIN, List.of(signers));
    }

    private static AuditHead head(NoteSigner... signers) {
        return notes(signers).head(2, 5, new byte[32], Instant.ofEpochMilli(9));
    }

    private static LogNoteReader reader(NoteSigner... keys) {
        return new LogNoteReader(Stream.of(keys).map(NoteSigner::verifierKey).toList());
    }

    @Test
    void headStatementAndEndOfAChainAreReadAsTheyWereWritten() {
        LogNoteReader reader = reader(key);
        assertThat(read(reader, head(key))).isInstanceOfSatisfying(LogNoteReader.LogHead.class, head -> {
            assertThat(head.partition()).isEqualTo(2);
            assertThat(head.size()).isEqualTo(5);
            assertThat(head.proven()).isTrue();
            assertThat(head).hasToString("the head of partition 2 at size 5");
        });
        assertThat(read(reader, notes(key).statement(3, Collections.emptySortedMap(), Instant.EPOCH)))
                .isInstanceOfSatisfying(
                        LogNoteReader.Statement.class,
                        statement ->
                                assertThat(statement.content().partitions()).isEqualTo(3));
        assertThat(read(reader, notes(key).chainEnd(CHAIN, 4, new byte[32], 2, 5, Instant.EPOCH)))
                .isInstanceOfSatisfying(LogNoteReader.ChainEnd.class, end -> {
                    assertThat(end.chain()).isEqualTo(CHAIN);
                    assertThat(end.sequence()).isEqualTo(4);
                    assertThat(end.partition()).isEqualTo(2);
                    assertThat(end.logSize()).isEqualTo(5);
                });
        assertThat(faults).isEmpty();
    }

    /** A statement of three partitions, the third of which has no records. */
    private static AuditHead statement(NoteSigner... signers) {
        return notes(signers)
                .statement(
                        3,
                        new TreeMap<>(Map.of(
                                0,
                                LogNotes.timed("x", 5, new byte[32], 8),
                                2,
                                LogNotes.timed("x", 7, new byte[32], 9))),
                        Instant.ofEpochMilli(9));
    }

    @Test
    void aStatementListsHeadsAndKeys() {
        String root = "A".repeat(43) + "=";
        AuditHead note = statement(key, other);
        assertThat(note.getNote())
                .startsWith("example.com/audit\npartitions 3\ntime 9\nhead 0 5 " + root + " 8\nhead 2 7 " + root
                        + " 9\nkey " + key.verifierKey() + "\nkey " + other.verifierKey() + "\n\n");
        assertThat(read(reader(key), note)).isInstanceOfSatisfying(LogNoteReader.Statement.class, read -> {
            assertThat(read.content().time()).isEqualTo(9);
            assertThat(read.heads())
                    .extracting(
                            LogNoteReader.LogHead::partition,
                            LogNoteReader.LogHead::size,
                            LogNoteReader.LogHead::proven)
                    .containsExactly(tuple(0, 5L, false), tuple(2, 7L, false));
            assertThat(read.heads().get(1)).hasToString("the stated head of partition 2 at size 7");
        });
        assertThat(LogNotes.keysOf(note))
                .extracting(VerifierKey::toString)
                .containsExactly(
                        key.verifierKey().toString(), other.verifierKey().toString());
        assertThat(PartitionStatement.of(note))
                .hasValueSatisfying(
                        read -> assertThat(read.heads().get(2).origin()).isEqualTo("example.com/audit/2"));
        assertThat(PartitionStatement.of(head(key))).isEmpty();
    }

    @Test
    void aStatementHasOneForm() {
        AuditHead note = statement();
        String text = note.getNote();
        String head = "head 2 7 " + "A".repeat(43) + "= 9\n";
        for (String changed : List.of(
                text.replace("time 9\n", ""),
                text.replace("time 9", "time 8"),
                text.replace("time 9", "time 09"),
                text.replace("time 9", "time -9"),
                text.replace("time 9", "time 9223372036854775808"),
                text.replace("partitions 3", "partitions 2"),
                text.replace("head 2 7", "head 3 7"),
                text.replace("head 2 7", "head 02 7"),
                text.replace("head 2 7", "head -1 7"),
                text.replace("head 2 7", "head 2 07"),
                text.replace("= 9\n", "=\n"),
                text.replace("= 9\n", "= 09\n"),
                text.replace("= 9\n", "= -9\n"),
                text.replace("= 9\n", "=  9\n"),
                text.replace("head 2 7", "head 2 -7"),
                text.replace("head 2 7", "head 2 9223372036854775807"),
                text.replace("head 2 7 ", "head 2 7"),
                text.replace("head 2 7 ", "head 2 7  "),
                text.replace(head, "head\n"),
                text.replace(head, "head 2\n"),
                text.replace(head, "head 2 7 AAAA\n"),
                text.replace(head, head.replace("AA=", "AB=")),
                text.replace(head, head.replace("A=", "A")),
                text.replace(head, head.replace("A=", "*=")),
                text.replace("head 0", "head 2"),
                text.replace(head, head + head),
                text.replace(head, head + "key 1\n" + head),
                text.replace(head, head + "\n"),
                text + "more\n",
                text.replace("head 0", "HEAD 0"))) {
            faults.clear();
            note.setNote(changed);
            assertThat(read(reader(), note)).as(changed).isNull();
            assertThat(faults).as(changed).extracting(AuditFault::code).containsExactly(FaultCode.HEAD_MALFORMED);
            assertThat(LogNotes.keysOf(note)).as(changed).isEmpty();
        }
        note.setNote(text);
        note.setTime(Instant.ofEpochMilli(8));
        assertThat(read(reader(), note)).as("another time beside the note").isNull();
    }

    @Test
    void withoutKeysEveryNoteCounts() {
        for (AuditHead note : List.of(head(), head(key))) {
            assertThat(read(reader(), note))
                    .isInstanceOfSatisfying(
                            LogNoteReader.LogHead.class,
                            head -> assertThat(head.proven()).isTrue());
        }
        assertThat(faults).isEmpty();
        assertThat(reader().otherKeys()).isEmpty();
    }

    @Test
    void aNoteOfAnotherKeyIsNotForgedAndIsIgnored() {
        LogNoteReader reader = reader(key);
        assertThat(read(reader, head(other))).isNull();
        assertThat(read(reader, head())).isNull();
        AuditHead malformed = head();
        malformed.setNote("\n");
        assertThat(read(reader, malformed)).isNull();
        assertThat(faults).isEmpty();
        assertThat(reader.ignored())
                .hasValueSatisfying(notice ->
                        assertThat(notice.detail()).startsWith("no given key signed this note and 2 more, so"));
        assertThat(reader.accepts(head(key))).isTrue();
        assertThat(reader.accepts(head(other))).isFalse();
        VerifierKey unknown = other.verifierKey();
        assertThat(reader.otherKeys())
                .contains("other keys signed: " + unknown.toString().substring(0, Trail.ORIGIN.length() + 9))
                .endsWith("; some notes are not signed");
    }

    @Test
    void eitherKeyProvesANoteWhileAKeyIsReplaced() {
        for (NoteSigner known : List.of(key, other)) {
            assertThat(read(reader(known), head(key, other)))
                    .isInstanceOfSatisfying(
                            LogNoteReader.LogHead.class,
                            head -> assertThat(head.proven()).isTrue());
        }
    }

    @Test
    void aChangedTextIsForged() {
        AuditHead note = head(key);
        note.setNote(note.getNote().replace("\n5\n", "\n6\n"));
        note.setSize(6L);
        assertThat(read(reader(key), note)).isNull();
        assertThat(faults).singleElement().satisfies(fault -> {
            assertThat(fault.code()).isEqualTo(FaultCode.HEAD_FORGED);
            assertThat(fault.location()).hasToString("heads-0@7");
        });
    }

    static Stream<Arguments> malformed() {
        NoteSigner key = Trail.key();
        return Stream.of(
                change("another origin in the record", key, note -> note.setOrigin("example.com/other/2")),
                change("another partition in the record", key, note -> note.setPartition(1)),
                change("another size in the record", key, note -> note.setSize(6L)),
                change("no note", key, note -> note.setNote("")),
                change("an empty line", key, note -> note.setNote("\n")),
                change("two empty lines", key, note -> note.setNote("\n\n")),
                change("another time in the record", key, note -> note.setTime(Instant.ofEpochMilli(8))),
                change("no time", key, note -> note.setNote("example.com/audit/2\n5\n" + "A".repeat(43) + "=\n")),
                change("no checkpoint", key, note -> note.setNote("example.com/audit/2\n")),
                change("a control character", key, note -> note.setNote("example.com/audit/2\n5\u0000\n")),
                change("a note of a megabyte", key, note -> note.setNote("x\n".repeat(600_000) + "\n")),
                change("a head as statement", key, note -> note.setPartition(-1)));
    }

    private static Arguments change(String what, NoteSigner key, Consumer<AuditHead> change) {
        AuditHead note = head(key);
        change.accept(note);
        return Arguments.of(what, key, note);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void aNoteInAnotherFormIsMalformed(String what, NoteSigner signer, AuditHead note) {
        assertThat(read(reader(), note)).isNull();
        assertThat(faults).extracting(AuditFault::code).containsExactly(FaultCode.HEAD_MALFORMED);
        // A note without a valid signature of the key can be of anybody.
        assertThat(read(reader(signer), note)).isNull();
        assertThat(faults).extracting(AuditFault::code).containsOnly(FaultCode.HEAD_MALFORMED);
    }

    @Test
    void aNoteOfAnotherDeploymentIsMalformedDespiteItsSignature() {
        AuditHead note = new LogNotes("example.com/other", List.of(key)).head(2, 5, new byte[32], Instant.EPOCH);
        assertThat(read(reader(key), note)).isNull();
        LogNoteReader first = reader();
        assertThat(read(first, head())).isNotNull();
        assertThat(read(first, note)).isNull();
        assertThat(read(
                        first,
                        new LogNotes("example.com/other", List.of())
                                .statement(1, Collections.emptySortedMap(), Instant.EPOCH)))
                .isNull();
        assertThat(faults).extracting(AuditFault::code).containsOnly(FaultCode.HEAD_MALFORMED);
        assertThat(faults)
                .hasSize(3)
                .last()
                .extracting(AuditFault::detail)
                .asString()
                .contains("example.com/audit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "03", "", "2147483648", "3 ", "\u0663"})
    void aStatementHasAPositiveNumberOfPartitions(String partitions) {
        AuditHead note = notes(key).statement(3, Collections.emptySortedMap(), Instant.EPOCH);
        note.setNote(note.getNote().replace("partitions 3\n", "partitions " + partitions + "\n"));
        assertThat(read(reader(), note)).isNull();
        assertThat(faults).extracting(AuditFault::code).containsExactly(FaultCode.HEAD_MALFORMED);
    }

    @Test
    void theEndOfAChainHasOneForm() {
        AuditHead note = notes().chainEnd(CHAIN, 4, new byte[32], 2, 5, Instant.EPOCH);
        String base64 = Base64.getEncoder().encodeToString(CHAIN.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThat(note.getNote()).startsWith("example.com/audit/chain\nchain " + base64 + "\nlast 4 AAAA");
        String text = note.getNote();
        for (String changed : List.of(
                text.replace("last 4", "last 04"),
                text.replace("last 4", "last -4"),
                text.replace("last 4 ", "last 4"),
                text.replace("last 4", "last 5"),
                text.replace("log 2 5", "log 2"),
                text.replace("log 2 5", "log 2147483648 5"),
                text.replace("log 2 5", "log 2 5\nmore"),
                text.replace("time 0\n", ""),
                text.replace("time 0", "time 1"),
                text.replace("time 0", "time 00"),
                text.replace(base64, base64 + "="),
                text.replace(base64, "*"),
                text.replace("chain " + base64, "chain"),
                text.replace("audit/chain", "audit/other"),
                text.replace("last ", "LAST "))) {
            faults.clear();
            note.setNote(changed);
            assertThat(read(reader(), note)).as(changed).isNull();
            assertThat(faults).as(changed).extracting(AuditFault::code).containsExactly(FaultCode.HEAD_MALFORMED);
        }
        note.setNote(text);
        note.setSize(4L);
        assertThat(read(reader(), note)).isNull();
        note.setSize(5L);
        note.setPartition(-2);
        assertThat(read(reader(), note)).isNull();
        AuditHead statement = notes().statement(3, Collections.emptySortedMap(), Instant.EPOCH);
        statement.setPartition(-2);
        assertThat(read(reader(), statement)).isNull();
    }
}
