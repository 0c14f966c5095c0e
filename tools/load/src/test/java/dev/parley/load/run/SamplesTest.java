package dev.parley.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SamplesTest {

    private static List<Sample> samples(double growth) {
        return IntStream.rangeClosed(0, 100)
                .mapToObj(i -> new Sample(
                        i, 1_000L * i, Map.of("heap", 100 + i % 3 + growth * i, "RocksDB", 160.0, "threads", 60.0)))
                .toList();
    }

    @Test
    void aConstantMeasureIsFlatAndAGrowingOneIsNot() {
        assertThat(Trend.all(samples(0))).allMatch(Trend::isFlat);
        assertThat(Trend.all(samples(1)))
                .filteredOn(trend -> !trend.isFlat())
                .singleElement()
                .extracting(Trend::name)
                .asString()
                .startsWith("heap");
    }

    @Test
    void metricsAreReadByNameAndLabels() {
        Exposition page = Exposition.of("# HELP a b\na{x=\"1\",y=\"2\"} 3.0\na{x=\"2\"} 4.5\nab 7\nb NaN\n");
        assertThat(page.values("a").sum()).isEqualTo(7.5);
        assertThat(page.values("a").max()).hasValue(4.5);
        assertThat(page.values("a", "x=\"1\"").sum()).isEqualTo(3);
        assertThat(page.values("b").sum()).isZero();
        assertThat(page.values("ab").sum()).isEqualTo(7);
    }
}
