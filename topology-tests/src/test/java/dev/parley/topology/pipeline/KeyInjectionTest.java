package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.avro.Verdict;
import dev.parley.topology.views.ViewsDriver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that contain the separators of keys, or look like keys: each conversation stays apart from all others. */
class KeyInjectionTest extends AbstractPipelineTest {
    private static final List<String> NAMESPACES =
            List.of("a", "a|b", "a|CSP|b", "a%7Cb", "a%257Cb", "%", "|", "a|CSP");
    private static final List<String> CONTEXTS =
            List.of("b", "b|c", "CSP|b", "|", "%7C", "b|", "b|C1", "a|CSP|b", "parley.wire-0", "b|parley.wire-0@0");

    @TempDir
    private Path views;

    @Test
    void namesWithSeparatorsNeverShareAChainOrACheckpoint() throws Exception {
        start();
        Map<String, Source> sent = new LinkedHashMap<>();
        for (String namespace : NAMESPACES) {
            for (String context : CONTEXTS) {
                String value = "v" + sent.size();
                sent.put(namespace + " " + context, pipeline.send(patch(namespace, context, "P1", "C0", "C1", value)));
                pipeline.send(patch(namespace, context, "P3", "C1|b", "C3", value));
            }
        }

        TreeSet<String> chains = new TreeSet<>();
        for (Source source : sent.values()) {
            AuditRecord audit = pipeline.auditOf(source);
            assertThat(audit.getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
            assertThat(audit.getSequence()).as(audit.getChain()).isZero();
            chains.add(audit.getChain());
        }
        assertThat(chains).hasSameSizeAs(sent.values());
        assertThat(pipeline.checkpoints().stream().map(TestRecord::key).distinct())
                .hasSameSizeAs(sent.values());
        assertThat(pipeline.parkedItems().stream().map(TestRecord::key).distinct())
                .hasSameSizeAs(sent.values());
        try (ViewsDriver driver = ViewsDriver.in(views)) {
            List<AuditRecord> audit = new ArrayList<>(pipeline.audit());
            audit.forEach(driver::audit);
            pipeline.checkpoints().forEach(checkpoint -> driver.checkpoint(checkpoint.value()));
            for (String namespace : NAMESPACES) {
                for (String context : CONTEXTS) {
                    assertThat(driver.views()
                                    .conversation(namespace, Protocol.CSP, context)
                                    .orElseThrow()
                                    .getAccepted())
                            .as("%s, %s", namespace, context)
                            .isEqualTo(1);
                    Checkpoint checkpoint = driver.views()
                            .checkpoint(namespace, context, "C1")
                            .orElseThrow()
                            .checkpoint();
                    assertThat(checkpoint.getNamespace()).isEqualTo(namespace);
                    assertThat(checkpoint.getContext()).isEqualTo(context);
                }
            }
        }
    }

    /** A lone surrogate has no UTF-8 form, so two of them would be one key. */
    @Test
    void conversationsThatDifferInAnUnpairedSurrogateShareNoChain() {
        start();
        List<Source> sent = new ArrayList<>();
        for (String surrogate : List.of("\\ud800", "\\ud801", "\\udc00", "?")) {
            sent.add(pipeline.send(InputRecord.text(
                    "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"session\":\"x" + surrogate + "\"}}")));
        }

        TreeSet<String> chains = new TreeSet<>();
        int accepted = 0;
        for (Source source : sent) {
            AuditRecord audit = pipeline.auditOf(source);
            if (audit.getVerdict().equals(Verdict.ACCEPTED.name())) {
                accepted++;
                chains.add(audit.getChain());
            }
        }
        assertThat(chains).hasSize(accepted);
    }

    private static InputRecord patch(
            String namespace, String context, String id, String base, String target, String value) {
        return InputRecord.patch(context, id, base, target, "+ DEF A = " + value)
                .header("parley-namespace", namespace)
                .header("parley-conversation", context);
    }
}
