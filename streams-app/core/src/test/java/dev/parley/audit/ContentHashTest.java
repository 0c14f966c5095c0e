package dev.parley.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.CallerProof;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Source;
import dev.parley.avro.Verdict;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.TrustedRecords;
import dev.parley.decode.WireRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares both hashes of records with an independent implementation of docs/audit.md. */
class ContentHashTest {
    private final List<AuditRecord> records = new ArrayList<>();
    private final OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
    private long offset = 1_700_000_000_000L;

    /** The fields of the metadata of a record; the content is what follows the hashes, except {@code redacted}. */
    private static final String LAST_OF_METADATA = "unread";

    @BeforeAll
    static void writeWhenAsked() throws IOException {
        if (Boolean.getBoolean("baseline.write")) {
            for (String part : List.of("metadata", "content")) {
                String plain = hashedFields(part)
                        .toString()
                        .replace("{\"type\":\"string\",\"avro.java.string\":\"String\"}", "\"string\"")
                        .replaceAll(",\"doc\":\"(?:[^\"\\\\]|\\\\.)*\"", "");
                String schema = new Schema.Parser().parse(plain).toString(true) + "\n";
                // Into the classes too, because the modules that are built next use them.
                for (String directory : List.of("src/main/resources", "target/classes")) {
                    Files.writeString(
                            Path.of("streams-app", "core", directory, "dev/parley/audit/" + part + ".avsc"), schema);
                }
            }
        }
    }

    /** The schema of one part of an audit record. */
    private static Schema hashedFields(String part) {
        Set<String> unhashed = Set.of("hash", "contentHash", "redacted");
        Schema current = AuditRecord.getClassSchema();
        int last = current.getField(LAST_OF_METADATA).pos();
        return Schema.createRecord(
                part.equals("metadata") ? "AuditMetadata" : "AuditContent",
                null,
                current.getNamespace(),
                false,
                current.getFields().stream()
                        .filter(field -> !unhashed.contains(field.name()))
                        .filter(field -> field.pos() <= last == part.equals("metadata"))
                        .map(field -> new Schema.Field(field, field.schema()))
                        .toList());
    }

    private void say(String protocol, String wire, String... headers) {
        Source source = new Source("parley.wire." + protocol, 3, offset++, Instant.ofEpochMilli(offset * 1_000), null);
        ByteBuffer name = ByteBuffer.wrap("λ".getBytes(UTF_8));
        Map<String, String> texts = new LinkedHashMap<>();
        List<InboundHeader> inbound = new ArrayList<>(List.of(new InboundHeader("parley-conversation", name)));
        for (int i = 0; i < headers.length; i += 2) {
            texts.put(headers[i], headers[i + 1]);
            inbound.add(new InboundHeader(headers[i], ByteBuffer.wrap(headers[i + 1].getBytes(UTF_8))));
        }
        pipeline.accept(
                new WireRecord(source, null, wire.getBytes(UTF_8), RecordHeaders.ofText(texts)),
                inbound,
                judged -> {},
                records::add);
    }

    private void sayAll() {
        say("slip", "@a3|f0|c1|S0|d1|T1|g7|k1|q2|t\"übergabe\"#");
        say("slip", "@a4|f1|c1|S1|d0|T1|k1|q1|u\"planned\"#");
        say("slip", "@a");
        say("subit", "{\"type\":\"STATE\",\"payload\":\"000110\"}");
        say("subit", "{\"type\":\"INTENT\",\"payload\":\"000110110001\",\"meta\":{\"agent\":\"A\",\"n\":[1,true]}}");
        say(
                "csp",
                "CSP/1\nFROM MAIN\nTO MEM\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0\n+ DEF A = 1\n+ DEF B = "
                        + "zwölf\nAPPLY -> C1");
        say("csp", "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT TASK\n\nTASK T1\nREQ look");
        say("lambda", "{def:ta=\"build\"}");
        say("lambda", ">Ig/U[da]");
        say("lambda", "prv:{def:ta=\"zq\"}!ta");
        say(
                "mcp",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
                "parley-caller",
                "alice",
                "parley-caller-proof",
                "token",
                "parley-delegation",
                "[\"planner\"]",
                "traceparent",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        AuditRecord event = Links.unhashed("default|SLIP|1", 4, AuditChain.genesis());
        event.setVerdict(Verdict.ACCEPTED.name());
        event.setRedaction(Links.redactionOf(Links.sealed(Links.unhashed("default|SLIP|1", 2, AuditChain.genesis()))));
        records.add(event);
        records.add(Redactions.redact(records.get(0), event.getRedaction()));
        // Larger than the initial buffer.
        AuditRecord large = Links.unhashed("default|SLIP|1", 5, AuditChain.genesis());
        large.setDetail("x".repeat(100_000));
        records.add(large);
        for (int length = 380; length < 460; length++) {
            AuditRecord any = Links.unhashed("default|SLIP|1", 3, AuditChain.genesis());
            any.setDetail("y".repeat(length));
            records.add(any);
        }
    }

    @Test
    void theHashesAreThoseOfTheRecordInBothSchemas() throws Exception {
        TrustedRecords.trust();
        sayAll();
        assertThat(records.stream().filter(record -> record.getMessage() != null))
                .as("messages of all protocols")
                .extracting(record -> record.getMessage().getProtocol())
                .hasSizeGreaterThanOrEqualTo(8)
                .doesNotContainNull();
        AuditChain chain = new AuditChain();
        for (AuditRecord record : records) {
            EncodedAuditRecord sealed = chain.seal(record);
            byte[] encoded = avro(new SpecificDatumWriter<>(AuditRecord.getClassSchema()), record);
            assertThat(sealed.bytes()).as(record.toString()).isEqualTo(encoded);
            byte[] content = sha256(in(AuditRecordEncoder.CONTENT.schema(), encoded));
            byte[] metadata = sha256(in(AuditRecordEncoder.METADATA.schema(), encoded));
            assertThat(record.getContentHash()).as(record.toString()).isEqualTo(ByteBuffer.wrap(content));
            assertThat(chain.contentHash(record)).isEqualTo(ByteBuffer.wrap(content));
            ByteBuffer hash = ByteBuffer.wrap(
                    sha256(ByteBuffer.allocate(64).put(metadata).put(content).array()));
            assertThat(record.getHash()).as(record.toString()).isEqualTo(hash);
            assertThat(chain.hash(record)).isEqualTo(hash);
            AuditRecord copy = Redactions.redact(record, Links.redactionOf(record));
            assertThat(copy.getSalt()).isNull();
            assertThat(copy.getPayloadHash()).isNull();
            assertThat(chain.hash(copy)).as("the hash of the redacted copy").isEqualTo(hash);
            if (record.getMessage() != null) {
                byte[] message = avro(new SpecificDatumWriter<>(AgentMessage.getClassSchema()), record.getMessage());
                assertThat(sealed.encodedMessage().bytes()).isEqualTo(message);
            }
        }
    }

    @Test
    void theContentHashCoversCallerDelegationAndTrace() {
        sayAll();
        List<Consumer<AgentMessage>> forgeries = List.of(
                message -> message.getMcp().getCapture().setCaller("mallory"),
                message -> message.getMcp().getCapture().setCallerProof(CallerProof.MTLS),
                message -> message.getMcp().getCapture().setDelegation(List.of()),
                message -> message.getReferences().remove(0));
        for (Consumer<AgentMessage> forgery : forgeries) {
            AuditRecord call = records.stream()
                    .filter(record ->
                            record.getMessage() != null && record.getMessage().getMcp() != null)
                    .map(record -> AuditRecord.newBuilder(record).build())
                    .findFirst()
                    .orElseThrow();
            assertThat(new AuditChain().contentHash(call)).isEqualTo(call.getContentHash());
            forgery.accept(call.getMessage());
            assertThat(new AuditChain().contentHash(call)).isNotEqualTo(call.getContentHash());
        }
    }

    /** As any Avro library does it: reads into the schema of a part, and writes again. */
    private static byte[] in(Schema part, byte[] encoded) throws IOException {
        GenericRecord read = new GenericDatumReader<GenericRecord>(AuditRecord.getClassSchema(), part)
                .read(null, DecoderFactory.get().binaryDecoder(encoded, null));
        return avro(new GenericDatumWriter<>(part), read);
    }

    private static byte[] sha256(byte[] bytes) throws NoSuchAlgorithmException {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }

    @Test
    void theSchemasHaveEveryFieldOfARecordExceptItsHashes() {
        for (AuditRecordEncoder.Part part : List.of(AuditRecordEncoder.METADATA, AuditRecordEncoder.CONTENT)) {
            assertThat(SchemaNormalization.toParsingForm(part.schema()))
                    .as("the hashed fields; until a release, write them with -Dbaseline.write=true")
                    .isEqualTo(SchemaNormalization.toParsingForm(
                            hashedFields(part == AuditRecordEncoder.METADATA ? "metadata" : "content")));
        }
    }

    /** Tests of other programs compare with this hash. */
    @Test
    void aKnownHashNeverChanges() {
        AuditRecord link = Links.sealed(Links.unhashed("default|LAMBDA|λ", 0, AuditChain.genesis()));
        assertThat(HexFormat.of().formatHex(link.getHash().array()))
                .isEqualTo("cd846155380ffdc3f8ac3ba70bd71d22a83f8762d83de935ae21bfa235ab2183");
    }

    private static <T> byte[] avro(DatumWriter<T> writer, T value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
        writer.write(value, encoder);
        encoder.flush();
        return bytes.toByteArray();
    }
}
