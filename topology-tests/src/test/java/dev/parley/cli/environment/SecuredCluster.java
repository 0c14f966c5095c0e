package dev.parley.cli.environment;

import static org.awaitility.Awaitility.await;

import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.server.ServerConfig;
import dev.parley.server.deployment.RequiredAcl;
import dev.parley.topology.config.ParleyConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.ResourcePattern;

/**
 * A broker with TLS, SASL (SCRAM; PLAIN for the administrator; OAUTHBEARER with an issuer) and an authorizer that
 * denies everything without an ACL.
 */
public final class SecuredCluster implements AutoCloseable {
    private static final String ADMIN = "admin";
    private static final String ADMIN_PASSWORD = "admin-secret";
    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final int ITERATIONS = 4096;
    private static final String SECURITY = "org.apache.kafka.common.security.";

    private final EmbeddedKafka kafka;
    private final Certificates certificates;
    private final Admin admin;

    private SecuredCluster(EmbeddedKafka kafka, Certificates certificates) {
        this.kafka = kafka;
        this.certificates = certificates;
        this.admin = Admin.create(strip(settings(
                "PLAIN",
                SECURITY + "plain.PlainLoginModule required username=\"" + ADMIN + "\" password=\"" + ADMIN_PASSWORD
                        + "\";")));
    }

    public static SecuredCluster start(Path directory) {
        return start(directory, Map.of());
    }

    /**
     * Starts it.
     *
     * @param more broker settings
     */
    public static SecuredCluster start(Path directory, Map<String, String> more) {
        Certificates certificates = Certificates.make(directory, "broker");
        Map<String, String> broker = new HashMap<>();
        // The embedded broker calls its listener PLAINTEXT; the name says nothing of what it speaks.
        broker.put("listener.security.protocol.map", "PLAINTEXT:SASL_SSL,CONTROLLER:PLAINTEXT");
        broker.put("inter.broker.listener.name", "PLAINTEXT");
        broker.put("sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-512");
        broker.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
        broker.put(
                "listener.name.plaintext.plain.sasl.jaas.config",
                SECURITY + "plain.PlainLoginModule required username=\"" + ADMIN + "\" password=\"" + ADMIN_PASSWORD
                        + "\" user_" + ADMIN + "=\"" + ADMIN_PASSWORD + "\";");
        broker.put(
                "listener.name.plaintext.scram-sha-512.sasl.jaas.config",
                SECURITY + "scram.ScramLoginModule required;");
        broker.put("ssl.keystore.type", "PKCS12");
        broker.put("ssl.keystore.location", certificates.keys().toString());
        broker.put("ssl.keystore.password", Certificates.PASSWORD);
        broker.put("ssl.key.password", Certificates.PASSWORD);
        broker.put("ssl.truststore.type", "PEM");
        broker.put("ssl.truststore.location", certificates.certificate().toString());
        broker.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        // The controllers' own listener does not authenticate.
        broker.put("super.users", "User:" + ADMIN + ";User:ANONYMOUS");
        broker.putAll(more);
        EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(directory.resolve("kafka"))
                .withMaxMessageBytes(ServerConfig.of(Map.of()).outputRecordBytes())
                .withOverrides(broker));
        return new SecuredCluster(kafka, certificates);
    }

    public Admin admin() {
        return admin;
    }

    public String brokers() {
        return kafka.bootstrapServers();
    }

    /** Makes a user with SCRAM credentials, and waits until the broker knows them. */
    public void addUser(String name, String password) throws Exception {
        admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                        name, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, ITERATIONS), password)))
                .all()
                .get();
        await().atMost(TIMEOUT).ignoreExceptions().until(() -> {
            try (Admin user = Admin.create(strip(scram(name, password)))) {
                return user.describeCluster().clusterId().get() != null;
            }
        });
    }

    public void allow(String user, Collection<RequiredAcl> needs) throws Exception {
        admin.createAcls(bindings(user, needs)).all().get();
    }

    public void forbid(AclBinding binding) throws Exception {
        AclBindingFilter filter = binding.toFilter();
        admin.deleteAcls(List.of(filter)).all().get();
    }

    public static List<AclBinding> bindings(String user, Collection<RequiredAcl> needs) {
        return needs.stream()
                .flatMap(need -> need.operations().stream()
                        .map(operation -> new AclBinding(
                                new ResourcePattern(need.type(), need.name(), need.pattern()),
                                new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW))))
                .toList();
    }

    /** What a SCRAM user writes into Parley's configuration. */
    public Map<String, String> scram(String user, String password) {
        return settings(
                "SCRAM-SHA-512",
                SECURITY + "scram.ScramLoginModule required username=\"" + user + "\" password=\"" + password + "\";");
    }

    /** What a client writes into Parley's configuration. */
    public Map<String, String> settings(String mechanism, String jaas) {
        return Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "kafka.security.protocol",
                "SASL_SSL",
                "kafka.sasl.mechanism",
                mechanism,
                "kafka.sasl.jaas.config",
                jaas,
                "kafka.ssl.truststore.type",
                "PEM",
                "kafka.ssl.truststore.location",
                certificates.certificate().toString());
    }

    /** The same for a Kafka client. */
    public static Map<String, Object> strip(Map<String, String> settings) {
        Map<String, Object> client = new HashMap<>();
        settings.forEach((key, value) -> client.put(
                key.startsWith(ParleyConfig.KAFKA_PREFIX) ? key.substring(ParleyConfig.KAFKA_PREFIX.length()) : key,
                value));
        return client;
    }

    @Override
    public void close() {
        admin.close();
        kafka.close();
    }
}
