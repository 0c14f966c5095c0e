package dev.parley.config;

import dev.parley.avro.Profile;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.gloss.LambdaVocabulary;
import dev.parley.protocol.Glosses;
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
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;

/**
 * Parley's typed and validated configuration. Keys that start with {@code kafka.} go to the Kafka clients without that
 * prefix; keys that start with {@code schema.registry.} go to the Schema Registry client unchanged.
 */
public final class ParleyConfig extends AbstractConfig {
    /** Prefix of the settings for the Kafka clients. */
    public static final String KAFKA_PREFIX = "kafka.";

    /** Prefix of the settings for the Schema Registry client. */
    public static final String REGISTRY_PREFIX = "schema.registry.";

    /** {@value}. */
    public static final String APPLICATION_ID = "application.id";
    /** {@value}. */
    public static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
    /** {@value}. */
    public static final String REGISTRY_URL = "schema.registry.url";
    /** {@value}. */
    public static final String STATE_DIR = "state.dir";
    /** {@value}. */
    public static final String STATE_MEMORY = "state.memory.bytes";
    /** {@value}. */
    public static final String STATE_FREE_BYTES = "state.free.min.bytes";
    /** {@value}. */
    public static final String ROLES = "roles";
    /** {@value}. */
    public static final String THREADS = "pipeline.threads";
    /** {@value}. */
    public static final String KEYED = "input.keyed-by-conversation";
    /** Source of the record time that counts as evidence. */
    public static final String INPUT_TIME = "input.time";
    /** {@value}. */
    public static final String INPUT_POLICY_FILE = "input.policy.file";
    /** {@value}. */
    public static final String LAMBDA_VOCABULARY = "gloss.lambda.vocabulary";
    /** {@value}. */
    public static final String PROFILE = "decode.profile";
    /** {@value}. */
    public static final String LIMIT_BYTES = "limits.message.bytes";
    /** {@value}. */
    public static final String LIMIT_DEPTH = "limits.depth";
    /** {@value}. */
    public static final String LIMIT_FIELDS = "limits.fields";
    /** {@value}. */
    public static final String LIMIT_OPERATIONS = "limits.operations";
    /** {@value}. */
    public static final String MODE = "dialogue.mode";
    /** {@value}. */
    public static final String IDLE_MS = "dialogue.idle.ms";
    /** {@value}. */
    public static final String MAX_ENTRIES = "dialogue.max.entries";
    /** {@value}. */
    public static final String BRANCHING = "csp.branching";
    /** {@value}. */
    public static final String PARKING_MAX = "csp.parking.max";
    /** {@value}. */
    public static final String PARKING_MS = "csp.parking.ms";
    /** {@value}. */
    public static final String PARKING_CONTEXT_MAX = "csp.parking.context.max";
    /** {@value}. */
    public static final String PARKING_CONTEXT_BYTES = "csp.parking.context.bytes";
    /** {@value}. */
    public static final String PARKING_TASK_MAX = "csp.parking.task.max";
    /** {@value}. */
    public static final String PARKING_TASK_BYTES = "csp.parking.task.bytes";
    /** {@value}. */
    public static final String TRAFFIC_GRACE_MS = "traffic.grace.ms";
    /** {@value}. */
    public static final String PARTITIONS = "topics.partitions";
    /** {@value}. */
    public static final String REPLICATION = "topics.replication.factor";
    /** {@value}. */
    public static final String RECORD_BYTES = "topics.max.record.bytes";
    /** {@value}. */
    public static final String STOP_MS = "stop.timeout.ms";
    /** {@value}. */
    public static final String STOP_NOTICE_MS = "stop.notice.ms";
    /** {@value}. */
    public static final String HTTP_HOST = "http.host";
    /** {@value}. */
    public static final String HTTP_PORT = "http.port";

    private static final Pattern CREDENTIALS_IN_URL = Pattern.compile("//([^/@,]*)@");
    private static final String VARIABLE_PREFIX = "PARLEY_";
    private static final int MESSAGE_FACTOR = 12;
    /** Bytes for a record's key and headers, which decoding limits. */
    private static final int RECORD_MARGIN_BYTES = 1 << 20;

    private static final long MIN_STATE_MEMORY = 8L << 20;

    private static final ConfigDef DEFINITION = new ConfigDef()
            .define(
                    APPLICATION_ID,
                    Type.STRING,
                    "parley",
                    nonEmpty(),
                    Importance.HIGH,
                    "Application ID of the pipeline: the prefix of its consumer group, internal topics and "
                            + "transactions. The views use it with the suffix -views.")
            .define(
                    BOOTSTRAP_SERVERS,
                    Type.LIST,
                    "localhost:9092",
                    ConfigDef.ValidList.anyNonDuplicateValues(false, false),
                    Importance.HIGH,
                    "Kafka bootstrap brokers as host:port, separated by commas.")
            .define(
                    REGISTRY_URL,
                    Type.STRING,
                    "http://localhost:8081",
                    nonEmpty(),
                    Importance.HIGH,
                    "URL of a Schema Registry with Confluent's REST API. Other schema.registry.* keys go to its "
                            + "client unchanged.")
            .define(
                    STATE_DIR,
                    Type.STRING,
                    "parley-data/state",
                    nonEmpty(),
                    Importance.HIGH,
                    "Directory of the local state stores.")
            .define(
                    STATE_MEMORY,
                    Type.LONG,
                    -1L,
                    stateMemory(),
                    Importance.MEDIUM,
                    "Memory outside the Java heap, in bytes, that all state stores of the instance share for block "
                            + "cache and write buffers. -1: an eighth of the memory of the machine or container, at "
                            + "most 128 MiB.")
            .define(
                    STATE_FREE_BYTES,
                    Type.LONG,
                    64L << 20,
                    Range.atLeast(0),
                    Importance.LOW,
                    "Minimum free space, in bytes, on the disk of state.dir for parley run to start.")
            .define(
                    ROLES,
                    Type.LIST,
                    "pipeline,views",
                    ConfigDef.ValidList.in(false, "pipeline", "views"),
                    Importance.MEDIUM,
                    "Roles of this instance: the pipeline, which judges and records; the views, which the HTTP API "
                            + "reads; or both.")
            .define(THREADS, Type.INT, 1, Range.between(1, 256), Importance.MEDIUM, "Stream threads of the pipeline.")
            .define(
                    KEYED,
                    Type.BOOLEAN,
                    false,
                    Importance.MEDIUM,
                    "Declares that every input record is keyed by its conversation and that all input topics have the "
                            + "same number of partitions. Saves the repartition topic. A record with another key is a "
                            + "dead letter with KEY_NOT_CONVERSATION.")
            .define(
                    INPUT_TIME,
                    Type.STRING,
                    "broker",
                    ValidString.in("broker", "producer"),
                    Importance.MEDIUM,
                    "Source of the record time that counts as evidence. broker: the input topics must have "
                            + "message.timestamp.type=LogAppendTime. producer: each agent chooses the time of its "
                            + "records, up to the present. Use it only for topics whose writers you trust with the "
                            + "time, such as replicas of another cluster's topics.")
            .define(
                    INPUT_POLICY_FILE,
                    Type.STRING,
                    null,
                    Importance.MEDIUM,
                    "File of the input policy: one JSON object per line and input topic, with the namespaces, senders "
                            + "and conversations that the topic may carry. Other messages are dead letters with "
                            + "INPUT_NOT_ALLOWED. Default: every input topic may carry everything.")
            .define(
                    LAMBDA_VOCABULARY,
                    Type.STRING,
                    null,
                    Importance.LOW,
                    "File with words of Λ atoms for glosses, which adds to the core vocabulary: a line has an atom, a "
                            + "class, and words. Read at startup. Default: the core vocabulary of Λ v0.6 alone.")
            .define(
                    PROFILE,
                    Type.STRING,
                    "lenient",
                    ValidString.in("lenient", "strict"),
                    Importance.MEDIUM,
                    "Decoding profile. lenient: format warnings are accepted. strict: every format warning is a "
                            + "decode error.")
            .define(
                    LIMIT_BYTES,
                    Type.INT,
                    Limits.DEFAULT.messageBytes(),
                    Range.between(1, 16 << 20),
                    Importance.MEDIUM,
                    "Maximum bytes of a message.")
            .define(
                    LIMIT_DEPTH,
                    Type.INT,
                    Limits.DEFAULT.depth(),
                    Range.between(1, 1_000),
                    Importance.LOW,
                    "Maximum nesting depth of a message.")
            .define(
                    LIMIT_FIELDS,
                    Type.INT,
                    Limits.DEFAULT.fields(),
                    Range.atLeast(1),
                    Importance.LOW,
                    "Maximum slots or keys of a message.")
            .define(
                    LIMIT_OPERATIONS,
                    Type.INT,
                    Limits.DEFAULT.operations(),
                    Range.atLeast(1),
                    Importance.LOW,
                    "Maximum operations of a patch.")
            .define(
                    MODE,
                    Type.STRING,
                    "enforce",
                    ValidString.in("enforce", "observe"),
                    Importance.HIGH,
                    "Treatment of violations. enforce: the message becomes a dead letter. observe: it is flagged and "
                            + "applied.")
            .define(
                    IDLE_MS,
                    Type.LONG,
                    DialogueSettings.DEFAULT.idleMillis(),
                    Range.atLeast(1),
                    Importance.MEDIUM,
                    "Milliseconds of record time without a message after which a dialogue or open task closes.")
            .define(
                    MAX_ENTRIES,
                    Type.INT,
                    DialogueSettings.DEFAULT.maxEntries(),
                    Range.atLeast(1),
                    Importance.LOW,
                    "Maximum tasks, lanes or definitions kept per conversation.")
            .define(
                    BRANCHING,
                    Type.STRING,
                    "warn",
                    ValidString.in("warn", "reject"),
                    Importance.MEDIUM,
                    "Treatment of a second patch on one base. warn: applied with a warning. reject: rejected.")
            .define(
                    PARKING_MAX,
                    Type.INT,
                    100,
                    Range.atLeast(0),
                    Importance.MEDIUM,
                    "Maximum parked patches of one context that wait for the same base.")
            .define(
                    PARKING_CONTEXT_MAX,
                    Type.INT,
                    10_000,
                    Range.atLeast(0),
                    Importance.LOW,
                    "Maximum number of parked patches of one context.")
            .define(
                    PARKING_CONTEXT_BYTES,
                    Type.LONG,
                    16L << 20,
                    Range.atLeast(1 << 20),
                    Importance.LOW,
                    "Maximum bytes of the parked patches of one context: keys, values, and headers. At least"
                            + " topics.max.record.bytes.")
            .define(
                    PARKING_TASK_MAX,
                    Type.INT,
                    100_000,
                    Range.atLeast(0),
                    Importance.LOW,
                    "Maximum number of parked patches of one task (one partition of the conversations), across all "
                            + "contexts. At least csp.parking.context.max.")
            .define(
                    PARKING_TASK_BYTES,
                    Type.LONG,
                    256L << 20,
                    Range.atLeast(1 << 20),
                    Importance.LOW,
                    "Maximum bytes of the parked patches of one task, across all contexts. At least "
                            + "csp.parking.context.bytes.")
            .define(
                    PARKING_MS,
                    Type.LONG,
                    3_600_000L,
                    Range.atLeast(1),
                    Importance.MEDIUM,
                    "Milliseconds of record time that a parked patch waits for its base.")
            .define(
                    TRAFFIC_GRACE_MS,
                    Type.LONG,
                    60_000L,
                    Range.atLeast(0),
                    Importance.LOW,
                    "Milliseconds that a one-minute window of the traffic counts accepts late records.")
            .define(
                    PARTITIONS,
                    Type.INT,
                    4,
                    Range.atLeast(1),
                    Importance.MEDIUM,
                    "Partitions of topics that Parley creates.")
            .define(
                    REPLICATION,
                    Type.SHORT,
                    (short) -1,
                    replicationFactor(),
                    Importance.MEDIUM,
                    "Replication factor of topics that Parley creates. -1: the brokers' default.")
            .define(
                    RECORD_BYTES,
                    Type.INT,
                    16 << 20,
                    Range.between(1 << 20, 256 << 20),
                    Importance.LOW,
                    "Maximum record size, in bytes, of the input topics that Parley creates. Output topics take twice "
                            + "that, so that every input fits into a dead letter, and at least twelve times "
                            + "limits.message.bytes.")
            .define(
                    STOP_MS,
                    Type.INT,
                    25_000,
                    Range.between(1_000, 3_600_000),
                    Importance.MEDIUM,
                    "Maximum duration of a shutdown, in milliseconds. The supervisor, such as systemd or Kubernetes, "
                            + "must allow more.")
            .define(
                    STOP_NOTICE_MS,
                    Type.INT,
                    2_000,
                    Range.atLeast(0),
                    Importance.LOW,
                    "Time, in milliseconds, that the HTTP API keeps serving after a shutdown has started. "
                            + "/health/ready returns 503 meanwhile, so that load balancers stop routing to the "
                            + "instance. Part of stop.timeout.ms.")
            .define(
                    HTTP_HOST,
                    Type.STRING,
                    "127.0.0.1",
                    nonEmpty(),
                    Importance.MEDIUM,
                    "Address that the HTTP API listens on. Beyond loopback it requires tokens or http.auth.none.")
            .define(
                    HTTP_PORT,
                    Type.INT,
                    8080,
                    Range.between(0, 65_535),
                    Importance.MEDIUM,
                    "Port that the HTTP API listens on. 0: any free port.");

    static {
        RetentionKeys.addTo(DEFINITION);
        HttpKeys.addTo(DEFINITION);
        ClusterKeys.addTo(DEFINITION);
        AuditKeys.addTo(DEFINITION);
        HealthKeys.addTo(DEFINITION);
    }

    private final Optional<InputPolicy> inputPolicy;

    private final Glosses glosses;

    /**
     * Creates a validated configuration.
     *
     * @param values values by key, as strings or typed
     * @throws ConfigException if a key is unknown or a value is not allowed; the message names both
     */
    public ParleyConfig(Map<String, ?> values) {
        super(DEFINITION, checked(values), false);
        requireAtLeast(PARKING_CONTEXT_BYTES, getLong(PARKING_CONTEXT_BYTES), RECORD_BYTES, getInt(RECORD_BYTES));
        requireAtLeast(
                PARKING_TASK_BYTES, getLong(PARKING_TASK_BYTES), PARKING_CONTEXT_BYTES, getLong(PARKING_CONTEXT_BYTES));
        requireAtLeast(PARKING_TASK_MAX, getInt(PARKING_TASK_MAX), PARKING_CONTEXT_MAX, getInt(PARKING_CONTEXT_MAX));
        inputPolicy =
                Optional.ofNullable(getString(INPUT_POLICY_FILE)).map(file -> InputPolicyFile.read(Path.of(file)));
        glosses = Optional.ofNullable(getString(LAMBDA_VOCABULARY))
                .map(ParleyConfig::glosses)
                .orElse(Glosses.STANDARD);
    }

    private static void requireAtLeast(String key, long value, String other, long minimum) {
        if (value < minimum) {
            throw new ConfigException(key, value, "Value must be at least " + other + ", which is " + minimum);
        }
    }

    /** The definition of every key, for the documentation. */
    public static ConfigDef definition() {
        return new ConfigDef(DEFINITION);
    }

    /**
     * Merges the configuration sources. The command line overrides the environment, which overrides the file, which
     * overrides the defaults. An environment variable is PARLEY_ and the key in upper case, with an underscore for
     * every other character. In variables of the clients (PARLEY_KAFKA_…, PARLEY_SCHEMA_REGISTRY_…) every underscore is
     * a dot.
     *
     * @param commandLine values by key
     * @param environment variables by name
     * @param file values by key
     */
    public static ParleyConfig of(
            Map<String, String> commandLine, Map<String, String> environment, Map<String, String> file) {
        Map<String, String> values = new TreeMap<>(file);
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
        for (String key : DEFINITION.names()) {
            String set = environment.get(variable(key));
            if (set != null) {
                values.put(key, set);
            }
        }
        values.putAll(commandLine);
        return new ParleyConfig(values);
    }

    /** The environment variable of a key. */
    public static String variable(String key) {
        return VARIABLE_PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /** Options of the message decoders. */
    public DecodeOptions decodeOptions() {
        Limits limits =
                new Limits(getInt(LIMIT_BYTES), getInt(LIMIT_DEPTH), getInt(LIMIT_FIELDS), getInt(LIMIT_OPERATIONS));
        return new DecodeOptions(Profile.valueOf(getString(PROFILE).toUpperCase(Locale.ROOT)), limits);
    }

    /** Settings of the dialogue rules. */
    public DialogueSettings dialogueSettings() {
        DialogueSettings.Mode mode =
                DialogueSettings.Mode.valueOf(getString(MODE).toUpperCase(Locale.ROOT));
        return new DialogueSettings(mode, getLong(IDLE_MS), getInt(MAX_ENTRIES));
    }

    /** Whether the producer's timestamp counts as the time of its record. */
    public boolean trustsProducerTime() {
        return getString(INPUT_TIME).equals("producer");
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
            throw new ConfigException(LAMBDA_VOCABULARY + ": " + file + ": cannot be read: " + e);
        }
    }

    /** Whether this instance runs a role: pipeline or views. */
    public boolean hasRole(String role) {
        return getList(ROLES).contains(role);
    }

    /** The settings for the Kafka clients. */
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

    private static Map<String, ?> checked(Map<String, ?> values) {
        Set<String> known = DEFINITION.names();
        for (String key : values.keySet()) {
            if (!known.contains(key) && !key.startsWith(KAFKA_PREFIX) && !key.startsWith(REGISTRY_PREFIX)) {
                throw new ConfigException("Unknown configuration key " + key + "; must be one of "
                        + String.join(", ", List.copyOf(new java.util.TreeSet<>(known)))
                        + ", kafka.* and schema.registry.*");
            }
        }
        return values;
    }

    private static ConfigDef.Validator nonEmpty() {
        return new ConfigDef.NonEmptyString();
    }

    private static ConfigDef.Validator stateMemory() {
        String allowed = "-1 or at least " + MIN_STATE_MEMORY;
        return ConfigDef.LambdaValidator.with(
                (name, value) -> {
                    long bytes = (Long) value;
                    if (bytes != -1 && bytes < MIN_STATE_MEMORY) {
                        throw new ConfigException(name, value, "Value must be " + allowed);
                    }
                },
                () -> allowed);
    }

    private static ConfigDef.Validator replicationFactor() {
        String allowed = "-1 or at least 1";
        return ConfigDef.LambdaValidator.with(
                (name, value) -> {
                    short factor = (Short) value;
                    if (factor != -1 && factor < 1) {
                        throw new ConfigException(name, value, "Value must be " + allowed);
                    }
                },
                () -> allowed);
    }
}
