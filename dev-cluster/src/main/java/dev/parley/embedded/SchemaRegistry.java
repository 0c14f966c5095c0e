package dev.parley.embedded;

import dev.parley.embedded.CompatibilityLevel.Earlier;
import dev.parley.embedded.SchemaJournal.Event;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/**
 * Avro schemas by subject and version, as Confluent's Schema Registry keeps them: one global id for each distinct schema, compatibility enforced
 * when a schema is registered, {@link CompatibilityLevel#FULL_TRANSITIVE} unless set. Every change is on disk before its method returns. A
 * deleted version is hidden, not destroyed: records that were written with it stay readable by id, and its number is not used again.
 *
 * <p>May be used by any number of threads. Knows nothing of HTTP; every refusal is a {@link RegistryException} with the code of Confluent's API.
 */
public final class SchemaRegistry implements AutoCloseable {

    /**
     * A schema as it stands under a subject.
     *
     * @param version from 1, without gaps unless versions were deleted
     * @param id of the schema's text, the same under every subject
     * @param schema JSON without white space
     */
    public record Registered(String subject, int version, int id, String schema, boolean deleted) {
        private Registered asDeleted() {
            return new Registered(subject, version, id, schema, true);
        }
    }

    private final SchemaJournal journal;
    private final Map<Integer, Schema> schemas = new HashMap<>();
    private final Map<String, Integer> ids = new HashMap<>();
    private final Map<String, List<Registered>> subjects = new TreeMap<>();
    private final Map<String, CompatibilityLevel> levels = new HashMap<>();
    private CompatibilityLevel globalLevel = CompatibilityLevel.FULL_TRANSITIVE;

    private SchemaRegistry(Path file) throws IOException {
        journal = SchemaJournal.open(file, this::apply);
    }

    /**
     * Opens the registry that a journal file holds; an empty one when there is no such file.
     *
     * @throws StartupException when the file is in use, damaged or cannot be read
     */
    public static SchemaRegistry open(Path file) {
        try {
            return new SchemaRegistry(file);
        } catch (IOException failure) {
            throw new StartupException(
                    "The schema journal " + file + " cannot be opened (" + failure
                            + "); check that its directory exists and is writable.",
                    failure);
        }
    }

    private void apply(Event event) {
        switch (event.kind()) {
            case SCHEMA -> {
                schemas.computeIfAbsent(event.id(), id -> new Schema.Parser().parse(event.schema()));
                ids.put(event.schema(), event.id());
                subjects.computeIfAbsent(event.subject(), subject -> new ArrayList<>())
                        .add(new Registered(event.subject(), event.version(), event.id(), event.schema(), false));
            }
            case DELETE -> {
                List<Registered> versions = subjects.get(event.subject());
                versions.set(
                        event.version() - 1, versions.get(event.version() - 1).asDeleted());
            }
            case LEVEL -> {
                if (event.subject() == null) {
                    globalLevel = event.level();
                } else if (event.level() == null) {
                    levels.remove(event.subject());
                } else {
                    levels.put(event.subject(), event.level());
                }
            }
        }
    }

    private void commit(Event event) {
        journal.append(event);
        apply(event);
    }

    /**
     * Registers a schema under a subject; one that is there already keeps its version.
     *
     * @param normalize whether to bring the schema to its normal form first
     * @throws RegistryException 409 when it is incompatible, 42201 when it is not Avro, 42208 when the subject's name is not allowed
     */
    public synchronized Registered register(String subject, String schema, boolean normalize) {
        if (subject.isBlank() || subject.chars().anyMatch(Character::isISOControl)) {
            throw new RegistryException(
                    RegistryException.INVALID_SUBJECT,
                    "The subject's name is blank or has control characters; use the topic's name and -key or -value.");
        }
        Schema parsed = parse(schema, normalize);
        String text = parsed.toString();
        Optional<Registered> known = find(subject, text, false);
        if (known.isPresent()) {
            return known.get();
        }
        CompatibilityLevel level = level(subject);
        List<String> objections = level.objections(parsed, earlier(subject));
        if (!objections.isEmpty()) {
            throw new RegistryException(
                    RegistryException.INCOMPATIBLE,
                    "The schema is incompatible with an earlier one of subject \"" + subject + "\" at level " + level
                            + ": " + String.join("; ", objections));
        }
        int id = ids.getOrDefault(text, ids.size() + 1);
        int version = subjects.getOrDefault(subject, List.of()).size() + 1;
        commit(Event.schema(subject, version, id, text));
        return new Registered(subject, version, id, text, false);
    }

    /**
     * The version under which a subject has a schema.
     *
     * @param includeDeleted whether deleted versions count
     * @throws RegistryException 40401 when there is no such subject, 40403 when it does not have the schema, 42201 when that is not Avro
     */
    public synchronized Registered lookUp(String subject, String schema, boolean normalize, boolean includeDeleted) {
        versions(subject, includeDeleted);
        return find(subject, parse(schema, normalize).toString(), includeDeleted)
                .orElseThrow(() -> new RegistryException(
                        RegistryException.SCHEMA_NOT_FOUND, "Subject \"" + subject + "\" does not have this schema."));
    }

    private Optional<Registered> find(String subject, String text, boolean includeDeleted) {
        return subjects.getOrDefault(subject, List.of()).stream()
                .filter(version -> (includeDeleted || !version.deleted())
                        && version.schema().equals(text))
                .reduce((first, later) -> later);
    }

    /** Names of the subjects, sorted; those with deleted versions only, when asked. */
    public synchronized List<String> subjects(boolean includeDeleted) {
        return subjects.entrySet().stream()
                .filter(entry -> includeDeleted || entry.getValue().stream().anyMatch(version -> !version.deleted()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * Versions of a subject, oldest first; at least one.
     *
     * @throws RegistryException 40401 when there is no such subject
     */
    public synchronized List<Registered> versions(String subject, boolean includeDeleted) {
        List<Registered> versions = subjects.getOrDefault(subject, List.of()).stream()
                .filter(version -> includeDeleted || !version.deleted())
                .toList();
        if (versions.isEmpty()) {
            throw new RegistryException(
                    RegistryException.SUBJECT_NOT_FOUND, "Subject \"" + subject + "\" is not registered.");
        }
        return versions;
    }

    /**
     * One version of a subject.
     *
     * @param version its number, {@code latest} or {@code -1}
     * @throws RegistryException 40401 or 40402 when there is no such subject or version, 42202 when it is no version
     */
    public synchronized Registered version(String subject, String version, boolean includeDeleted) {
        int number = parseVersion(version);
        List<Registered> versions = versions(subject, includeDeleted);
        if (number == LATEST) {
            return versions.get(versions.size() - 1);
        }
        return versions.stream()
                .filter(registered -> registered.version() == number)
                .findFirst()
                .orElseThrow(() -> new RegistryException(
                        RegistryException.VERSION_NOT_FOUND,
                        "Subject \"" + subject + "\" has no version " + number + "."));
    }

    private static final int LATEST = -1;

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
                    "\"" + version + "\" is no version; use a number from 1 to " + Integer.MAX_VALUE + ", or latest.");
        }
        return number;
    }

    /**
     * The schema of an id, deleted or not.
     *
     * @throws RegistryException 40403 when no schema has the id
     */
    public synchronized String schema(int id) {
        Schema schema = schemas.get(id);
        if (schema == null) {
            throw new RegistryException(RegistryException.SCHEMA_NOT_FOUND, "No schema has the id " + id + ".");
        }
        return schema.toString();
    }

    /** The highest id so far; 0 when there is none. */
    public synchronized int maxId() {
        return schemas.size();
    }

    /**
     * Where the schema of an id stands.
     *
     * @throws RegistryException 40403 when no schema has the id
     */
    public synchronized List<Registered> usages(int id, boolean includeDeleted) {
        schema(id);
        return subjects.values().stream()
                .flatMap(List::stream)
                .filter(version -> version.id() == id && (includeDeleted || !version.deleted()))
                .toList();
    }

    /**
     * Deletes a version.
     *
     * @return its number
     * @throws RegistryException as {@link #version}
     */
    public synchronized int delete(String subject, String version) {
        Registered registered = version(subject, version, false);
        commit(Event.delete(subject, registered.version()));
        return registered.version();
    }

    /**
     * Deletes all versions of a subject, and its level.
     *
     * @return their numbers, oldest first
     * @throws RegistryException 40401 when there is no such subject
     */
    public synchronized List<Integer> delete(String subject) {
        List<Integer> deleted = new ArrayList<>();
        for (Registered version : versions(subject, false)) {
            commit(Event.delete(subject, version.version()));
            deleted.add(version.version());
        }
        if (levels.containsKey(subject)) {
            commit(Event.level(subject, null));
        }
        return Collections.unmodifiableList(deleted);
    }

    /**
     * What stands against registering a schema, under the subject's level.
     *
     * @return a sentence for each incompatibility; empty when it is compatible, as with a subject that is not there
     * @throws RegistryException 42201 when it is not Avro
     */
    public synchronized List<String> objections(String subject, String schema, boolean normalize) {
        return level(subject).objections(parse(schema, normalize), earlier(subject));
    }

    /**
     * What stands against a schema in comparison with one version, under the subject's level.
     *
     * @param version its number, {@code latest} or {@code -1}
     * @return a sentence for each incompatibility; empty when it is compatible, as with the latest version of a subject that is not there
     * @throws RegistryException as {@link #version}; 42201 when it is not Avro
     */
    public synchronized List<String> objections(String subject, String version, String schema, boolean normalize) {
        Schema parsed = parse(schema, normalize);
        if (parseVersion(version) == LATEST && earlier(subject).isEmpty()) {
            return List.of();
        }
        Registered other = version(subject, version, false);
        return level(subject).objections(parsed, List.of(new Earlier(other.version(), schemas.get(other.id()))));
    }

    private List<Earlier> earlier(String subject) {
        return subjects.getOrDefault(subject, List.of()).stream()
                .filter(version -> !version.deleted())
                .map(version -> new Earlier(version.version(), schemas.get(version.id())))
                .toList();
    }

    /** The level of subjects that have none of their own. */
    public synchronized CompatibilityLevel globalLevel() {
        return globalLevel;
    }

    /** Sets the level of subjects that have none of their own. */
    public synchronized void setGlobalLevel(CompatibilityLevel level) {
        commit(Event.level(null, level));
    }

    /** The level that a subject has of its own. */
    public synchronized Optional<CompatibilityLevel> subjectLevel(String subject) {
        return Optional.ofNullable(levels.get(subject));
    }

    /** Gives a subject a level of its own; the subject need not be there yet. */
    public synchronized void setSubjectLevel(String subject, CompatibilityLevel level) {
        commit(Event.level(subject, level));
    }

    /** Takes a subject's own level away. */
    public synchronized void removeSubjectLevel(String subject) {
        commit(Event.level(subject, null));
    }

    private CompatibilityLevel level(String subject) {
        return levels.getOrDefault(subject, globalLevel);
    }

    private static Schema parse(String text, boolean normalize) {
        try {
            Schema schema = new Schema.Parser().parse(text);
            return normalize ? new AvroSchema(schema).normalize().rawSchema() : schema;
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
