package dev.parley.server.witness;

import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;

import dev.parley.avro.AuditHead;
import dev.parley.json.model.Status;
import dev.parley.server.deployment.AclRole;
import dev.parley.server.deployment.RequiredAcl;
import dev.parley.server.feature.Contributions;
import dev.parley.server.feature.CosignedHeads;
import dev.parley.server.feature.Feature;
import dev.parley.server.feature.FeatureContext;
import dev.parley.server.feature.RunningFeature;
import dev.parley.topology.config.KeyDefinitions;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.ExceptionSummary;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.TopicSpec;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.store.ViewsUnavailableException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.utils.ThreadUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cosignatures of witnesses: heads are submitted to them, and served with their cosignatures. */
public final class WitnessFeature implements Feature {
    public static final String WITNESSES = "audit.witnesses";
    public static final String QUORUM = "audit.witnesses.quorum";

    private static final Logger LOG = LoggerFactory.getLogger(WitnessFeature.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    @Override
    public void addTo(KeyDefinitions definitions) {
        definitions
                .list(WITNESSES, "")
                .doc("Witnesses that cosign the heads of the audit log (C2SP tlog-witness), at most 32. Each is its "
                        + "verifier key, a space, and its URL. Needs audit.heads.key.files and the permissions of "
                        + "parley acls --role witness. The same on all instances.")
                .key(QUORUM, 0, atLeast(0))
                .doc("Number of witnesses that must have cosigned a head before heads and proofs over HTTP use "
                        + "it. 0: each head is used at once, and cosignatures are added to it.");
    }

    @Override
    public void check(ParleyConfig config) {
        WitnessSettings.of(config);
    }

    @Override
    public boolean isEnabled(ParleyConfig config) {
        return !config.getList(WITNESSES).isEmpty();
    }

    @Override
    public List<Finding> preflight(ParleyConfig config) {
        return WitnessCheck.run(WitnessSettings.of(config), new WitnessClient(TIMEOUT));
    }

    @Override
    public List<TopicSpec> topics(ParleyConfig config) {
        return List.of(TopicSpec.compacted(config.topics().auditCosignature(), KafkaCosignatures.RECORD_BYTES)
                .withSinglePartition());
    }

    @Override
    public Optional<AclRole> role() {
        return Optional.of(new AclRole(
                "witness",
                "instances with audit.witnesses",
                deployment -> List.of(RequiredAcl.ownTopic(
                        deployment.topics().auditCosignature(), "cosigned heads are written to it and read from it"))));
    }

    @Override
    public RunningFeature start(ParleyConfig config, Topics topics) {
        WitnessSettings settings = WitnessSettings.of(config);
        return new Running(
                settings,
                new KafkaCosignatures(
                        topics.auditCosignature(),
                        StreamsSettings.clientSettings(config),
                        settings.policy(),
                        settings.origin()));
    }

    private static final class Running implements RunningFeature, CosignedHeads {
        private final WitnessSettings settings;
        private final KafkaCosignatures cosignatures;
        private final ScheduledExecutorService threads;
        private volatile HeadSubmitter submitter;

        Running(WitnessSettings settings, KafkaCosignatures cosignatures) {
            this.settings = settings;
            this.cosignatures = cosignatures;
            this.threads = Executors.newScheduledThreadPool(
                    settings.witnesses().size() + 2, ThreadUtils.createThreadFactory("parley-witness-%d", true));
        }

        @Override
        public void contribute(FeatureContext context, Contributions contributions) {
            submitter = new HeadSubmitter(
                    settings,
                    new WitnessClient(TIMEOUT),
                    context::local,
                    cosignatures::head,
                    cosignatures::write,
                    InstantSource.system());
            for (WitnessSettings.Endpoint witness : settings.witnesses()) {
                repeat("Heads cannot be submitted to witness " + witness.name(), () -> submitter.round(witness));
            }
            repeat("Cosigned heads cannot be written", submitter::write);
            repeat("Cosigned heads cannot be read", cosignatures::refresh);
            addMeters(context.metrics().registry());
            contributions.cosignedHeads(this).statusLine("witnesses", submitter::status);
        }

        private interface Task {
            void run() throws InterruptedException;
        }

        /** Runs a task again and again, and logs its failures. */
        private void repeat(String failed, Task task) {
            Runnable safely = () -> {
                try {
                    task.run();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } catch (ViewsUnavailableException e) {
                    LOG.debug("The views cannot be read now, so no head is submitted", e);
                } catch (RuntimeException e) {
                    if (!threads.isShutdown()) {
                        LOG.warn("{} now; it is tried again: {}", failed, ExceptionSummary.of(e));
                    }
                }
            };
            threads.scheduleWithFixedDelay(safely, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        }

        private void addMeters(MeterRegistry registry) {
            for (WitnessSettings.Endpoint witness : settings.witnesses()) {
                Gauge.builder("parley.audit.witness.behind", () -> status(witness, Status.Witness::behindSeconds))
                        .description("Longest time for which a head of this instance lacks the cosignature of a"
                                + " witness; 0 if none does")
                        .baseUnit("seconds")
                        .tag("witness", witness.name())
                        .register(registry);
                Gauge.builder(
                                "parley.audit.witness.split.views",
                                () -> status(
                                        witness, status -> status.splitViews().size()))
                        .description("Audit logs of this instance for which a witness cosigned a different history")
                        .tag("witness", witness.name())
                        .register(registry);
            }
        }

        private long status(WitnessSettings.Endpoint witness, ToLongFunction<Status.Witness> value) {
            return submitter.status().stream()
                    .filter(status -> status.name().equals(witness.name()))
                    .mapToLong(value)
                    .sum();
        }

        @Override
        public Optional<AuditHead> head(int partition) {
            return cosignatures.head(partition);
        }

        @Override
        public int quorum() {
            return settings.quorum();
        }

        @Override
        public void close() {
            threads.shutdownNow();
            ThreadUtils.shutdownExecutorServiceQuietly(threads, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            cosignatures.close();
        }
    }
}
