package dev.parley.load.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.load.process.Exposition;
import dev.parley.load.process.Sample;
import dev.parley.load.process.Trend;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class SoakReportTest {

    private static List<Sample> samples(double growth) {
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i <= 100; i++) {
            double heap = 100 + (i % 3) + growth * i;
            samples.add(new Sample(i, 1_000L * i, heap, 500, 160, 90, 60, i));
        }
        return samples;
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
    void aSampleIsReadBackUnchanged() {
        Sample sample = new Sample(15, 120_000, 101.5, 640.3, 161.2, 95.1, 61, 300);

        assertThat(Sample.parse(List.of(Sample.HEADER, sample.line()))).containsExactly(sample);
    }

    @Test
    void theChartIsXmlWithALineForEachMeasure() throws Exception {
        Document picture = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(Chart.svg(samples(0)))));

        assertThat(picture.getElementsByTagName("polyline").getLength()).isEqualTo(4);
        assertThat(picture.getDocumentElement().getTextContent()).contains("messages", "MiB", "100 k", "500");
    }

    @Test
    void metricsAreReadByNameAndLabels() {
        Exposition page = Exposition.of("# HELP a b\na{x=\"1\",y=\"2\"} 3.0\na{x=\"2\"} 4.5\nab 7\nb NaN\n");

        assertThat(page.sum("a")).isEqualTo(7.5);
        assertThat(page.max("a")).isEqualTo(4.5);
        assertThat(page.sum("a", "x=\"1\"")).isEqualTo(3);
        assertThat(page.sum("b")).isZero();
        assertThat(page.sum("ab")).isEqualTo(7);
    }
}
