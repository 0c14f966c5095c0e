package dev.parley;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.parley.dialogue.TransitionTable;
import java.util.Set;

/** The walls of the core: plain Java on top of codecs and schemas, without Kafka, HTTP and JSON. */
@AnalyzeClasses(
        packages = {
            "dev.parley.dialogue",
            "dev.parley.checkpoint",
            "dev.parley.state",
            "dev.parley.audit",
            "dev.parley.protocol",
            "dev.parley.gloss",
            "dev.parley.items",
            "dev.parley.stage",
            "dev.parley.file"
        },
        importOptions = DoNotIncludeTests.class)
class CoreArchitectureTest {
    /**
     * Avro brings Jackson onto the class path, so the build cannot forbid it there. Answers have annotations about
     * their JSON, but nothing here reads or writes it.
     */
    @ArchTest
    static final ArchRule theCoreNeedsOnlyCodecsDiagnosisAvroAndImmutableCollections = noClasses()
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages(
                    "dev.parley.dialogue..",
                    "dev.parley.checkpoint..",
                    "dev.parley.state..",
                    "dev.parley.audit..",
                    "dev.parley.protocol..",
                    "dev.parley.gloss..",
                    "dev.parley.items..",
                    "dev.parley.stage..",
                    "dev.parley.file..",
                    "dev.parley.avro..",
                    "dev.parley.codec..",
                    "dev.parley.encoding..",
                    "dev.parley.decode..",
                    "dev.parley.diagnosis..",
                    "com.fasterxml.jackson.annotation..",
                    "org.apache.avro..",
                    "kotlinx.collections.immutable..",
                    "com.networknt.schema..",
                    "java.lang..",
                    "java.math..",
                    "java.io..",
                    "java.nio..",
                    "java.security..",
                    "java.time..",
                    "java.util..");

    @ArchTest
    static final ArchRule dialogueRulesNeedOnlyCodecs = noClasses()
            .that()
            .resideInAPackage("dev.parley.dialogue..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.parley.checkpoint..",
                    "dev.parley.state..",
                    "dev.parley.audit..",
                    "dev.parley.protocol..",
                    "dev.parley.gloss..",
                    "dev.parley.items..",
                    "dev.parley.stage..");

    @ArchTest
    static final ArchRule onlyTheStagesKnowTheStages = noClasses()
            .that()
            .resideOutsideOfPackage("dev.parley.stage..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.parley.stage..");

    @ArchTest
    static final ArchRule packagesHaveNoCircles =
            slices().matching("dev.parley.(**)").should().beFreeOfCycles();

    /** The reader of the transition tables is left out: it runs once, when the class of the rules loads. */
    @ArchTest
    static final ArchRule theCoreReadsWithoutPatterns = noClasses()
            .that(not(belongToAnyOf(TransitionTable.class)))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.util.regex..")
            .orShould()
            .callMethodWhere(DescribedPredicate.describe(
                    "they read strings by patterns",
                    (JavaCall<?> call) -> Set.of("split", "matches", "replaceAll", "replaceFirst")
                                    .contains(call.getTarget().getName())
                            && belongToAnyOf(String.class).test(call.getTarget().getOwner())));

    @ArchTest
    static final ArchRule nothingPrints = noClasses()
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .orShould()
            .callMethod(Throwable.class, "printStackTrace");
}
