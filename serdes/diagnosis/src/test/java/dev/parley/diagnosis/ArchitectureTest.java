package dev.parley.diagnosis;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Dependency rules of the diagnosis. */
@AnalyzeClasses(packages = "dev.parley.diagnosis", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule theDiagnosisNeedsOnlyCodecs = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.parley.diagnosis..",
                    "dev.parley.decode..",
                    "dev.parley.codec..",
                    "dev.parley.avro..",
                    "org.apache.avro..",
                    "java..");

    @ArchTest
    static final ArchRule textIsReadWithoutPatterns = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.util.regex..")
            .orShould()
            .callMethod(String.class, "split", String.class)
            .orShould()
            .callMethod(String.class, "matches", String.class)
            .orShould()
            .callMethod(String.class, "replaceAll", String.class, String.class);
}
