package dev.parley.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.Accounting;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.DialogueState;
import dev.parley.avro.ExportEntry;
import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import dev.parley.avro.Source;
import dev.parley.codec.TrustedRecords;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Objects;
import java.util.Random;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the encoder with Avro's own writer, over random records. {@code -Dparley.seed=N} replays a failure. */
class RecordEncoderTest {
    static {
        TrustedRecords.trust();
    }

    private static final int RECORDS = 200;
    private static final String[] TEXTS = {
        "", "a", "release_2.4", "Λ: übergabe", "\uD83D\uDE00", "\uD800", "x".repeat(300)
    };

    @ParameterizedTest
    @ValueSource(
            classes = {
                AuditRecord.class,
                Accounting.class,
                AuditHead.class,
                Checkpoint.class,
                DialogueState.class,
                ExportEntry.class,
                Inbound.class,
                ParkedPatch.class
            })
    void theBytesAreThoseOfAvrosWriter(Class<? extends SpecificRecord> type) throws IOException {
        long seed = Objects.requireNonNullElseGet(Long.getLong("parley.seed"), System::nanoTime);
        RandomValues values = new RandomValues(new Random(seed), TEXTS);
        Schema schema = SpecificData.get().getSchema(type);
        RecordEncoder encoder = RecordEncoder.of(type);
        ByteOutput out = new ByteOutput(1);
        for (int i = 0; i < RECORDS; i++) {
            SpecificRecord record = (SpecificRecord) values.of(schema);
            out.clear();
            encoder.encode(record, out);
            assertThat(out.toBytes())
                    .as("%s, replay with -Dparley.seed=%d", record, seed)
                    .isEqualTo(writtenByAvro(schema, record));
        }
    }

    @Test
    void aSchemaWithFewerFieldsThanItsClassLeavesThemOut() throws IOException {
        Schema shorter = SchemaBuilder.record("Source")
                .namespace("dev.parley.avro")
                .fields()
                .requiredString("topic")
                .requiredLong("offset")
                .endRecord();
        ByteOutput out = new ByteOutput(8);
        RecordEncoder.of(shorter, Source.getClassSchema()).encode(new Source("t", 7, 300L, Instant.EPOCH, null), out);
        assertThat(out.toBytes()).containsExactly(2, 't', (byte) 0xd8, 4);
    }

    @Test
    void aFieldThatTheClassLacksIsAnErrorAtCreation() {
        Schema other =
                SchemaBuilder.record("Source").fields().requiredString("colour").endRecord();
        assertThatThrownBy(() -> RecordEncoder.of(other, Source.getClassSchema()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the class of Source has no field colour");
    }

    @Test
    void aTypeThatIsNotSupportedIsAnErrorAtCreation() {
        Schema floating = SchemaBuilder.record("R").fields().requiredDouble("d").endRecord();
        assertThatThrownBy(() -> RecordEncoder.of(floating, floating)).hasMessage("cannot encode the type DOUBLE");
        Schema union = SchemaBuilder.record("R")
                .fields()
                .name("u")
                .type()
                .unionOf()
                .stringType()
                .and()
                .longType()
                .endUnion()
                .noDefault()
                .endRecord();
        assertThatThrownBy(() -> RecordEncoder.of(union, union)).hasMessageStartingWith("cannot encode the union");
    }

    @Test
    void aMissingValueIsAnErrorThatNamesTheField() {
        Source source = new Source();
        source.setTopic("t");
        assertThatThrownBy(() -> RecordEncoder.of(Source.class).encode(source, new ByteOutput(8)))
                .isInstanceOf(AvroRuntimeException.class)
                .hasMessage("field timestamp of Source cannot be null");
    }

    private static byte[] writtenByAvro(Schema schema, SpecificRecord record) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
        new SpecificDatumWriter<>(schema, SpecificData.getForClass(record.getClass())).write(record, encoder);
        encoder.flush();
        return bytes.toByteArray();
    }
}
