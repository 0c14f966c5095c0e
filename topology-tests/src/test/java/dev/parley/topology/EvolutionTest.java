package dev.parley.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.processor.api.ContextualFixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the topologies with those of every version in {@code released/}: an upgrade must find what a release left in
 * Kafka and on disk. docs/upgrading.md says what to do when this fails. {@code -Dbaseline.write=true} writes the coming
 * version.
 */
class EvolutionTest {

    @BeforeAll
    static void writeWhenAsked(@TempDir Path directory) throws Exception {
        if (Boolean.getBoolean("baseline.write")) {
            UpgradeTest.write(directory);
        }
    }

    static List<ReleaseFixture> releases() {
        return ReleaseFixture.all();
    }

    @ParameterizedTest
    @MethodSource("releases")
    void upgradeFromAReleaseLosesNothing(ReleaseFixture release) {
        assertThat(ContractComparison.losses(release.version(), release.contract(), ReleaseFixture.contractOfToday()))
                .isEmpty();
    }

    @Test
    void additionsSinceTheLastReleaseAreDeclared() {
        ReleaseFixture last = ReleaseFixture.last();

        assertThat(ContractComparison.surprises(
                        last.version(), last.contract(), ReleaseFixture.contractOfToday(), ReleaseFixture.additions()))
                .isEmpty();
    }

    @Test
    void contractNamesEverythingThatOutlivesAProcess() {
        assertThat(ReleaseFixture.contractOfToday())
                .containsEntry("pipeline application.id", "parley")
                .containsEntry("pipeline input parley.wire", "sub-topology 0")
                .containsEntry("pipeline repartition parley-by-conversation-repartition", "sub-topology 1")
                .containsEntry("pipeline output parley.audit.v1", "written")
                .containsEntry(
                        "pipeline store conversations",
                        "sub-topology 1, KeyValueStore on disk, changelog parley-conversations-changelog (compact)")
                .containsEntry(
                        "pipeline-keyed store conversations",
                        "sub-topology 0, KeyValueStore on disk, changelog parley-conversations-changelog (compact)")
                .containsEntry(
                        "traffic store traffic-counts",
                        "sub-topology 0, KeyValueStore on disk, changelog parley-traffic-traffic-counts-changelog"
                                + " (compact)")
                .hasEntrySatisfying(
                        "views store view-audit",
                        view -> assertThat(view)
                                .matches("sub-topology 0, KeyValueStore on disk, changelog"
                                        + " parley-views-view-audit-changelog \\(compact\\), values"
                                        + " ConversationSummary [0-9a-f]{16}, IndexNumbers [0-9a-f]{16},"
                                        + " ChainStart [0-9a-f]{16}, ClaimedRecord [0-9a-f]{16}"));
    }

    /** An application of a store, a hop, a store more, and what a release may change of it. */
    private static final class App {
        private String id = "app";
        private String input = "in";
        private String output = "out";
        private String hop = "hop";
        private String store = "first";
        private Function<String, StoreBuilder<?>> kind = App::onDisk;
        private boolean storeBehindTheHop;
        private boolean secondStore = true;
        private String inputBefore;
        private String inputBehind;
        private String moreOutput;

        static StoreBuilder<?> onDisk(String name) {
            return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.String(), Serdes.String());
        }

        static StoreBuilder<?> inMemory(String name) {
            return Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(name), Serdes.String(), Serdes.String());
        }

        static StoreBuilder<?> windows(String name) {
            Duration minute = Duration.ofMinutes(1);
            return Stores.windowStoreBuilder(
                    Stores.persistentWindowStore(name, minute, minute, false), Serdes.String(), Serdes.String());
        }

        Map<String, String> contract() {
            StreamsBuilder builder = new StreamsBuilder();
            if (inputBefore != null) {
                copy(builder, inputBefore);
            }
            builder.addStateStore(kind.apply(store));
            KStream<String, String> stream = builder.stream(
                            input,
                            Consumed.with(Serdes.String(), Serdes.String()).withName("source"))
                    .processValues(
                            Nothing::new, Named.as("before"), storeBehindTheHop ? new String[0] : new String[] {store})
                    .repartition(
                            Repartitioned.with(Serdes.String(), Serdes.String()).withName(hop))
                    .processValues(
                            Nothing::new, Named.as("behind"), storeBehindTheHop ? new String[] {store} : new String[0]);
            if (secondStore) {
                builder.addStateStore(onDisk("second"));
                stream = stream.processValues(Nothing::new, Named.as("last"), "second");
            }
            stream.to(output, Produced.with(Serdes.String(), Serdes.String()).withName("sink"));
            if (moreOutput != null) {
                stream.to(
                        moreOutput,
                        Produced.with(Serdes.String(), Serdes.String()).withName("more"));
            }
            if (inputBehind != null) {
                copy(builder, inputBehind);
            }
            Properties settings = new Properties();
            settings.put(StreamsConfig.APPLICATION_ID_CONFIG, id);
            settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
            return TopologyContract.of(builder.build(), settings);
        }

        private static void copy(StreamsBuilder builder, String topic) {
            builder.stream(
                            topic,
                            Consumed.with(Serdes.String(), Serdes.String()).withName("from-" + topic))
                    .to(
                            "copies",
                            Produced.with(Serdes.String(), Serdes.String()).withName("to-copies"));
        }
    }

    private static final class Nothing extends ContextualFixedKeyProcessor<String, String, String> {
        @Override
        public void process(FixedKeyRecord<String, String> record) {
            context().forward(record);
        }
    }

    private static Arguments change(String name, Consumer<App> change, String... lost) {
        return arguments(name, change, List.of(lost));
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                change("nothing", app -> {}),
                change(
                        "another application id",
                        app -> app.id = "app2",
                        "application.id",
                        "repartition app-hop-repartition",
                        "store first",
                        "store second"),
                change("another name of a store", app -> app.store = "renamed", "store first"),
                change("a store less", app -> app.secondStore = false, "store second"),
                change("a store in memory that was on disk", app -> app.kind = App::inMemory, "store first"),
                change("a window store that was a table", app -> app.kind = App::windows, "store first"),
                change(
                        "a store without its changelog",
                        app -> app.kind = name -> App.onDisk(name).withLoggingDisabled(),
                        "store first"),
                change(
                        "a changelog of another policy",
                        app -> app.kind =
                                name -> App.onDisk(name).withLoggingEnabled(Map.of("cleanup.policy", "delete")),
                        "store first"),
                change("a store in another sub-topology", app -> app.storeBehindTheHop = true, "store first"),
                change(
                        "another name of a repartition topic",
                        app -> app.hop = "renamed",
                        "repartition app-hop-repartition"),
                change("another input topic", app -> app.input = "renamed", "input in"),
                change("another output topic", app -> app.output = "renamed", "output out"),
                change(
                        "a sub-topology before the others, whose numbers move",
                        app -> app.inputBefore = "in-0",
                        "input in",
                        "repartition app-hop-repartition",
                        "store first",
                        "store second"),
                change("a sub-topology behind the others", app -> app.inputBehind = "in-2"),
                change("an output topic more", app -> app.moreOutput = "more"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void topologyChangeIsDetected(String name, Consumer<App> change, List<String> lost) {
        App changed = new App();
        change.accept(changed);

        List<String> losses = ContractComparison.losses("1.0.0", new App().contract(), changed.contract());

        assertThat(losses)
                .hasSameSizeAs(lost)
                .allSatisfy(loss -> assertThat(loss).contains("1.0.0", "docs/upgrading.md#incompatible-changes"));
        lost.forEach(
                thing -> assertThat(losses).anySatisfy(loss -> assertThat(loss).contains("\"" + thing)));
    }

    @Test
    void additionalStoreMustBeDeclaredAndDeclarationsMustBeTrue() {
        Map<String, String> then = Map.of("store a", "x");
        Map<String, String> now = Map.of("store a", "x", "store b", "y");

        assertThat(ContractComparison.surprises("1.0.0", then, now, Set.of()))
                .singleElement()
                .asString()
                .contains("\"store b: y\"", "additions.txt", "docs/upgrading.md");
        assertThat(ContractComparison.surprises("1.0.0", then, now, Set.of("store b: y")))
                .isEmpty();
        assertThat(ContractComparison.surprises("1.0.0", then, now, Set.of("store b: z")))
                .hasSize(2);
        assertThat(ContractComparison.surprises("1.0.0", then, now, Set.of("store b: y", "store a: x")))
                .singleElement()
                .asString()
                .contains("not new");
    }

    @Test
    void viewMayBeRemovedButNotChangeUnderItsName() {
        Map<String, String> then = Map.of("views view view-a", "values A 1");

        assertThat(ContractComparison.losses("1.0.0", then, Map.of())).isEmpty();
        assertThat(ContractComparison.losses("1.0.0", then, Map.of("views view view-a", "values A 2")))
                .singleElement()
                .asString()
                .contains("another name");
    }
}
