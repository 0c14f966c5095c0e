package dev.parley.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.Incompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.SchemaCompatibility.SchemaPairCompatibility;

/**
 * Avro schemas by subject and version, as Confluent's Schema Registry keeps them at level FULL_TRANSITIVE: one global
 * ID for each distinct schema, and each version of a subject can read and be read by every other. A registration is on
 * disk before its method returns.
 *
 * <p>Thread-safe. Independent of HTTP; every refusal is a {@link RegistryException} with the code of Confluent's API.
 */
final class SchemaRegistry implements AutoCloseable {
    private static final int LATEST = -1;

    /**
     * One version of a subject.
     *
     * @param version from 1, without gaps
     * @param id ID of the schema's text, the same under every subject
     * @param schema JSON without white space
     */
    record Registered(String subject, int version, int id, String schema) {}

    private final SchemaJournal journal;
    private final Map<Integer, Schema> schemas = new HashMap<>();
    private final Map<String, Integer> ids = new HashMap<>();
    private final Map<String, List<Registered>> subjects = new TreeMap<>();

    private SchemaRegistry(Path file) throws IOException {
        journal = SchemaJournal.open(file, this::apply);
    }

    /**
     * Opens the registry of a journal file; it is empty if the file does not exist.
     *
     * @throws StartupException if the file is in use, damaged or cannot be read
     */
    static SchemaRegistry open(Path file) {
        try {
            return new SchemaRegistry(file);
        } catch (IOException failure) {
            throw new StartupException(
                    "The schema journal " + file + " cannot be opened (" + failure
                            + "); check that its directory exists and is writable.",
                    failure);
        }
    }

    private void apply(Registered registered) {
        schemas.computeIfAbsent(registered.id(), id -> new Schema.Parser().parse(registered.schema()));
        ids.put(registered.schema(), registered.id());
        subjects.computeIfAbsent(registered.subject(), subject -> new ArrayList<>())
                .add(registered);
    }

    /**
     * Registers a schema under a subject; a registered one keeps its version.
     *
     * @throws RegistryException 409 if it is incompatible, 42201 if it is not Avro, 42208 if the subject's name
     *     is not allowed
     */
    synchronized Registered register(String subject, String schema) {
        if (subject.isBlank() || subject.chars().anyMatch(Character::isISOControl)) {
            throw new RegistryException(
                    RegistryException.INVALID_SUBJECT,
                    "The subject's name is blank or has control characters; use the topic's name and -key or -value.");
        }
        Schema parsed = parse(schema);
        String text = parsed.toString();
        Optional<Registered> known = find(subject, text);
        if (known.isPresent()) {
            return known.get();
        }
        List<String> objections = objections(subject, parsed);
        if (!objections.isEmpty()) {
            throw new RegistryException(
                    RegistryException.INCOMPATIBLE,
                    "The schema is incompatible with an earlier one of subject \"" + subject
                            + "\" at level FULL_TRANSITIVE: " + String.join("; ", objections));
        }
        int version = subjects.getOrDefault(subject, List.of()).size() + 1;
        Registered registered = new Registered(subject, version, ids.getOrDefault(text, ids.size() + 1), text);
        journal.append(registered);
        apply(registered);
        return registered;
    }

    /**
     * The version under which a subject has a schema.
     *
     * @throws RegistryException 40401 if there is no such subject, 40403 if it does not have the schema, 42201 if
     *     that is not Avro
     */
    synchronized Registered lookUp(String subject, String schema) {
        versions(subject);
        return find(subject, parse(schema).toString())
                .orElseThrow(() -> new RegistryException(
                        RegistryException.SCHEMA_NOT_FOUND, "Subject \"" + subject + "\" does not have this schema."));
    }

    private Optional<Registered> find(String subject, String text) {
        return subjects.getOrDefault(subject, List.of()).stream()
                .filter(version -> version.schema().equals(text))
                .findFirst();
    }

    /** Names of the subjects, sorted. */
    synchronized List<String> subjects() {
        return List.copyOf(subjects.keySet());
    }

    /**
     * Versions of a subject, oldest first; at least one.
     *
     * @throws RegistryException 40401 if there is no such subject
     */
    synchronized List<Registered> versions(String subject) {
        List<Registered> versions = subjects.get(subject);
        if (versions == null) {
            throw new RegistryException(
                    RegistryException.SUBJECT_NOT_FOUND, "Subject \"" + subject + "\" is not registered.");
        }
        return List.copyOf(versions);
    }

    /**
     * One version of a subject.
     *
     * @param version its number, {@code latest} or {@code -1}
     * @throws RegistryException 40401 or 40402 if there is no such subject or version, 42202 if it is not a version
     */
    synchronized Registered version(String subject, String version) {
        int number = parseVersion(version);
        List<Registered> versions = versions(subject);
        if (number > versions.size()) {
            throw new RegistryException(
                    RegistryException.VERSION_NOT_FOUND, "Subject \"" + subject + "\" has no version " + number + ".");
        }
        return versions.get(number == LATEST ? versions.size() - 1 : number - 1);
    }

    private static int parseVersion(String version) {
        if (version.equals("latest")) {
            return LATEST;
        }
        int number;
        try {
            number = Integer.parseInt(version);
        } catch (NumberFormatException notANumber) {
            number = 0;
        }
        if (number != LATEST && number < 1) {
            throw new RegistryException(
                    RegistryException.INVALID_VERSION,
                    "\"" + version + "\" is not a version; use a number from 1 to " + Integer.MAX_VALUE
                            + ", or latest.");
        }
        return number;
    }

    /**
     * Returns the schema with an ID.
     *
     * @throws RegistryException 40403 if no schema has the ID
     */
    synchronized String schema(int id) {
        Schema schema = schemas.get(id);
        if (schema == null) {
            throw new RegistryException(RegistryException.SCHEMA_NOT_FOUND, "No schema has the ID " + id + ".");
        }
        return schema.toString();
    }

    /**
     * Reports why a schema cannot be registered.
     *
     * @return a sentence for each incompatibility, with version, kind and location; empty if it is compatible, as with
     *     an unknown subject
     * @throws RegistryException 42201 if it is not Avro
     */
    synchronized List<String> objections(String subject, String schema) {
        return objections(subject, parse(schema));
    }

    private List<String> objections(String subject, Schema schema) {
        List<String> objections = new ArrayList<>();
        for (Registered earlier : subjects.getOrDefault(subject, List.of())) {
            Schema other = schemas.get(earlier.id());
            compare(schema, other, "The new schema cannot read version " + earlier.version(), objections);
            compare(other, schema, "Version " + earlier.version() + " cannot read the new schema", objections);
        }
        return objections;
    }

    private static void compare(Schema reader, Schema writer, String sentence, List<String> objections) {
        SchemaPairCompatibility pair = SchemaCompatibility.checkReaderWriterCompatibility(reader, writer);
        if (pair.getType() == SchemaCompatibilityType.COMPATIBLE) {
            return;
        }
        for (Incompatibility found : pair.getResult().getIncompatibilities()) {
            objections.add(
                    sentence + ": " + found.getType() + " at " + found.getLocation() + " (" + found.getMessage() + ")");
        }
    }

    private static Schema parse(String text) {
        try {
            return new Schema.Parser().parse(text);
        } catch (AvroRuntimeException invalid) {
            throw new RegistryException(
                    RegistryException.INVALID_SCHEMA, "The schema is not valid Avro: " + invalid.getMessage(), invalid);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        journal.close();
    }
}
