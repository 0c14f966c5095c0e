package dev.parley.log.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.audit.Links;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportEntry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that threads decode the items of an export in order, lose no failure, and read no more ahead than allowed. */
class ExportItemsTest {
    private static final int THREADS = 3;

    /** A reader of batches that a test makes. */
    private static final class Made extends ExportReader {
        private final List<ExportBatch> batches;
        private int read;
        private boolean closed;

        Made(List<ExportBatch> batches) throws IOException {
            super(InputStream.nullInputStream());
            this.batches = batches;
        }

        @Override
        Optional<ExportBatch> next() throws IOException {
            return read == batches.size() ? Optional.empty() : Optional.of(batches.get(read++));
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static ExportBatch damage(String message) {
        return verifying ->
                List.<ExportItem>of(new ExportItem.Damage(message, false)).iterator();
    }

    @Test
    void severalThreadsReturnTheItemsOfOne() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ExportWriter writer = ExportFormat.JSONL.to(file)) {
            for (AuditRecord link : Links.messages("default|SLIP|1", 2_000)) {
                ExportEntry entry = new ExportEntry();
                entry.setRecord(link);
                writer.write(entry);
            }
        }
        List<ExportItem> one = items(file.toByteArray(), 1);
        assertThat(one).hasSize(2_000);
        assertThat(items(file.toByteArray(), THREADS))
                .usingRecursiveFieldByFieldElementComparator(RecursiveComparisonConfiguration.builder()
                        .withEqualsForType(AuditRecord::equals, AuditRecord.class)
                        .build())
                .isEqualTo(one);
    }

    private static List<ExportItem> items(byte[] file, int threads) throws IOException {
        List<ExportItem> all = new ArrayList<>();
        try (ExportItems items = new ExportItems(new ExportReader(new ByteArrayInputStream(file)), true, threads)) {
            for (Optional<ExportItem> item = items.next(); item.isPresent(); item = items.next()) {
                all.add(item.get());
            }
        }
        return all;
    }

    @Test
    void theOrderIsThatOfTheFileEvenIfALaterBatchIsReadyFirst() throws IOException {
        CountDownLatch later = new CountDownLatch(1);
        ExportBatch first = verifying -> {
            await(later);
            return damage("first").items(verifying);
        };
        ExportBatch second = verifying -> {
            later.countDown();
            return damage("second").items(verifying);
        };
        try (ExportItems items = new ExportItems(new Made(List.of(first, second)), true, THREADS)) {
            assertThat(items.next()).hasValue(new ExportItem.Damage("first", false));
            assertThat(items.next()).hasValue(new ExportItem.Damage("second", false));
            assertThat(items.next()).isEmpty();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, THREADS})
    void aFailureInAThreadIsThrownAtItsPlace(int threads) throws IOException {
        ExportBatch failing = verifying -> {
            throw new IllegalArgumentException("a defect");
        };
        try (ExportItems items = new ExportItems(new Made(List.of(damage("first"), failing)), true, threads)) {
            assertThat(items.next()).isPresent();
            assertThatThrownBy(items::next).hasStackTraceContaining("a defect");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, THREADS})
    void anErrorInAThreadIsThrownAtItsPlace(int threads) throws IOException {
        ExportBatch failing = verifying -> {
            throw new OutOfMemoryError("for a test");
        };
        try (ExportItems items = new ExportItems(new Made(List.of(failing)), true, threads)) {
            assertThatThrownBy(items::next).isInstanceOf(OutOfMemoryError.class);
        }
    }

    @Test
    void aBatchThatIsTooLargeForAThreadIsDecodedByTheReaderInItsPlace() throws IOException {
        Thread reading = Thread.currentThread();
        ExportBatch large = new ExportBatch() {
            @Override
            public Iterator<ExportItem> items(boolean verifying) {
                assertThat(Thread.currentThread()).isEqualTo(reading);
                return damage("large").items(verifying);
            }

            @Override
            public boolean isLarge() {
                return true;
            }
        };
        try (ExportItems items =
                new ExportItems(new Made(List.of(damage("first"), large, damage("last"))), true, THREADS)) {
            assertThat(items.next()).hasValue(new ExportItem.Damage("first", false));
            assertThat(items.next()).hasValue(new ExportItem.Damage("large", false));
            assertThat(items.next()).hasValue(new ExportItem.Damage("last", false));
        }
    }

    @Test
    void onlySoManyBatchesAreReadAhead() throws IOException {
        List<ExportBatch> batches = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            batches.add(damage("item " + i));
        }
        Made reader = new Made(batches);
        try (ExportItems items = new ExportItems(reader, true, THREADS)) {
            for (int i = 0; i < 100; i++) {
                assertThat(items.next()).hasValue(new ExportItem.Damage("item " + i, false));
                assertThat(reader.read).isLessThanOrEqualTo(i + 2 * THREADS);
            }
        }
        assertThat(reader.closed).isTrue();
    }
}
