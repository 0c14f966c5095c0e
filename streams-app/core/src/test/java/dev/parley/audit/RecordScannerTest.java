package dev.parley.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.AuditRecord;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which bytes are the encoding of a record. {@code -Dparley.seed=N} replays a failure. */
class RecordScannerTest {
    private static final int RECORDS = 300;
    private static final int CHANGES = 100;
    private static final Schema ALL = SchemaBuilder.record("All")
            .fields()
            .requiredLong("l")
            .requiredInt("i")
            .requiredString("s")
            .requiredBytes("b")
            .requiredBoolean("z")
            .name("e")
            .type()
            .enumeration("E")
            .symbols("A", "B")
            .noDefault()
            .name("a")
            .type()
            .array()
            .items()
            .intType()
            .noDefault()
            .optionalInt("u")
            .endRecord();

    private final long seed = Objects.requireNonNullElseGet(Long.getLong("parley.seed"), System::nanoTime);

    @Test
    void acceptedBytesAreThoseThatDecodingAndEncodingGives() throws IOException {
        Random changes = new Random(seed);
        RandomRecords random = new RandomRecords(seed);
        RecordScanner scanner = new RecordScanner(AuditRecord.getClassSchema(), Map.of());
        int accepted = 0;
        for (int i = 0; i < RECORDS; i++) {
            byte[] original = RandomRecords.encoded(random.any());
            assertThat(scanner.scan(original, 0, original.length)).isEqualTo(original.length);
            for (int j = 0; j < CHANGES; j++) {
                byte[] bytes = original.clone();
                for (int k = changes.nextInt(3); k >= 0; k--) {
                    bytes[changes.nextInt(bytes.length)] = (byte) changes.nextInt();
                }
                int end = scanner.scan(bytes, 0, bytes.length);
                if (end != RecordScanner.NONE) {
                    accepted++;
                    AuditRecord decoded = new SpecificDatumReader<>(AuditRecord.class)
                            .read(null, DecoderFactory.get().binaryDecoder(bytes, null));
                    assertThat(RandomRecords.encoded(decoded))
                            .as("replay with -Dparley.seed=%d", seed)
                            .isEqualTo(Arrays.copyOf(bytes, end));
                }
            }
        }
        assertThat(accepted).isGreaterThan(RECORDS);
    }

    @Test
    void everyFieldIsFound() {
        byte[] bytes = HexFormat.of().parseHex("ff0e040261024e0102020200" + "0206");
        RecordScanner scanner = new RecordScanner(ALL, Map.of());
        assertThat(scanner.scan(bytes, 0, bytes.length)).isEqualTo(bytes.length);
        assertThat(scanner.start(scanner.field("l"))).isZero();
        assertThat(scanner.start(scanner.field("s"))).isEqualTo(3);
        assertThat(scanner.end(scanner.field("s"))).isEqualTo(5);
        assertThat(scanner.start(scanner.field("u"))).isEqualTo(12);
        assertThat(RecordScanner.number(bytes, 0)).isEqualTo(-960);
        assertThat(RecordScanner.number(bytes, 13)).isEqualTo(3);
    }

    @Test
    void noBeginningOfARecordIsARecord() {
        byte[] bytes = RandomRecords.encoded(new RandomRecords(seed).sound());
        RecordScanner scanner = new RecordScanner(AuditRecord.getClassSchema(), Map.of());
        for (int length = 0; length < bytes.length; length++) {
            assertThat(scanner.scan(bytes, 0, length)).isEqualTo(RecordScanner.NONE);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a number with a needless byte, 8000 00 00 00 00 00 00 00",
        "a long of eleven bytes, ffffffffffffffffffff01 00 00 00 00 00 00 00",
        "a long of 65 bits, ffffffffffffffffff02 00 00 00 00 00 00 00",
        "an int of 33 bits, 00 ffffffff10 00 00 00 00 00 00",
        "a string with a negative length, 00 00 01 00 00 00 00 00",
        "a string longer than the rest, 00 00 feffffff0f 00 00 00 00 00",
        "bytes longer than any array, 00 00 00 feffffffffffffffff01 00 00 00 00",
        "ill-formed UTF-8, 00 00 02c0 00 00 00 00 00",
        "an overlong form of UTF-8, 00 00 04c080 00 00 00 00 00",
        "another boolean, 00 00 00 00 02 00 00 00",
        "an unknown symbol, 00 00 00 00 00 04 00 00",
        "a negative symbol, 00 00 00 00 00 01 00 00",
        "an array with its size in bytes, 00 00 00 00 00 00 01020200 00",
        "an array in two blocks, 00 00 00 00 00 00 020202020000",
        "an array of more items than bytes, 00 00 00 00 00 00 feffffffffffffffff01 00",
        "an array with a needless byte in its count, 00 00 00 00 00 00 8000 00",
        "an unknown branch, 00 00 00 00 00 00 00 04",
        "a branch with a needless byte, 00 00 00 00 00 00 00 8000",
    })
    void otherFormsAreNotAccepted(String what, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        assertThat(new RecordScanner(ALL, Map.of()).scan(bytes, 0, bytes.length))
                .as(what)
                .isEqualTo(RecordScanner.NONE);
    }

    @Test
    void extremeNumbersAreAccepted() {
        byte[] bytes = HexFormat.of().parseHex("ffffffffffffffffff01ffffffff0f000000000000");
        RecordScanner scanner = new RecordScanner(ALL, Map.of());
        assertThat(scanner.scan(bytes, 0, bytes.length)).isEqualTo(bytes.length);
        assertThat(RecordScanner.number(bytes, 0)).isEqualTo(Long.MIN_VALUE);
        assertThat(RecordScanner.number(bytes, 10)).isEqualTo(Integer.MIN_VALUE);
    }

    @Test
    void aTypeThatIsNotSupportedIsAnErrorAtCreation() {
        Schema floating = SchemaBuilder.record("R").fields().requiredDouble("d").endRecord();
        assertThatThrownBy(() -> new RecordScanner(floating, Map.of())).hasMessage("cannot scan the type DOUBLE");
        Schema union = new Schema.Parser()
                .parse(
                        "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"u\",\"type\":[\"string\",\"null\"]}]}");
        assertThatThrownBy(() -> new RecordScanner(union, Map.of())).hasMessageStartingWith("cannot scan the union");
    }
}
