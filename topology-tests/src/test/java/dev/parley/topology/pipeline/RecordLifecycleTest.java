package dev.parley.topology.pipeline;

import static dev.parley.topology.pipeline.DeadLetterAssert.assertThatLetter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Accounting;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Reference;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.DeadLetterHeaders;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** The path of a record through the pipeline, in the topics. */
class RecordLifecycleTest extends AbstractPipelineTest {
    private static final String PARTITION_CHAIN = "|UNKNOWN|parley.wire-0";

    @Test
    void acceptedMessageIsForwardedAndAudited() {
        start();

        Source source = pipeline.send(InputRecord.slipRequest(7, 1).key("any"));

        AuditRecord audit = pipeline.auditOf(source);
        assertThat(audit.getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(audit.getStage()).isEqualTo(Stage.NONE.name());
        assertThat(audit.getCode()).isNull();
        assertThat(audit.getChain()).isEqualTo("default|SLIP|7");
        assertThat(audit.getSequence()).isZero();
        assertThat(audit.getPreviousHash()).isEqualTo(ByteBuffer.allocate(32));
        assertThat(audit.getProfile()).isEqualTo(Profile.LENIENT.name());
        assertThat(audit.getRule().getText()).contains("NEW").contains("REQUESTED");
        AgentMessage message = pipeline.messages().get(0).value();
        assertThat(message).isEqualTo(audit.getMessage());
        assertThat(message.getProtocol()).isEqualTo(Protocol.SLIP.name());
        assertThat(message.getMessageId()).isEqualTo("parley.wire-0-0");
        assertThat(message.getRaw())
                .isEqualTo(ByteBuffer.wrap(InputRecord.slipRequest(7, 1).value()));
        assertThat(pipeline.messages()).hasSize(1);
        assertThat(pipeline.deadLetters()).isEmpty();
    }

    @Test
    void recordsOfAConversationAreOneChainInOrder() {
        start();

        for (int turn = 1; turn <= 3; turn++) {
            pipeline.send(InputRecord.text("@a3|f0|c7|S0|d1|T" + turn + "|k" + turn + "#"));
            pipeline.send(InputRecord.text("@a3|f0|c8|S0|d1|T" + turn + "|k" + turn + "#"));
        }

        for (String chain : List.of("default|SLIP|7", "default|SLIP|8")) {
            List<AuditRecord> links = pipeline.audit().stream()
                    .filter(link -> link.getChain().equals(chain))
                    .toList();
            assertThat(links).extracting(AuditRecord::getSequence).containsExactly(0L, 1L, 2L);
            assertThat(links.get(1).getPreviousHash()).isEqualTo(links.get(0).getHash());
            assertThat(links.get(2).getPreviousHash()).isEqualTo(links.get(1).getHash());
        }
    }

    @Test
    void outputRecordsAreCloudEventsKeyedByConversation() {
        start();

        Source source = pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1"));

        assertThat(pipeline.auditRecords()).hasSize(1);
        assertEvent(pipeline.auditRecords().get(0), "audit", "default|CSP|ctx", source);
        assertEvent(pipeline.messages().get(0), "message", "default|CSP|ctx", source);
        assertEvent(pipeline.checkpoints().get(0), "checkpoint", "default|ctx|C1", source);
    }

    private static void assertEvent(TestRecord<String, ?> record, String kind, String key, Source source) {
        assertThat(record.key()).isEqualTo(key);
        assertThat(record.getRecordTime()).isEqualTo(source.getTimestamp());
        assertThat(texts(record.headers()))
                .isEqualTo(Map.of(
                        "ce_specversion",
                        "1.0",
                        "ce_id",
                        source.getTopic() + "-" + source.getPartition() + "-" + source.getOffset(),
                        "ce_source",
                        "/parley/" + kind,
                        "ce_type",
                        "dev.parley." + kind + ".v1",
                        "ce_time",
                        source.getTimestamp().toString(),
                        "ce_subject",
                        key,
                        "content-type",
                        "application/vnd.confluent.avro"));
    }

    @Test
    void traceContextIsCopied() {
        start();
        String parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

        pipeline.send(InputRecord.slipRequest(7, 1)
                .header("traceparent", parent)
                .header("tracestate", "vendor=1")
                .header("other", "not copied"));

        for (Headers headers : List.of(
                pipeline.auditRecords().get(0).headers(),
                pipeline.messages().get(0).headers())) {
            assertThat(texts(headers))
                    .containsEntry("traceparent", parent)
                    .containsEntry("tracestate", "vendor=1")
                    .doesNotContainKey("other");
        }
    }

    @Test
    void theFirstValidTraceparentAndAllTracestatesAreCopied() {
        start();
        String parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

        pipeline.send(InputRecord.slipRequest(7, 1)
                .header("traceparent", "00-1-1-01")
                .header("TraceParent", parent)
                .header("traceparent", parent.replace('b', 'c'))
                .header("traceparent", (byte[]) null)
                .header("tracestate", "a=1")
                .header("tracestate", "größe")
                .header("Tracestate", "b=2"));

        Headers headers = pipeline.auditRecords().get(0).headers();
        assertThat(headers.headers("traceparent")).hasSize(1);
        assertThat(texts(headers)).containsEntry("traceparent", parent).containsEntry("tracestate", "a=1,b=2");
    }

    @Test
    void aTraceJoinsMessagesOfTwoProtocolsByHeaderAndMeta() {
        start();
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        String parent = "00-" + trace + "-00f067aa0ba902b7-01";

        pipeline.send(InputRecord.slipRequest(7, 1).header("TraceParent", parent));
        pipeline.send(InputRecord.text("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":"
                        + "{\"traceparent\":\"" + parent + "\"}}}")
                .key("session")
                .header("parley-caller", "alice")
                .header("parley-caller-proof", "mtls"));

        assertThat(pipeline.audit())
                .hasSize(2)
                .extracting(record -> record.getMessage().getReferences().get(0))
                .containsOnly(new Reference("trace", trace));
        assertThat(pipeline.audit().get(1).getMessage().getReferences())
                .containsExactly(new Reference("trace", trace), new Reference("caller", "alice"));
    }

    @Test
    void aTracestateWithoutAValidTraceparentIsNotCopied() {
        start();

        pipeline.send(
                InputRecord.slipRequest(7, 1).header("traceparent", "none").header("tracestate", "a=1"));

        assertThat(texts(pipeline.auditRecords().get(0).headers())).doesNotContainKeys("traceparent", "tracestate");
    }

    @Test
    void undecodableRecordIsADeadLetterAndAuditedInTheChainOfItsPartition() {
        start();
        InputRecord wire = InputRecord.text("@a3|f0|c7|S0|d1|T1|t\"oops#")
                .key(new byte[] {0, (byte) 0xff})
                .header("x", "1")
                .header("x", "2")
                .header("traceparent", "00-1-1-01");

        Source source = pipeline.send(wire);

        assertThat(pipeline.deadLetters()).hasSize(1);
        assertThatLetter(pipeline.deadLetters(Stage.DECODE).get(0))
                .isTheRecord(wire)
                .failedAt(Stage.DECODE, Code.SLIP_BAD_STRING)
                .cameFrom(source)
                .isExplained()
                .has("parley.error.offset", "20")
                .has("parley.error.protocol", "SLIP")
                .has("parley.error.attempt", "1")
                .hasNo("parley.error.conversation")
                .has("parley.error.claimed-namespace", "default")
                .has("parley.error.claimed-conversation", "7")
                .has("parley.error.claimed-sender", "0");
        AuditRecord audit = pipeline.auditOf(source);
        assertThat(audit.getChain()).isEqualTo(PARTITION_CHAIN);
        assertThat(audit.getVerdict()).isEqualTo(Verdict.UNDECODABLE.name());
        assertThat(audit.getCode()).isEqualTo("SLIP_BAD_STRING");
        assertThat(audit.getPosition()).isEqualTo(20);
        assertThat(audit.getMessage()).isNull();
        assertThat(audit.getRaw()).isEqualTo(ByteBuffer.wrap(wire.value()));
        assertThat(pipeline.messages()).isEmpty();
    }

    @Test
    void violationIsADeadLetterAndTheDialogueKeepsItsState() {
        start();
        InputRecord wire = InputRecord.slipAcceptOfNothing(7, 1).header("x", "1");

        Source illegal = pipeline.send(wire);
        Source next = pipeline.send(InputRecord.slipRequest(7, 2));

        assertThat(pipeline.deadLetters()).hasSize(1);
        assertThatLetter(pipeline.deadLetters(Stage.JUDGE).get(0))
                .isTheRecord(wire)
                .failedAt(Stage.JUDGE, Code.SLIP_NOTHING_TO_ACCEPT)
                .cameFrom(illegal)
                .isExplained()
                .has("parley.error.protocol", "SLIP")
                .has("parley.error.namespace", "default")
                .has("parley.error.conversation", "7")
                .has("parley.error.sender", "0")
                .has("parley.error.attempt", "1")
                .hasNo("parley.error.offset");
        assertThat(pipeline.auditOf(illegal).getVerdict()).isEqualTo(Verdict.REJECTED.name());
        assertThat(pipeline.auditOf(illegal).getMessage()).isNotNull();
        assertThat(pipeline.auditOf(next).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.messages()).hasSize(1);
    }

    @Test
    void observeModeFlagsAndForwardsViolations() {
        start(Map.of(ParleyConfig.MODE, "observe"));

        Source illegal = pipeline.send(InputRecord.slipAcceptOfNothing(7, 1));
        pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1"));
        Source conflict = pipeline.send(InputRecord.patch("ctx", "P2", "C0", "C1", "+ DEF A = 2"));
        Source garbage = pipeline.send(InputRecord.text("garbage"));

        assertThat(pipeline.auditOf(illegal).getVerdict()).isEqualTo(Verdict.FLAGGED.name());
        assertThat(pipeline.auditOf(illegal).getCode()).isEqualTo("SLIP_NOTHING_TO_ACCEPT");
        assertThat(pipeline.auditOf(conflict).getVerdict()).isEqualTo(Verdict.FLAGGED.name());
        assertThat(pipeline.auditOf(conflict).getCode()).isEqualTo("CSP_CHECKPOINT_CONFLICT");
        assertThat(pipeline.messages())
                .extracting(message -> message.value().getSource().getOffset())
                .containsExactly(0L, 1L, 2L);
        assertThat(pipeline.checkpoints()).hasSize(1);
        // What is no message cannot pass, whoever watches.
        assertThat(pipeline.auditOf(garbage).getVerdict()).isEqualTo(Verdict.UNDECODABLE.name());
        assertThat(pipeline.deadLetters())
                .isEqualTo(pipeline.deadLetters(Stage.DECODE))
                .hasSize(1);
    }

    @Test
    void duplicatesAreAcceptedWithAWarningAndChangeNothing() {
        start();
        InputRecord patch = InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1");

        pipeline.send(InputRecord.slipRequest(7, 1));
        Source slip = pipeline.send(InputRecord.slipRequest(7, 1));
        pipeline.send(patch);
        Source applied = pipeline.send(patch);
        InputRecord waiting = InputRecord.patch("ctx", "P3", "C2", "C3", "+ DEF B = 1");
        pipeline.send(waiting);
        Source parked = pipeline.send(waiting);

        assertThat(pipeline.auditOf(slip).getWarnings()).containsExactly("SLIP_DUPLICATE");
        assertThat(pipeline.auditOf(applied).getWarnings()).containsExactly("CSP_DUPLICATE");
        assertThat(pipeline.auditOf(parked).getWarnings()).containsExactly("CSP_UNKNOWN_CTX", "CSP_DUPLICATE");
        assertThat(pipeline.audit()).extracting(AuditRecord::getVerdict).containsOnly(Verdict.ACCEPTED.name());
        assertThat(pipeline.checkpoints()).hasSize(1);
        assertThat(pipeline.deadLetters()).isEmpty();
    }

    @Test
    void idleDialogueIsClosedAndTheNextMessageHasAWarning() {
        start(Map.of(ParleyConfig.IDLE_MS, 3_600_000L));
        pipeline.send(InputRecord.subit("STATE", "000110").key("line-4"));
        pipeline.send(InputRecord.subit("STATE", "000110").key("line-5"));
        pipeline.send(InputRecord.subit("INTENT", "000110110001").key("line-5"));
        pipeline.send(InputRecord.subit("ACTION", "000110110001").key("line-5"));

        // Another conversation moves the time of the stream far beyond the idle time of this one.
        for (int hour = 0; hour < 4; hour++) {
            pipeline.later(Duration.ofHours(1));
            pipeline.send(InputRecord.slipRequest(7, hour));
        }
        Source left = pipeline.send(InputRecord.subit("STATE", "000110").key("line-4"));
        Source ended = pipeline.send(InputRecord.subit("STATE", "000110").key("line-5"));

        assertThat(pipeline.auditOf(left).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.auditOf(left).getWarnings()).contains("SUBIT_INCOMPLETE_DIALOGUE");
        assertThat(pipeline.auditOf(left).getSequence()).isEqualTo(1);
        // A dialogue may end in an ACTION.
        assertThat(pipeline.auditOf(ended).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.auditOf(ended).getWarnings()).isEmpty();
    }

    @Test
    void listenerReceivesEveryFinalVerdictWithStageAndCode() {
        start();
        pipeline.send(InputRecord.slipRequest(7, 1));
        pipeline.send(InputRecord.slipAcceptOfNothing(8, 1));
        pipeline.send(InputRecord.text("garbage"));
        pipeline.send(InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF B = 1"));
        assertThat(pipeline.heard())
                .as("a parked patch has no verdict yet")
                .containsExactly(
                        "SLIP ACCEPTED NONE null",
                        "SLIP REJECTED JUDGE SLIP_NOTHING_TO_ACCEPT",
                        "UNKNOWN UNDECODABLE DECODE UNKNOWN_PROTOCOL");

        pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1"));
        assertThat(pipeline.heard()).hasSize(5).endsWith("CSP ACCEPTED NONE null", "CSP ACCEPTED NONE null");
    }

    @Test
    void accountingBalances() {
        start();
        pipeline.send(InputRecord.slipRequest(7, 1));
        pipeline.send(InputRecord.slipAcceptOfNothing(8, 1));
        pipeline.send(InputRecord.text("garbage"));
        pipeline.send(InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF B = 1"));
        pipeline.send(InputRecord.patch("ctx", "P9", "C8", "C9", "+ DEF B = 1"));
        pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1"));
        pipeline.send(InputRecord.text("!Ik/co").to("parley.wire.lambda").key("talk"));

        pipeline.waitFor(Duration.ofSeconds(1));

        Accounting wire = counted("parley.wire");
        assertThat(wire.getInputs()).isEqualTo(6);
        assertThat(wire.getAccepted()).isEqualTo(3);
        assertThat(wire.getRejected()).isEqualTo(1);
        assertThat(wire.getUndecodable()).isEqualTo(1);
        assertThat(wire.getParked()).isEqualTo(1);
        Accounting lambda = counted("parley.wire.lambda");
        assertThat(lambda.getInputs()).isEqualTo(1);
        assertThat(lambda.getAccepted()).isEqualTo(1);

        int published = pipeline.accounting().size();
        pipeline.waitFor(Duration.ofSeconds(5));
        assertThat(pipeline.accounting())
                .as("unchanged counts are not published again")
                .hasSize(published);
    }

    /** The latest counts of all tasks for one input topic, added up. */
    private Accounting counted(String topic) {
        Map<String, Accounting> latest = pipeline.accounting().stream()
                .filter(record -> record.value().getTopic().equals(topic))
                .collect(Collectors.toMap(TestRecord::key, TestRecord::value, (before, after) -> after));
        Accounting sum = new Accounting(topic, 0, 0L, 0L, 0L, 0L, 0L, 0L, -1L, 0L, 0L, -1L, null, -1, List.of());
        for (Accounting counts : latest.values()) {
            sum.setInputs(sum.getInputs() + counts.getInputs());
            sum.setAccepted(sum.getAccepted() + counts.getAccepted());
            sum.setRejected(sum.getRejected() + counts.getRejected());
            sum.setUndecodable(sum.getUndecodable() + counts.getUndecodable());
            sum.setParked(sum.getParked() + counts.getParked());
        }
        return sum;
    }

    @Test
    void redrivenDeadLetterHasItsNextAttempt() {
        start();
        pipeline.send(InputRecord.slipAcceptOfNothing(7, 1).header("x", "1"));
        TestRecord<byte[], byte[]> first = pipeline.deadLetters(Stage.JUDGE).get(0);

        InputRecord again = new InputRecord(
                TopicNames.DEFAULT.wire(),
                first.key(),
                first.value(),
                DeadLetterHeaders.forRedrive(first.headers(), 2),
                null);
        Source source = pipeline.send(again);

        assertThatLetter(pipeline.deadLetters(Stage.JUDGE).get(1))
                .isTheRecord(InputRecord.slipAcceptOfNothing(7, 1).header("x", "1"))
                .cameFrom(source)
                .has("parley.error.attempt", "2")
                .hasNo("parley-attempt");
        assertThat(again.headers().toArray())
                .extracting(Header::key)
                .as("what is sent again says nothing of a failure")
                .containsExactly("x", "parley-attempt");
    }

    @Test
    void otherInputIsRepartitionedOnce() {
        start();
        pipeline.send(InputRecord.slipRequest(7, 1));

        assertThat(pipeline.writtenTopics())
                .filteredOn(topic -> topic.contains("repartition"))
                .containsExactly("parley-by-conversation-repartition");
    }

    @Test
    void timestampOfABrokenClockDoesNotAdvanceStreamTime() {
        start(Map.of(ParleyConfig.PARKING_MS, 600_000L));
        Instant future = Instant.now().plus(Duration.ofDays(400));

        Source source = pipeline.send(InputRecord.slipRequest(7, 1).at(future));

        AuditRecord audit = pipeline.audit().get(0);
        assertThat(audit.getSource().getOffset()).isEqualTo(source.getOffset());
        assertThat(audit.getSource().getTimestamp()).isBefore(Instant.now().plus(Duration.ofMinutes(1)));
    }
}
