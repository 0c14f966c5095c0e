package dev.parley.topology.config;

import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;

import dev.parley.avro.Profile;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.gloss.LambdaVocabulary;
import dev.parley.log.CheckedRecord;
import dev.parley.log.LogNotes;
import dev.parley.logging.FileErrors;
import dev.parley.protocol.Glosses;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.stage.InputPolicy;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;
import org.apache.kafka.common.config.ConfigDef.ValidList;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;

/**
 * Parley's typed and validated configuration: the keys of the topology, and those of the {@link KeyGroup}s that a
 * program adds. Keys that start with {@code kafka.} go to the Kafka clients without that
 * prefix; keys that start with {@code schema.registry.} go to the Schema Registry client unchanged.
 */
public final class ParleyConfig extends AbstractConfig {
    /** Prefix of the settings for the Kafka clients. */
    public static final String KAFKA_PREFIX = "kafka.";

    /** Prefix of the settings for the Schema Registry client. */
    public static final String REGISTRY_PREFIX = "schema.registry.";

    /** Prefix of the names of all topics of the deployment. */
    public static final String PREFIX = "topics.prefix";

    public static final String APPLICATION_ID = "application.id";
    public static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
    public static final String REGISTRY_URL = "schema.registry.url";
    public static final String STATE_DIR = "state.dir";
    public static final String STATE_MEMORY = "state.memory.bytes";
    public static final String STATE_FREE_BYTES = "state.free.min.bytes";
    public static final String ROLES = "roles";
    public static final String THREADS = "pipeline.threads";
    public static final String KEYED = "input.keyed-by-conversation";
    /** Source of the record time that counts as evidence. */
    public static final String INPUT_TIME = "input.time";

    public static final String INPUT_POLICY_FILE = "input.policy.file";
    public static final String LAMBDA_VOCABULARY = "gloss.lambda.vocabulary";
    public static final String PROFILE = "decode.profile";
    public static final String LIMIT_BYTES = "limits.message.bytes";
    public static final String LIMIT_DEPTH = "limits.depth";
    public static final String LIMIT_FIELDS = "limits.fields";
    public static final String LIMIT_OPERATIONS = "limits.operations";
    public static final String MODE = "dialogue.mode";
    public static final String IDLE_MS = "dialogue.idle.ms";
    public static final String MAX_ENTRIES = "dialogue.max.entries";
    public static final String BRANCHING = "csp.branching";
    public static final String PARKING_MAX = "csp.parking.max";
    public static final String PARKING_MS = "csp.parking.ms";
    public static final String PARKING_CONTEXT_MAX = "csp.parking.context.max";
    public static final String PARKING_CONTEXT_BYTES = "csp.parking.context.bytes";
    public static final String PARKING_TASK_MAX = "csp.parking.task.max";
    public static final String PARKING_TASK_BYTES = "csp.parking.task.bytes";
    public static final String TRAFFIC_GRACE_MS = "traffic.grace.ms";
    /** Time without records after which the clock closes the windows of the traffic counts. */
    public static final String TRAFFIC_PAUSE_MS = "traffic.pause.ms";

    public static final String TRAFFIC_MAX_KEYS = "traffic.keys.max";
    public static final String TRAFFIC_MAX_OPEN = "traffic.open.max";
    public static final String SEARCH_INDEX = "search.index";
    public static final String PARTITIONS = "topics.partitions";
    public static final String REPLICATION = "topics.replication.factor";
    public static final String RECORD_BYTES = "topics.max.record.bytes";
    public static final String STOP_MS = "stop.timeout.ms";

    private static final Pattern CREDENTIALS_IN_URL = Pattern.compile("//([^/@,]*)@");
    static final String VARIABLE_PREFIX = "PARLEY_";
    private static final int MESSAGE_FACTOR = 12;
    /** Bytes for a record's key and headers, which decoding limits. */
    private static final int RECORD_MARGIN_BYTES = 1 << 20;

    private static final long MIN_STATE_MEMORY = 8L << 20;

    private final TopicNames topics;
    private final Optional<InputPolicy> inputPolicy;

    private final Glosses glosses;

    private static void addTo(KeyDefinitions definitions) {
        definitions
                .key(PREFIX, TopicNames.DEFAULT.prefix(), Validators.topicPrefix())
                .doc("Prefix of the names of all topics of the deployment. Deployments with different prefixes share "
                        + "a Kafka cluster and a Schema Registry.")
                .text(APPLICATION_ID, Validators.applicationId())
                .doc("Application ID of the pipeline: the prefix of its consumer group, internal topics and "
                        + "transactions. The views use it with the suffix -views. Default: topics.prefix without its "
                        + "last character.")
                .list(BOOTSTRAP_SERVERS, "localhost:9092", Validators.hostsAndPorts())
                .doc("Kafka bootstrap brokers as host:port, separated by commas.")
                .key(REGISTRY_URL, "http://localhost:8081", Validators.httpUrls())
                .doc("URL of a Schema Registry with Confluent's REST API. Other schema.registry.* keys go to its "
                        + "client unchanged.")
                .key(STATE_DIR, "parley-data/state", new NonEmptyString())
                .doc("Directory of the local state stores.")
                .key(STATE_MEMORY, -1L, Validators.minusOneOrAtLeast(MIN_STATE_MEMORY))
                .doc("Memory outside the Java heap, in bytes, that all state stores of the instance share for block "
                        + "cache and write buffers. -1: an eighth of the memory of the machine or container, at most "
                        + "512 MiB.")
                .key(STATE_FREE_BYTES, 64L << 20, atLeast(0))
                .doc("Minimum free space, in bytes, on the disk of state.dir for parley run to start.")
                .list(ROLES, "pipeline,views", ValidList.in(false, "pipeline", "views"))
                .doc("Roles of this instance: the pipeline, which judges and records; the views, which the HTTP API "
                        + "reads; or both.")
                .key(THREADS, 1, between(1, 256))
                .doc("Stream threads of the pipeline.")
                .key(KEYED, false)
                .doc("Declares that every input record is keyed by its conversation ID, that producers partition by "
                        + "the murmur2 hash of the key, and that all input topics have the same number of partitions. "
                        + "Saves the repartition topic. A record with another key is a dead letter with "
                        + "KEY_NOT_CONVERSATION, one in another partition with KEY_MISPLACED. A deployment that has "
                        + "run cannot change it.")
                .key(INPUT_TIME, "broker", ValidString.in("broker", "producer"))
                .doc("Source of the record time that counts as evidence. broker: the input topics must have "
                        + "message.timestamp.type=LogAppendTime. producer: each agent chooses the time of its "
                        + "records, up to the present. Use it only for topics whose writers you trust with the time, "
                        + "such as replicas of another cluster's topics.")
                .text(INPUT_POLICY_FILE)
                .doc("File of the input policy: one JSON object per line and input topic, with the namespaces, "
                        + "senders and conversations that the topic may carry. Other messages are dead letters with "
                        + "INPUT_NOT_ALLOWED. Default: every input topic may carry everything.")
                .text(LAMBDA_VOCABULARY)
                .doc("File with words of Λ atoms for glosses, which adds to the core vocabulary: a line has an atom, a "
                        + "class, and words. Read at startup. Default: the core vocabulary of Λ v0.6 alone.")
                .key(PROFILE, "lenient", ValidString.in("lenient", "strict"))
                .doc("Decoding profile. lenient: format warnings are accepted. strict: every format warning is a "
                        + "decode error.")
                .key(LIMIT_BYTES, Limits.DEFAULT.messageBytes(), between(1, 16 << 20))
                .doc("Maximum bytes of a message.")
                .key(LIMIT_DEPTH, Limits.DEFAULT.depth(), between(1, 1_000))
                .doc("Maximum nesting depth of a message.")
                .key(LIMIT_FIELDS, Limits.DEFAULT.fields(), atLeast(1))
                .doc("Maximum slots or keys of a message.")
                .key(LIMIT_OPERATIONS, Limits.DEFAULT.operations(), atLeast(1))
                .doc("Maximum operations of a patch.")
                .key(MODE, "enforce", ValidString.in("enforce", "observe"))
                .doc("Treatment of violations. enforce: the message becomes a dead letter. observe: it is flagged and "
                        + "forwarded.")
                .key(IDLE_MS, DialogueSettings.DEFAULT.idleMillis(), atLeast(1))
                .doc("Milliseconds of record time without a message after which a dialogue or open task closes.")
                .key(MAX_ENTRIES, DialogueSettings.DEFAULT.maxEntries(), atLeast(1))
                .doc("Maximum tasks, lanes or definitions kept per conversation.")
                .key(BRANCHING, "warn", ValidString.in("warn", "reject"))
                .doc("Treatment of a second patch on one base. warn: applied with a warning. reject: rejected.")
                .key(PARKING_MAX, 100, atLeast(0))
                .doc("Maximum parked patches of one context that wait for the same base.")
                .key(PARKING_CONTEXT_MAX, 10_000, atLeast(0))
                .doc("Maximum number of parked patches of one context.")
                .key(PARKING_CONTEXT_BYTES, 16L << 20, atLeast(1 << 20))
                .doc("Maximum bytes of the parked patches of one context: keys, values, and headers. At least "
                        + "topics.max.record.bytes.")
                .key(PARKING_TASK_MAX, 100_000, atLeast(0))
                .doc("Maximum number of parked patches of one task (one partition of the conversations), across all "
                        + "contexts. At least csp.parking.context.max.")
                .key(PARKING_TASK_BYTES, 256L << 20, atLeast(1 << 20))
                .doc("Maximum bytes of the parked patches of one task, across all contexts. At least "
                        + "csp.parking.context.bytes.")
                .key(PARKING_MS, 3_600_000L, between(1, CheckedRecord.MAX_PARKED_MS))
                .doc("Milliseconds of record time that a parked patch waits for its base.")
                .key(TRAFFIC_GRACE_MS, 60_000L, atLeast(0))
                .doc("Milliseconds that a one-minute window of the traffic counts accepts late records.")
                .key(TRAFFIC_PAUSE_MS, 60_000L, atLeast(0))
                .doc("Milliseconds without records after which the windows of the traffic counts are also written if "
                        + "they are over by the clock.")
                .key(TRAFFIC_MAX_KEYS, 10_000, atLeast(1))
                .doc("Maximum number of rows of one analytics topic that a task counts separately in a minute; further "
                        + "messages are counted in rows with other=true.")
                .key(TRAFFIC_MAX_OPEN, 10_000, atLeast(0))
                .doc("Maximum number of open items that a task of the traffic counts tracks; beyond it, those of the "
                        + "least recently active conversation are dropped, and get no turnaround.")
                .key(SEARCH_INDEX, true)
                .doc(
                        "Maintains the search index of the views, for /v1/search. If not, an existing index is deleted. The "
                                + "same on all instances.")
                .key(PARTITIONS, 4, atLeast(1))
                .doc("Partitions of topics that Parley creates.")
                .key(REPLICATION, (short) -1, Validators.minusOneOrAtLeast(1))
                .doc("Replication factor of topics that Parley creates. -1: the brokers' default.")
                .key(RECORD_BYTES, 16 << 20, between(1 << 20, 256 << 20))
                .doc("Maximum record size, in bytes, of the input topics that Parley creates. Output topics take "
                        + "twice that, so that every input fits into a dead letter, and at least twelve times "
                        + "limits.message.bytes.")
                .key(STOP_MS, 25_000, between(1_000, 3_600_000))
                .doc("Maximum duration of a shutdown, in milliseconds. The supervisor, such as systemd or Kubernetes, "
                        + "must allow more.");
    }

    /** A configuration without the keys of a server, for the topology alone; otherwise like the other one. */
    public ParleyConfig(Map<String, ?> values) {
        this(List.of(), values);
    }

    /**
     * Creates a validated configuration.
     *
     * @param groups keys in addition to those of the topology
     * @param values values by key, as strings or typed
     * @throws ConfigException if a key is unknown or a value is not allowed; the message names both
     */
    public ParleyConfig(List<KeyGroup> groups, Map<String, ?> values) {
        super(definition(groups), checked(definition(groups).names(), values), false);
        requireAtLeast(PARKING_CONTEXT_BYTES, getLong(PARKING_CONTEXT_BYTES), RECORD_BYTES, getInt(RECORD_BYTES));
        requireAtLeast(
                PARKING_TASK_BYTES, getLong(PARKING_TASK_BYTES), PARKING_CONTEXT_BYTES, getLong(PARKING_CONTEXT_BYTES));
        requireAtLeast(PARKING_TASK_MAX, getInt(PARKING_TASK_MAX), PARKING_CONTEXT_MAX, getInt(PARKING_CONTEXT_MAX));
        topics = new TopicNames(getString(PREFIX));
        inputPolicy = Optional.ofNullable(getString(INPUT_POLICY_FILE))
                .map(file -> InputPolicyFile.read(Path.of(file), topics));
        glosses = Optional.ofNullable(getString(LAMBDA_VOCABULARY))
                .map(ParleyConfig::glosses)
                .orElse(Glosses.STANDARD);
        String origin = getString(AuditKeys.ORIGIN);
        if (origin != null && !LogNotes.isOrigin(origin)) {
            throw new ConfigException(
                    AuditKeys.ORIGIN,
                    origin,
                    "Value must be a URL without a scheme, such as example.com/parley/audit: at most 200 letters,"
                            + " digits and .-_~/:");
        }
        groups.forEach(group -> group.check(this));
    }

    @Override
    protected Map<String, Object> postProcessParsedConfig(Map<String, Object> parsed) {
        return parsed.get(APPLICATION_ID) != null
                ? Map.of()
                : Map.of(APPLICATION_ID, new TopicNames((String) parsed.get(PREFIX)).applicationId());
    }

    /** Requires that a value is not below that of another key. */
    public static void requireAtLeast(String key, long value, String other, long minimum) {
        if (value < minimum) {
            throw new ConfigException(key, value, "Value must be at least " + other + ", which is " + minimum);
        }
    }

    /** The definition of every key: those of the topology, then those of the groups. */
    public static ConfigDef definition(List<KeyGroup> groups) {
        KeyDefinitions definitions = new KeyDefinitions(new ConfigDef());
        addTo(definitions);
        RetentionKeys.addTo(definitions);
        ViewsKeys.addTo(definitions);
        AuditKeys.addTo(definitions);
        groups.forEach(group -> group.addTo(definitions));
        return definitions.definition();
    }

    /**
     * Merges the configuration sources. The command line overrides the environment, which overrides the file, which
     * overrides the defaults. An environment variable is PARLEY_ and the key in upper case, with an underscore for
     * every other character. In variables of the clients (PARLEY_KAFKA_…, PARLEY_SCHEMA_REGISTRY_…) every underscore is
     * a dot. Any other variable that starts with PARLEY_ is an error, except those that are not keys and those that
     * Kubernetes sets.
     *
     * @param groups keys in addition to those of the topology
     * @param commandLine values by key
     * @param environment variables by name
     * @param file values by key
     */
    public static ParleyConfig of(
            List<KeyGroup> groups,
            Map<String, String> commandLine,
            Map<String, String> environment,
            Map<String, String> file) {
        Set<String> keys = definition(groups).names();
        Map<String, String> values = new TreeMap<>(file);
        EnvironmentKeys.check(environment, keys);
        environment.forEach((variable, set) -> {
            if (variable.startsWith(VARIABLE_PREFIX + "KAFKA_")
                    || variable.startsWith(VARIABLE_PREFIX + "SCHEMA_REGISTRY_")) {
                values.put(
                        variable.substring(VARIABLE_PREFIX.length())
                                .toLowerCase(Locale.ROOT)
                                .replace('_', '.'),
                        set);
            }
        });
        for (String key : keys) {
            String set = environment.get(variable(key));
            if (set != null) {
                values.put(key, set);
            }
        }
        values.putAll(commandLine);
        return new ParleyConfig(groups, values);
    }

    public static String variable(String key) {
        return VARIABLE_PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    public DecodeOptions decodeOptions() {
        Limits limits =
                new Limits(getInt(LIMIT_BYTES), getInt(LIMIT_DEPTH), getInt(LIMIT_FIELDS), getInt(LIMIT_OPERATIONS));
        return new DecodeOptions(Profile.valueOf(getString(PROFILE).toUpperCase(Locale.ROOT)), limits);
    }

    public DialogueSettings dialogueSettings() {
        DialogueSettings.Mode mode =
                DialogueSettings.Mode.valueOf(getString(MODE).toUpperCase(Locale.ROOT));
        return new DialogueSettings(mode, getLong(IDLE_MS), getInt(MAX_ENTRIES));
    }

    /** Whether the producer's timestamp counts as the time of its record. */
    public boolean trustsProducerTime() {
        return getString(INPUT_TIME).equals("producer");
    }

    /** The names of the deployment's topics. */
    public TopicNames topics() {
        return topics;
    }

    /** The input policy in {@link #INPUT_POLICY_FILE}; empty without that file. */
    public Optional<InputPolicy> inputPolicy() {
        return inputPolicy;
    }

    /** The glosses of messages, with the vocabulary in {@link #LAMBDA_VOCABULARY}. */
    public Glosses glosses() {
        return glosses;
    }

    private static Glosses glosses(String file) {
        try {
            return Glosses.with(LambdaVocabulary.CORE.with(Path.of(file)));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(LAMBDA_VOCABULARY + ": " + e.getMessage());
        } catch (IOException e) {
            throw new ConfigException(LAMBDA_VOCABULARY + ": " + file + ": cannot be read: " + FileErrors.reason(e));
        }
    }

    /** Whether this instance runs a role: pipeline or views. */
    public boolean hasRole(String role) {
        return getList(ROLES).contains(role);
    }

    public Map<String, Object> kafkaClientSettings() {
        return originalsWithPrefix(KAFKA_PREFIX);
    }

    /**
     * The settings for the Schema Registry client, including its URL. Credentials in the URL become settings of their
     * own, because the client logs the URL.
     */
    public Map<String, Object> registrySettings() {
        Map<String, Object> settings = new HashMap<>(originalsWithPrefix(REGISTRY_PREFIX, false));
        settings.put(REGISTRY_URL, shownRegistryUrl());
        Matcher credentials = CREDENTIALS_IN_URL.matcher(getString(REGISTRY_URL));
        if (credentials.find()) {
            settings.putIfAbsent(REGISTRY_PREFIX + "basic.auth.credentials.source", "USER_INFO");
            settings.putIfAbsent(
                    REGISTRY_PREFIX + "basic.auth.user.info",
                    URLDecoder.decode(credentials.group(1).replace("+", "%2B"), StandardCharsets.UTF_8));
        }
        return settings;
    }

    /**
     * The settings for the serdes of a writing instance: {@link #registrySettings()} and the maximum value size of an
     * output record.
     */
    public Map<String, Object> serdeSettings() {
        Map<String, Object> settings = new HashMap<>(registrySettings());
        settings.putIfAbsent(REGISTRY_PREFIX + AvroSerdes.MAX_VALUE_BYTES, outputRecordBytes() - RECORD_MARGIN_BYTES);
        return settings;
    }

    /** The registry URL without credentials, for logs and messages. */
    public String shownRegistryUrl() {
        return CREDENTIALS_IN_URL.matcher(getString(REGISTRY_URL)).replaceAll("//");
    }

    /**
     * Maximum bytes of a record of an output topic. An output record must hold every input as a dead letter, with
     * headers, and every message in an audit record, both raw and decoded. The two forms take at most eight times the
     * message's bytes; the worst case is Λ statements of empty brackets (WorstCaseSizesTest). Identifiers, keys,
     * headers and details have limits of their own.
     */
    public int outputRecordBytes() {
        return Math.max(2 * getInt(RECORD_BYTES), MESSAGE_FACTOR * getInt(LIMIT_BYTES));
    }

    private static Map<String, ?> checked(Set<String> known, Map<String, ?> values) {
        for (String key : values.keySet()) {
            if (!known.contains(key) && !key.startsWith(KAFKA_PREFIX) && !key.startsWith(REGISTRY_PREFIX)) {
                throw new ConfigException("Unknown configuration key " + key + "; "
                        + NearestNames.suggestion(key, known)
                                .map(near -> "did you mean " + near + "? ")
                                .orElse("")
                        + "docs/configuration.md lists the keys; kafka.* and schema.registry.* go to"
                        + " the clients");
            }
        }
        return values;
    }
}
