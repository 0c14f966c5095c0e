package dev.parley.topology;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.topology.pipeline.PipelineDriver;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.client.SchemaMetadata;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The stored state of a release: its contract, and its stores and registry after {@link UpgradeTest#before}.
 *
 * @param directory its files
 */
record ReleaseFixture(Path directory) {
    static final Path ROOT = Path.of("topology-tests", "src", "test", "resources", "released");
    static final Path ADDITIONS = ROOT.resolve("additions.txt");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CONTRACT = "contract.txt";
    private static final String STATE = "state.jsonl";
    private static final String REGISTRY = "registry.jsonl";

    /** Where a release's ids begin, so that schemas of today, which a registry in memory numbers from 1, get others. */
    private static final int FIRST_ID = 1_001;

    /** Whether a version was released, so that its files do not change. */
    static boolean isOut(String version) {
        return !System.getProperty("parley.version", "").equals(version + "-SNAPSHOT");
    }

    /** The version whose release comes next; its files may be written again until then. */
    static String coming() {
        String version = System.getProperty("parley.version").replace("-SNAPSHOT", "");
        if (isOut(version)) {
            throw new IllegalStateException(version + " is released; its baseline does not change");
        }
        return version;
    }

    /** All of them, the oldest first. */
    static List<ReleaseFixture> all() {
        try (Stream<Path> directories = Files.list(ROOT)) {
            return directories
                    .filter(Files::isDirectory)
                    .map(ReleaseFixture::new)
                    .sorted(Comparator.comparing(release -> Version.parse(release.version())))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ReleaseFixture last() {
        List<ReleaseFixture> all = all();
        return all.get(all.size() - 1);
    }

    String version() {
        return directory.getFileName().toString();
    }

    /** The contract of all parts, as it is today. */
    static SortedMap<String, String> contractOfToday() {
        SortedMap<String, String> contract = new TreeMap<>();
        for (StreamsApp part : StreamsApp.values()) {
            part.contract().forEach((thing, what) -> contract.put(part.label() + " " + thing, what));
        }
        return contract;
    }

    SortedMap<String, String> contract() {
        SortedMap<String, String> contract = new TreeMap<>();
        for (String line : lines(directory.resolve(CONTRACT))) {
            int colon = line.indexOf(": ");
            contract.put(line.substring(0, colon), line.substring(colon + 2));
        }
        return contract;
    }

    /** What is declared as new since the last release. */
    static Set<String> additions() {
        return lines(ADDITIONS).stream().filter(line -> !line.startsWith("#")).collect(Collectors.toSet());
    }

    /** Puts the release's schemas and stores where a pipeline of today finds its own. */
    void restore(PipelineDriver pipeline) {
        restoreRegistry(pipeline.registry());
        for (String line : lines(directory.resolve(STATE))) {
            ObjectNode record = object(line);
            pipeline.bytesOf(record.path("store").textValue())
                    .put(
                            Bytes.wrap(record.path("key").textValue().getBytes(StandardCharsets.UTF_8)),
                            Base64.getDecoder().decode(record.path("value").textValue()));
        }
    }

    private void restoreRegistry(SchemaRegistryClient registry) {
        for (String line : lines(directory.resolve(REGISTRY))) {
            ObjectNode entry = object(line);
            try {
                registry.register(
                        entry.path("subject").textValue(),
                        new AvroSchema(entry.path("schema").textValue()),
                        entry.path("version").intValue(),
                        entry.path("id").intValue());
            } catch (IOException | RestClientException e) {
                throw new IllegalStateException(line, e);
            }
        }
    }

    /**
     * Writes the contract and the registry of the coming version. Its contract has all declared additions.
     *
     * @param first a pipeline that has worked, so that all subjects are in its registry
     */
    static ReleaseFixture writeContract(PipelineDriver first) throws IOException, RestClientException {
        ReleaseFixture release = new ReleaseFixture(ROOT.resolve(coming()));
        Files.write(
                ADDITIONS,
                lines(ADDITIONS).stream().filter(line -> line.startsWith("#")).toList());
        Files.createDirectories(release.directory());
        List<String> contract = new ArrayList<>();
        contractOfToday().forEach((thing, what) -> contract.add(thing + ": " + what));
        Files.write(release.directory().resolve(CONTRACT), contract);
        List<String> subjects = new ArrayList<>();
        SchemaRegistryClient registry = first.registry();
        for (String subject : new TreeSet<>(registry.getAllSubjects())) {
            SchemaMetadata schema = registry.getLatestSchemaMetadata(subject);
            subjects.add(JSON.createObjectNode()
                    .put("subject", subject)
                    .put("version", schema.getVersion())
                    .put("id", FIRST_ID + schema.getId())
                    .put("schema", schema.getSchema())
                    .toString());
        }
        Files.write(release.directory().resolve(REGISTRY), subjects);
        return release;
    }

    /**
     * Writes the stores.
     *
     * @param second a pipeline that has worked with the schemas' ids of {@link #writeContract}
     */
    void writeState(PipelineDriver second) throws IOException {
        List<String> state = new ArrayList<>();
        for (String store : new TreeSet<>(second.storeNames())) {
            KeyValueStore<Bytes, byte[]> bytes = second.bytesOf(store);
            try (KeyValueIterator<Bytes, byte[]> all = bytes.all()) {
                while (all.hasNext()) {
                    KeyValue<Bytes, byte[]> entry = all.next();
                    state.add(JSON.createObjectNode()
                            .put("store", store)
                            .put("key", new String(entry.key.get(), StandardCharsets.UTF_8))
                            .put("value", Base64.getEncoder().encodeToString(entry.value))
                            .toString());
                }
            }
        }
        Files.write(directory.resolve(STATE), state);
    }

    /** Gives a pipeline the release's ids for the schemas. */
    void number(PipelineDriver pipeline) {
        restoreRegistry(pipeline.registry());
    }

    /** Subject to the full name of the record that stands there. */
    Map<String, String> subjects() {
        return lines(directory.resolve(REGISTRY)).stream()
                .map(ReleaseFixture::object)
                .collect(Collectors.toMap(
                        entry -> entry.path("subject").textValue(),
                        entry -> new AvroSchema(entry.path("schema").textValue()).name()));
    }

    @Override
    public String toString() {
        return version();
    }

    private static ObjectNode object(String line) {
        try {
            return (ObjectNode) JSON.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> !line.isBlank())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
