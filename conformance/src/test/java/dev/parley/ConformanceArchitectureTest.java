package dev.parley;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.parley.testing.DoNotIncludeTestJars;

/** The walls of the conformance kit: it runs codecs and core without Kafka and HTTP, and nothing below it knows it. */
@AnalyzeClasses(
        packages = {
            "dev.parley.codec",
            "dev.parley.decode",
            "dev.parley.dialogue",
            "dev.parley.checkpoint",
            "dev.parley.state",
            "dev.parley.audit",
            "dev.parley.stage",
            "dev.parley.json",
            "dev.parley.conformance"
        },
        importOptions = {DoNotIncludeTests.class, DoNotIncludeTestJars.class})
class ConformanceArchitectureTest {
    @ArchTest
    static final ArchRule theKitKnowsNothingOfKafkaAndHttp = noClasses()
            .that()
            .resideInAnyPackage("dev.parley.conformance..", "dev.parley.json..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..", "io.confluent..", "java.net.http..", "com.sun.net..");

    @ArchTest
    static final ArchRule noLowerLayerUsesTheKit = noClasses()
            .that()
            .resideOutsideOfPackages("dev.parley.conformance..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.parley.conformance..");

    @ArchTest
    static final ArchRule packagesHaveNoCircles =
            slices().matching("dev.parley.(**)").should().beFreeOfCycles();
}
