package dev.parley.serde;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Checks that only the documented classes need the optional dependencies. */
@AnalyzeClasses(
        packages = {"dev.parley.serde", "dev.parley.connect"},
        importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule onlyAvroSerdesNeedConfluent = noClasses()
            .that(not(belongToAnyOf(
                    AvroSerdes.class,
                    CachedSchemaIdSerializer.class,
                    CheckedDeserializer.class,
                    WriterSchemas.class,
                    RegistryFailures.class)))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.confluent..");

    @ArchTest
    static final ArchRule onlyTheConvertersNeedConnect = noClasses()
            .that()
            .resideOutsideOfPackage("dev.parley.connect..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka.connect..", "dev.parley.connect..");
}
