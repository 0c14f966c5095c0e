package dev.parley.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Source;
import dev.parley.avro.Verdict;
import dev.parley.codec.TrustedRecords;
import dev.parley.decode.WireRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.junit.jupiter.api.Test;

/** Compares content hashes of both versions with independent implementations of docs/audit.md. */
class ContentHashEncoderTest {
    private static final Set<String> LEFT_OUT =
            Set.of("hash", "previousHash", "payloadHash", "contentHash", "redacted", "contentVersion");

    private final List<AuditRecord> records = new ArrayList<>();
    private final OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
    private long offset = 1_700_000_000_000L;

    private void say(String protocol, String wire) {
        Source source = new Source("parley.wire." + protocol, 3, offset++, Instant.ofEpochMilli(offset * 1_000), null);
        ByteBuffer name = ByteBuffer.wrap("λ".getBytes(UTF_8));
        pipeline.accept(
                new WireRecord(source, null, wire.getBytes(UTF_8), header -> null),
                List.of(new InboundHeader("parley-conversation", name)),
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
        AuditRecord event = Links.unhashed("default|SLIP|1", 4, AuditChain.genesis());
        event.setVerdict(Verdict.ACCEPTED.name());
        event.setRedaction(Links.redactionOf(Links.unhashed("default|SLIP|1", 2, AuditChain.genesis())));
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
    void aRecordWithoutAProducerTimeKeepsItsEarlierHash() {
        AuditRecord record = Links.unhashed("default|SLIP|1", 4, AuditChain.genesis());
        String before = "c152c0951fa4ce0f2914a7e84b369e2fd708fa591f64c39d8796e3ab73247b2f";
        assertThat(HexFormat.of().formatHex(new AuditChain().contentHash(record).array()))
                .isEqualTo(before);

        record.getSource().setProducerTime(Instant.EPOCH);
        assertThat(HexFormat.of().formatHex(new AuditChain().contentHash(record).array()))
                .as("the claim is part of the content")
                .isNotEqualTo(before);
    }

    @Test
    void theContentHashIsThatOfTheDocumentedBytes() throws Exception {
        sayAll();
        assertThat(records.stream().filter(record -> record.getMessage() != null))
                .as("messages of all protocols")
                .extracting(record -> record.getMessage().getProtocol())
                .hasSizeGreaterThanOrEqualTo(8)
                .doesNotContainNull();
        AuditChain chain = new AuditChain();
        for (AuditRecord record : records) {
            record.setContentVersion(null);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            write(record, new DataOutputStream(bytes));
            byte[] expected = MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
            assertThat(chain.contentHash(record)).as(record.toString()).isEqualTo(ByteBuffer.wrap(expected));
            // Neither these buffers nor those of the chain have moved.
            assertThat(chain.contentHash(record)).isEqualTo(ByteBuffer.wrap(expected));
        }
    }

    @Test
    void theContentHashOfVersion2IsThatOfTheRecordInTheContentSchema() throws Exception {
        TrustedRecords.trust();
        sayAll();
        Schema contentSchema = AuditRecordEncoder.contentSchema();
        AuditChain chain = new AuditChain();
        for (AuditRecord record : records) {
            EncodedAuditRecord sealed = chain.seal(record);
            byte[] encoded = avro(new SpecificDatumWriter<>(AuditRecord.getClassSchema()), record);
            assertThat(sealed.bytes()).as(record.toString()).isEqualTo(encoded);
            // As any Avro library does it: read into the content schema, write again.
            GenericRecord content = new GenericDatumReader<GenericRecord>(AuditRecord.getClassSchema(), contentSchema)
                    .read(null, DecoderFactory.get().binaryDecoder(encoded, null));
            byte[] expected =
                    MessageDigest.getInstance("SHA-256").digest(avro(new GenericDatumWriter<>(contentSchema), content));
            assertThat(record.getContentHash()).as(record.toString()).isEqualTo(ByteBuffer.wrap(expected));
            assertThat(chain.contentHash(record)).isEqualTo(ByteBuffer.wrap(expected));
            assertThat(record.getHash()).isEqualTo(new AuditChain().hash(record));
            if (record.getMessage() != null) {
                byte[] message = avro(new SpecificDatumWriter<>(AgentMessage.getClassSchema()), record.getMessage());
                assertThat(sealed.encodedMessage().bytes()).isEqualTo(message);
            }
        }
    }

    @Test
    void theContentSchemaHasEveryFieldOfARecordExceptItsHashesAndItsPlaceInTheJournal() {
        Set<String> unhashed = Set.of("hash", "previousHash", "payloadHash", "contentHash", "redacted", "journal");
        Schema current = AuditRecord.getClassSchema();
        Schema expected = Schema.createRecord(
                current.getName(),
                null,
                current.getNamespace(),
                false,
                current.getFields().stream()
                        .filter(field -> !unhashed.contains(field.name()))
                        .map(field -> new Schema.Field(field, field.schema()))
                        .toList());
        assertThat(SchemaNormalization.toParsingForm(AuditRecordEncoder.contentSchema()))
                .as("a change of the record's schema needs a new version of the content hash, with a schema of its own")
                .isEqualTo(SchemaNormalization.toParsingForm(expected));
    }

    @Test
    void aVersionThatDoesNotExistYetIsNamed() {
        AuditRecord record = Links.unhashed("default|SLIP|1", 4, AuditChain.genesis());
        record.setContentVersion(AuditChain.CONTENT_VERSION + 1);
        assertThatThrownBy(() -> new AuditChain().contentHash(record))
                .hasMessage("content hashes of version 3 need a later version of Parley");
    }

    private static <T> byte[] avro(DatumWriter<T> writer, T value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
        writer.write(value, encoder);
        encoder.flush();
        return bytes.toByteArray();
    }

    private static void write(IndexedRecord record, DataOutputStream out) throws IOException {
        for (Schema.Field field : record.getSchema().getFields()) {
            Object value = record.get(field.pos());
            boolean leftOut = value == null
                    || (value instanceof Collection<?> items && items.isEmpty())
                    || (record instanceof AuditRecord && LEFT_OUT.contains(field.name()))
                    || (field.hasDefaultValue()
                            && value.toString().equals(field.defaultVal().toString()));
            if (!leftOut) {
                text(field.name(), out);
                if (field.name().equals("raw")) {
                    out.writeLong(((ByteBuffer) value).remaining());
                } else {
                    write(value, out);
                }
            }
        }
        out.writeInt(0);
    }

    private static void write(Object value, DataOutputStream out) throws IOException {
        if (value instanceof IndexedRecord record) {
            write(record, out);
        } else if (value instanceof Collection<?> items) {
            out.writeInt(items.size());
            for (Object item : items) {
                write(item, out);
            }
        } else if (value instanceof Boolean flag) {
            out.writeByte(flag ? 1 : 0);
        } else if (value instanceof Number number) {
            out.writeLong(number.longValue());
        } else if (value instanceof Instant time) {
            out.writeLong(time.toEpochMilli());
        } else if (value instanceof ByteBuffer bytes) {
            byte[] copy = new byte[bytes.remaining()];
            bytes.duplicate().get(copy);
            out.writeInt(copy.length);
            out.write(copy);
        } else {
            text(value.toString(), out);
        }
    }

    private static void text(String text, DataOutputStream out) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    @Test
    void everyTypeInAnAuditRecordCanBeHashed() {
        Set<Schema.Type> types = new HashSet<>();
        collect(AuditRecord.getClassSchema(), types, new HashSet<>());
        assertThat(types)
                .doesNotContain(Schema.Type.MAP, Schema.Type.FLOAT, Schema.Type.DOUBLE, Schema.Type.FIXED)
                .contains(Schema.Type.BOOLEAN, Schema.Type.BYTES, Schema.Type.ARRAY);
    }

    private static void collect(Schema schema, Set<Schema.Type> types, Set<String> seen) {
        types.add(schema.getType());
        switch (schema.getType()) {
            case UNION -> schema.getTypes().forEach(each -> collect(each, types, seen));
            case ARRAY -> collect(schema.getElementType(), types, seen);
            case RECORD -> {
                if (seen.add(schema.getFullName())) {
                    schema.getFields().forEach(field -> collect(field.schema(), types, seen));
                }
            }
            default -> {}
        }
    }
}
