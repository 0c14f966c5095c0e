package dev.parley;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameStartingWith;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.parley.avro.Claims;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.avro.SubitMessage;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.ReleasedPatchQueue;
import dev.parley.checkpoint.SortedStore;
import dev.parley.cli.transcript.TranscriptRun;
import dev.parley.codec.ClaimedTime;
import dev.parley.server.Features;
import dev.parley.testing.DoNotIncludeTestJars;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The walls of the application: the topology knows no HTTP, queries never write, and only the command line knows all.
 */
@AnalyzeClasses(
        packages = "dev.parley",
        importOptions = {DoNotIncludeTests.class, DoNotIncludeTestJars.class})
class ArchitectureTest {
    private static final String[] HTTP = {"org.eclipse.jetty..", "java.net.http..", "com.sun.net.."};

    @ArchTest
    static final ArchRule renderersKnowNothingOfWhoUsesThem = noClasses()
            .that()
            .resideInAPackage("dev.parley.json..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.parley.server..", "dev.parley.cli..", "dev.parley.topology..", "org.apache.kafka..")
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage(HTTP);

    /** Clients may split what is written at characters that {@code LineBreakEscapes} escapes; peers do not. */
    @ArchTest
    static final ArchRule onlyOneFactoryWritesJson = noClasses()
            .that()
            .resideInAPackage("dev.parley.server..")
            .and()
            .doNotHaveSimpleName("PeerJson")
            .should()
            .callMethodWhere(JavaCall.Predicates.target(nameStartingWith("write"))
                    .and(JavaCall.Predicates.target(owner(assignableTo(ObjectMapper.class)))))
            .orShould()
            .callMethod(JsonNode.class, "toString")
            .orShould()
            .callMethod(JsonNode.class, "toPrettyString");

    /** They also ask a running Parley, but only through {@code ApiClient}. */
    @ArchTest
    static final ArchRule offlineCommandsKnowNothingOfHttp = noClasses()
            .that()
            .resideInAPackage("dev.parley.cli.offline..")
            .or()
            .haveFullyQualifiedName(TranscriptRun.class.getName())
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.parley.server..")
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage(HTTP);

    @ArchTest
    static final ArchRule noDecisionUsesAClaimedTime = noClasses()
            .that()
            .resideOutsideOfPackages("dev.parley.avro..", "dev.parley.codec..")
            .should()
            .callMethodWhere(calling(Source.class, "getProducerTime"))
            .orShould()
            .callMethodWhere(calling(SubitMessage.class, "getTimestamp"));

    @ArchTest
    static final ArchRule noDecisionUsesAClaim = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.parley.audit..",
                    "dev.parley.checkpoint..",
                    "dev.parley.dialogue..",
                    "dev.parley.log..",
                    "dev.parley.protocol..",
                    "dev.parley.state..")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(Claims.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(ClaimedTime.class);

    @ArchTest
    static final ArchRule theTopologyKnowsNothingOfHttp = noClasses()
            .that()
            .resideInAPackage("dev.parley.topology..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HTTP);

    /** The path of a record has nothing of OpenTelemetry; a listener adds it if otlp.endpoint is set. */
    @ArchTest
    static final ArchRule onlyTelemetryKnowsOpenTelemetry = noClasses()
            .that()
            .resideOutsideOfPackage("dev.parley.server.telemetry..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.opentelemetry..", "io.micrometer.registry.otlp..");

    @ArchTest
    static final ArchRule theTopologyKnowsNothingOfWhoRunsIt = noClasses()
            .that()
            .resideInAPackage("dev.parley.topology..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.parley.server..", "dev.parley.cli..", "dev.parley.json..");

    /** A feature of the server is one unit; only the list of features knows it. */
    @ArchTest
    static void featuresDoNotKnowEachOther(JavaClasses classes) {
        Set<String> features = Features.STANDARD.stream()
                .map(feature -> feature.getClass().getPackageName() + "..")
                .collect(Collectors.toSet());
        for (String feature : features) {
            String[] others =
                    features.stream().filter(other -> !other.equals(feature)).toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(feature)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(others)
                    .check(classes);
        }
    }
    /** The pipeline, the views, and the analytics are separate applications on the same topics and settings. */
    @ArchTest
    static final ArchRule applicationsShareOnlyTopicsAndSettings = slices().matching("dev.parley.topology.(*)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(
                    resideInAPackage("dev.parley.topology.."),
                    resideInAnyPackage(
                            "dev.parley.topology.topics..",
                            "dev.parley.topology.kafka..",
                            "dev.parley.topology.config..",
                            "dev.parley.topology.lifecycle.."));

    @ArchTest
    static final ArchRule queriesGoFromHandlerToHttpToCluster = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage(
                    "dev.parley.server.api..", "dev.parley.server.http..", "dev.parley.server.cluster..")
            .layer("handlers")
            .definedBy("dev.parley.server.api..")
            .layer("HTTP server")
            .definedBy("dev.parley.server.http..")
            .layer("cluster")
            .definedBy("dev.parley.server.cluster..")
            .whereLayer("handlers")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("HTTP server")
            .mayOnlyBeAccessedByLayers("handlers")
            .whereLayer("cluster")
            .mayOnlyBeAccessedByLayers("handlers", "HTTP server");

    @ArchTest
    static final ArchRule readingHandlersDoNotKnowThatPeersExist = noClasses()
            .that()
            .resideInAPackage("dev.parley.server.api..")
            .and()
            .haveSimpleNameEndingWith("Handler")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.parley.server.cluster..");

    @ArchTest
    static final ArchRule theClusterKnowsNoHttpServer = noClasses()
            .that()
            .resideInAPackage("dev.parley.server.cluster..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.eclipse.jetty..");

    @ArchTest
    static final ArchRule queriesKnowNothingOfWhoRunsThem = noClasses()
            .that()
            .resideInAnyPackage("dev.parley.server.http..", "dev.parley.server.api..", "dev.parley.server.cluster..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.parley.server", "dev.parley.server.lifecycle..", "dev.parley.cli..");

    @ArchTest
    static final ArchRule queriesNeverWrite = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.parley.topology.views.read..",
                    "dev.parley.server.http..",
                    "dev.parley.server.api..",
                    "dev.parley.server.cluster..",
                    "dev.parley.state..")
            .should()
            .callMethodWhere(calling(KeyValueStore.class, "put", "putAll", "putIfAbsent", "delete")
                    .or(calling(StateStore.class, "flush", "commit"))
                    .or(calling(SortedStore.class, "put", "delete"))
                    .or(calling(Checkpoints.class, "apply", "expire", "save"))
                    .or(calling(ReleasedPatchQueue.class, "resume", "suspend")))
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka.clients.producer..");

    @ArchTest
    static final ArchRule operationsKnowNothingOfHttpAndOfWhoRunsThem = noClasses()
            .that()
            .resideInAPackage("dev.parley.server.operations..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.parley.server",
                    "dev.parley.server.lifecycle..",
                    "dev.parley.server.http..",
                    "dev.parley.server.api..",
                    "dev.parley.cli..")
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage(HTTP);

    @ArchTest
    static final ArchRule onlyTheCommandLineKnowsTheCommandLine = noClasses()
            .that()
            .resideOutsideOfPackage("dev.parley.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.parley.cli..");

    @ArchTest
    static final ArchRule whatCommandsShareKnowsNoCommand = noClasses()
            .that()
            .resideInAnyPackage("dev.parley.cli.io..", "dev.parley.cli.api..", "dev.parley.cli.transcript..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.parley.cli");

    @ArchTest
    static final ArchRule nothingShippedHasABroker = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.parley.embedded..", "kafka..", "org.apache.kafka.server..", "scala..");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.parley.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule namesSayWhatAClassIs = noClasses()
            .should()
            .haveSimpleNameEndingWith("Util")
            .orShould()
            .haveSimpleNameEndingWith("Utils")
            .orShould()
            .haveSimpleNameEndingWith("Helper")
            .orShould()
            .haveSimpleNameEndingWith("Manager")
            .orShould()
            .haveSimpleNameEndingWith("Impl");

    @ArchTest
    static final ArchRule nothingIsGeneratedByLombok =
            noClasses().should().dependOnClassesThat().resideInAPackage("lombok..");

    @ArchTest
    static final ArchRule onlyTheCommandLinePrints = noClasses()
            .that()
            .resideOutsideOfPackages("dev.parley.cli..", "dev.parley.tap..")
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .orShould()
            .callMethod(Throwable.class, "printStackTrace");

    /** Differences between protocols are in their descriptors; only the code of a protocol names it. */
    @ArchTest
    static final ArchRule stagesAndTopologiesNameNoProtocol = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.parley.stage..",
                    "dev.parley.audit..",
                    "dev.parley.log..",
                    "dev.parley.topology..",
                    "dev.parley.conformance..",
                    "dev.parley.server.operations..",
                    "dev.parley.cli..")
            .should()
            .accessField(Protocol.class, Protocol.SLIP.name())
            .orShould()
            .accessField(Protocol.class, Protocol.SUBIT.name())
            .orShould()
            .accessField(Protocol.class, Protocol.CSP.name())
            .orShould()
            .accessField(Protocol.class, Protocol.LAMBDA.name());

    /** Kafka Streams commits after each punctuation, so an idle processor would cost a transaction each time. */
    @ArchTest
    static final ArchRule processorsWithoutWorkDoNotPunctuate = noClasses()
            .that()
            .areAssignableTo(ContextualProcessor.class)
            .should()
            .accessField(PunctuationType.class, PunctuationType.WALL_CLOCK_TIME.name())
            .because("SliceScheduler punctuates while there is work");

    /** Kafka Streams initializes the same processor again after an aborted transaction, over stores that went back. */
    @ArchTest
    static final ArchRule initResetsWhatAProcessorKeepsNextToItsStores = classes()
            .that()
            .areAssignableTo(ContextualProcessor.class)
            .should(new ArchCondition<>("set every field that changes, and clear every collection, in init") {
                @Override
                public void check(JavaClass processor, ConditionEvents events) {
                    for (JavaField field : processor.getFields()) {
                        if (!field.getModifiers().contains(JavaModifier.STATIC) && !isReset(processor, field)) {
                            events.add(SimpleConditionEvent.violated(
                                    field, field.getFullName() + " keeps its value when init is called again"));
                        }
                    }
                }
            });

    private static boolean isReset(JavaClass processor, JavaField field) {
        boolean isFinal = field.getModifiers().contains(JavaModifier.FINAL);
        boolean isCollection = field.getRawType().isAssignableTo(Collection.class)
                || field.getRawType().isAssignableTo(Map.class);
        Set<JavaMethod> inits = processor.getMethods().stream()
                .filter(method -> method.getName().equals("init"))
                .collect(Collectors.toSet());
        if (isFinal) {
            return !isCollection
                    || inits.stream()
                            .anyMatch(init -> init.getFieldAccesses().stream()
                                            .anyMatch(access ->
                                                    access.getTarget().getName().equals(field.getName()))
                                    && init.getMethodCallsFromSelf().stream()
                                            .anyMatch(call ->
                                                    call.getTarget().getName().equals("clear")));
        }
        return inits.stream()
                .flatMap(init -> init.getFieldAccesses().stream())
                .anyMatch(access -> access.getTarget().getName().equals(field.getName())
                        && access.getAccessType() == JavaFieldAccess.AccessType.SET);
    }

    /** Calls of methods of a type and its subtypes. Fails if it has none of a name. */
    private static DescribedPredicate<JavaCall<?>> calling(Class<?> type, String... names) {
        Set<String> methods = Set.of(names);
        assertThat(Stream.of(type.getMethods()).map(Method::getName)).containsAll(methods);
        return DescribedPredicate.describe(
                "it calls one of " + methods + " of " + type.getName(),
                call -> methods.contains(call.getTarget().getName())
                        && call.getTarget().getOwner().isAssignableTo(type));
    }
}
