package dev.parley.codec;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Dependency rules of the codecs. */
@AnalyzeClasses(packages = "dev.parley", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] PURE = {"dev.parley.codec..", "dev.parley.decode.."};

    @ArchTest
    static final ArchRule codecsKnowNothingOfKafkaOrHttp = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..", "io.confluent..", "java.net.http..", "com.sun.net..");

    @ArchTest
    static final ArchRule codecsKnowNothingOfRecords = noClasses()
            .that()
            .resideInAPackage("dev.parley.codec..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.parley.decode..");

    @ArchTest
    static final ArchRule messagesAreReadWithoutPatterns = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.util.regex..")
            .orShould()
            .callMethod(String.class, "split", String.class)
            .orShould()
            .callMethod(String.class, "split", String.class, int.class)
            .orShould()
            .callMethod(String.class, "matches", String.class)
            .orShould()
            .callMethod(String.class, "replaceAll", String.class, String.class)
            .orShould()
            .callMethod(String.class, "replaceFirst", String.class, String.class);

    @ArchTest
    static final ArchRule aCodecKnowsNoOtherProtocol = slices().matching("dev.parley.codec.(*)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(
                    alwaysTrue(), resideInAnyPackage("dev.parley.codec.json..", "dev.parley.codec.jsonrpc.."));

    @ArchTest
    static final ArchRule packagesHaveNoCircles =
            slices().matching("dev.parley.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule recordsDependOnNothingOfOurs = noClasses()
            .that()
            .resideInAPackage("dev.parley.avro..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("dev.parley..")
                    .and(resideInAnyPackage("dev.parley.avro..").negate()));

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
    static final ArchRule nothingPrints = noClasses()
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .orShould()
            .callMethod(Throwable.class, "printStackTrace");
}
