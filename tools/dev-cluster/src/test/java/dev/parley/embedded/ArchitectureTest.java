package dev.parley.embedded;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The wall of the development cluster: it serves any Kafka client, so it knows nothing of Parley. */
@AnalyzeClasses(packages = "dev.parley.embedded", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule theEmbeddedBrokerKnowsNothingOfTheRest = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("dev.parley..").and(not(resideInAPackage("dev.parley.embedded.."))));
}
