package dev.parley.server.operations;

import dev.parley.server.deployment.AclRole;
import dev.parley.server.deployment.Deployment;
import dev.parley.server.deployment.Deployment.StreamsApplication;
import dev.parley.server.deployment.RequiredAcl;
import dev.parley.server.feature.Feature;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.RecordMac;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.lifecycle.StateTopicIds;
import dev.parley.topology.pipeline.LogHeadSettings;
import dev.parley.topology.pipeline.ParleyTopology;
import dev.parley.topology.topics.AdminFutures;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.Severity;
import dev.parley.topology.topics.TopicInventory;
import dev.parley.topology.topics.TopicSetup;
import dev.parley.topology.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Checks before the start whether Parley would work under a configuration: brokers, topics, ACLs, registry, disk and
 * clock. Changes nothing. If this principal may not run a check, reports that and continues.
 */
public final class Preflight {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final ParleyConfig config;
    private final Deployment deployment;
    private final List<Feature> features;
    private final TopicSetup setup;
    private final List<Finding> findings = new ArrayList<>();

    private Preflight(ParleyConfig config, List<Feature> features) {
        this.config = config;
        this.features = Feature.enabled(features, config);
        this.setup = Feature.topics(features, config);
        this.deployment = Deployment.of(config);
    }

    /**
     * Runs all checks for the roles of the configuration. Takes seconds if the brokers are unavailable. Returns the
     * findings, the most severe first.
     *
     * @param features all features of the server
     */
    public static List<Finding> of(ParleyConfig config, List<Feature> features) {
        Preflight preflight = new Preflight(config, features);
        // Both wait mostly for other systems.
        CompletableFuture<List<Finding>> registry = CompletableFuture.supplyAsync(
                new RegistryCheck(config, preflight.deployment, preflight.setup.names())::run);
        CompletableFuture<List<Finding>> ofFeatures = CompletableFuture.supplyAsync(preflight::features);
        new StateCheck(config, preflight.deployment, preflight.findings).run();
        keys(config).ifPresent(preflight.findings::add);
        preflight.brokers();
        preflight.findings.addAll(result(registry));
        preflight.findings.addAll(result(ofFeatures));
        preflight.findings.sort(Comparator.comparing(Finding::severity));
        return List.copyOf(preflight.findings);
    }

    private List<Finding> features() {
        return features.stream()
                .flatMap(feature -> feature.preflight(config).stream())
                .toList();
    }

    /** Checks the keys of the heads of the audit log, and of the internal records. */
    static Optional<Finding> keys(ParleyConfig config) {
        try {
            boolean signs = config.hasRole("pipeline")
                    && LogHeadSettings.of(config).notes().areSigned();
            return RecordMac.of(config).isEmpty() && signs
                    ? Optional.of(Check.INTERNAL_KEY_MISSING.finding(
                            AuditKeys.INTERNAL_KEY_FILES,
                            "Heads are signed, but who can write the internal topics can have a forged verdict signed.",
                            "Create a key with parley keygen for all instances, and see docs/security.md, \"Internal"
                                    + " records\"."))
                    : Optional.empty();
        } catch (ConfigException e) {
            return Optional.of(Check.KEY_UNREADABLE.finding(
                    AuditKeys.HEADS_KEY_FILES + ", " + AuditKeys.INTERNAL_KEY_FILES,
                    AdminFutures.root(e) + ".",
                    "Create a key pair with parley keygen, and name its .key file."));
        }
    }

    private static List<Finding> result(CompletableFuture<List<Finding>> started) {
        try {
            return started.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** Returns why the brokers cannot be used; empty if they respond. Takes seconds if they are unavailable. */
    public static Optional<Finding> unavailable(ParleyConfig config) {
        List<Finding> found = new ArrayList<>();
        admin(config, found).ifPresent(admin -> {
            new ClusterCheck(admin, config, found).nodes();
            admin.close(Duration.ZERO);
        });
        return found.stream()
                .filter(finding -> finding.severity() == Severity.ERROR)
                .findFirst();
    }

    /** An admin client; empty, with a finding, if the settings do not allow one. */
    private static Optional<Admin> admin(ParleyConfig config, List<Finding> findings) {
        try {
            return Optional.of(StreamsSettings.admin(StreamsSettings.clientSettings(config), TIMEOUT));
        } catch (KafkaException e) {
            findings.add(Check.CLIENT_SETTINGS.finding(
                    "kafka.*",
                    "No client can be created from these settings: " + AdminFutures.root(e) + ".",
                    "Fix bootstrap.servers and the kafka.* settings."));
            return Optional.empty();
        }
    }

    private void brokers() {
        StreamsSettings.unknown(config)
                .forEach((name, nearest) -> findings.add(Check.CLIENT_SETTING_UNKNOWN.finding(
                        "kafka." + name,
                        "No Kafka client has this setting.",
                        "Correct the name, unless a plug-in of yours reads it. The nearest is kafka." + nearest
                                + ".")));
        try {
            StreamsSettings.validate(config, ParleyTopology.config(config));
        } catch (ConfigException | IllegalArgumentException e) {
            findings.add(Check.CLIENT_SETTINGS.finding(
                    "kafka.*",
                    "Kafka does not accept these settings: " + AdminFutures.root(e) + ".",
                    "Fix the kafka.* settings."));
            return;
        }
        admin(config, findings).ifPresent(this::brokers);
    }

    private void brokers(Admin admin) {
        try {
            if (new ClusterCheck(admin, config, findings).run()) {
                topics(admin);
            }
        } catch (KafkaException e) {
            findings.add(Check.BROKERS_SILENT.finding(
                    "brokers",
                    "The brokers do not respond in time: " + AdminFutures.root(e) + ".",
                    "Check the logs of the brokers, and try again."));
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    private void topics(Admin admin) {
        List<StreamsApplication> applications = deployment.applicationsOf(config);
        Map<Feature, List<RequiredAcl>> ofFeatures = new LinkedHashMap<>();
        features.forEach(feature -> feature.role().ifPresent(role -> ofFeatures.put(feature, role.needs(deployment))));
        Set<String> names = new TreeSet<>(setup.names());
        applications.forEach(application -> names.addAll(application.internalTopics()));
        names.add(Topics.repartition(deployment.pipeline().applicationId()));
        Stream.concat(needs().stream(), ofFeatures.values().stream().flatMap(List::stream))
                .filter(need -> need.type() == ResourceType.TOPIC && need.pattern() == PatternType.LITERAL)
                .map(RequiredAcl::name)
                .forEach(names::add);
        TopicInventory topics = TopicInventory.describeWithOperations(admin, names);
        new TopicCheck(admin, setup, findings).run(topics);
        new AccessCheck(admin, findings).run(needs(), topics);
        ofFeatures.forEach((feature, needs) -> {
            List<Finding> denied = new ArrayList<>();
            new AccessCheck(admin, denied).run(needs, topics);
            findings.addAll(feature.report(denied));
        });
        new StateTopicIds(deployment.stateDirectory(), deployment.pipeline().applicationId())
                .check(topics.existing())
                .ifPresent(findings::add);
        if (findings.stream().noneMatch(finding -> finding.check() == Check.KEY_UNREADABLE)) {
            new InternalKeyCheck(config, findings)
                    .run(applications.stream()
                            .flatMap(application -> application.internalTopics().stream())
                            .filter(topics.existing()::containsKey)
                            .toList());
        }
        if (applications.contains(deployment.pipeline())) {
            new CommittedOffsetCheck(admin, config, deployment.pipeline(), findings).run(topics);
            new KeyedInputCheck(config, deployment.pipeline(), findings).run(topics);
        }
    }

    private List<RequiredAcl> needs() {
        List<RequiredAcl> needs = new ArrayList<>();
        if (config.hasRole("pipeline")) {
            needs.addAll(AclRole.PIPELINE.needs(deployment));
        }
        if (config.hasRole("views")) {
            needs.addAll(AclRole.VIEWS.needs(deployment));
        }
        return needs;
    }
}
