package dev.parley.log;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of the log: a library of Java, Avro and JSON, whose formats need neither. */
@AnalyzeClasses(packages = "dev.parley.log", importOptions = DoNotIncludeTests.class)
class LogArchitectureTest {
    @ArchTest
    static final ArchRule formatsNeedOnlyHashesTextsAndFiles = noClasses()
            .that()
            .resideInAPackage("dev.parley.log.tlog..")
            .should()
            .dependOnClassesThat(resideOutsideOfPackages("dev.parley.log.tlog..", "dev.parley.file..", "java..")
                    .and(not(simpleName("Sha256")
                            .or(simpleName("Excerpt"))
                            .or(simpleName("Decimal"))
                            .or(simpleName("Utf8")))));

    /** The pipeline uses this package. */
    @ArchTest
    static final ArchRule theLogItselfNeedsNoJson = noClasses()
            .that()
            .resideInAPackage("dev.parley.log")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.parley.json..", "com.fasterxml.jackson..");

    /** Only evidence names protocols and judges again. */
    @ArchTest
    static final ArchRule onlyEvidenceKnowsDialogues = noClasses()
            .that()
            .resideOutsideOfPackage("dev.parley.log.evidence..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.parley.dialogue..", "dev.parley.stage..", "dev.parley.gloss..");

    @ArchTest
    static final ArchRule packagesHaveNoCircles =
            slices().matching("dev.parley.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule nothingPrints = noClasses()
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .orShould()
            .callMethod(Throwable.class, "printStackTrace");
}
