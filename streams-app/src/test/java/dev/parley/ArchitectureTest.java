package dev.parley;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/** The walls of the application: the core is pure, the topology knows no HTTP, queries never write, and only the command line knows all. */
@AnalyzeClasses(packages = "dev.parley", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] PURE = {
        "dev.parley.codec..",
        "dev.parley.decode..",
        "dev.parley.dialogue..",
        "dev.parley.checkpoint..",
        "dev.parley.audit..",
        "dev.parley.pipeline.."
    };
    private static final String[] HTTP = {
        "io.javalin..", "org.eclipse.jetty..", "jakarta.servlet..", "java.net.http..", "com.sun.net.."
    };

    @ArchTest
    static final ArchRule theCoreKnowsNothingOfKafka = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..", "io.confluent..");

    @ArchTest
    static final ArchRule theCoreKnowsNothingOfHttp = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HTTP);

    @ArchTest
    static final ArchRule theTopologyKnowsNothingOfHttp = noClasses()
            .that()
            .resideInAPackage("dev.parley.topology..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(HTTP);

    @ArchTest
    static final ArchRule theTopologyKnowsNothingOfWhoRunsIt = noClasses()
            .that()
            .resideInAPackage("dev.parley.topology..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.parley.query..", "dev.parley.cli..", "dev.parley.embedded..");

    @ArchTest
    static final ArchRule queriesKnowNothingOfWhoRunsThem = noClasses()
            .that()
            .resideInAPackage("dev.parley.query..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.parley.cli..", "dev.parley.embedded..");

    @ArchTest
    static final ArchRule queriesNeverWrite = noClasses()
            .that()
            .resideInAPackage("dev.parley.query..")
            .should()
            .callMethodWhere(calling(
                    Set.of("put", "putAll", "putIfAbsent", "delete", "flush", "apply", "expire", "save", "resume", "suspend", "made"),
                    resideInAPackage("org.apache.kafka.streams..").or(resideInAPackage("dev.parley.checkpoint.."))))
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka.clients.producer..");

    @ArchTest
    static final ArchRule operationsKnowNothingOfHttpAndOfWhoRunsThem = noClasses()
            .that()
            .resideInAPackage("dev.parley.operations..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.parley.query..", "dev.parley.cli..", "dev.parley.embedded..")
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
    static final ArchRule theEmbeddedBrokerKnowsNothingOfTheRest = noClasses()
            .that()
            .resideInAPackage("dev.parley.embedded..")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.parley..").and(not(resideInAPackage("dev.parley.embedded.."))));

    @ArchTest
    static final ArchRule packagesHaveNoCircles =
            slices().matching("dev.parley.(*)..").should().beFreeOfCycles();

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
            .resideOutsideOfPackage("dev.parley.cli..")
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .orShould()
            .callMethod(Throwable.class, "printStackTrace");

    /** The two readers of the rule tables are left out: they run once, when their class loads. */
    @ArchTest
    static final ArchRule theCoreReadsWithoutPatterns = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .and(not(simpleName("CellTable").or(simpleName("CspTaskTable")).or(simpleName("LambdaTable"))))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.util.regex..")
            .orShould()
            .callMethodWhere(
                    calling(Set.of("split", "matches", "replaceAll", "replaceFirst"), belongToAnyOf(String.class)));

    private static DescribedPredicate<JavaCall<?>> calling(Set<String> methods, DescribedPredicate<JavaClass> of) {
        return DescribedPredicate.describe(
                "it is one of " + methods + " of what does " + of.getDescription(),
                call -> methods.contains(call.getTarget().getName())
                        && of.test(call.getTarget().getOwner()));
    }
}
