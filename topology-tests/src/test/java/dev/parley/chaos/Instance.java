package dev.parley.chaos;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** A Parley instance in a container with its own state directory. */
final class Instance {
    private static final String VOLUME = "/var/lib/parley";
    private static final String SMALL_DISK = "/small";
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final String name;
    private final String roles;
    private final Cluster cluster;
    private final String mount;
    private String image;

    private Instance(String name, String roles, Cluster cluster, String image, String mount) {
        this.name = name;
        this.roles = roles;
        this.cluster = cluster;
        this.image = image;
        this.mount = mount;
    }

    /** One that keeps its state on a volume, through kills and new versions. */
    static Instance onVolume(String name, String roles, Cluster cluster, String image) {
        return new Instance(name, roles, cluster, image, "type=volume,source=" + name + ",target=" + VOLUME);
    }

    /** One on a file system so small that it can be filled. What is on it goes with the container. */
    static Instance onSmallDisk(String name, String roles, Cluster cluster, String image, int mebibytes) {
        return new Instance(
                name,
                roles,
                cluster,
                image,
                "type=tmpfs,target=" + SMALL_DISK + ",tmpfs-size=" + mebibytes + "m,tmpfs-mode=1777");
    }

    String name() {
        return name;
    }

    String image() {
        return image;
    }

    boolean hasVolume() {
        return mount.startsWith("type=volume");
    }

    boolean hasViews() {
        return roles.contains("views");
    }

    /** Makes its container and starts it. */
    void run() {
        if (hasVolume()) {
            Docker.run("volume", "create", "--label", Docker.LABEL, name);
        }
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("PARLEY_BOOTSTRAP_SERVERS", cluster.bootstrapInside());
        settings.put("PARLEY_SCHEMA_REGISTRY_URL", cluster.registryInside());
        settings.put("PARLEY_ROLES", roles);
        settings.put("PARLEY_STATE_DIR", (hasVolume() ? VOLUME : SMALL_DISK) + "/state");
        settings.put("PARLEY_TOPICS_REPLICATION_FACTOR", "3");
        settings.put("PARLEY_TOPICS_MAX_RECORD_BYTES", Integer.toString(1 << 20));
        // A patch whose base never comes waits for as long as the suite runs.
        settings.put("PARLEY_CSP_PARKING_MS", Long.toString(Duration.ofDays(1).toMillis()));
        settings.put("PARLEY_KAFKA_SESSION_TIMEOUT_MS", "6000");
        settings.put("PARLEY_KAFKA_HEARTBEAT_INTERVAL_MS", "2000");
        settings.put("PARLEY_KAFKA_NUM_STANDBY_REPLICAS", "1");
        // The views are shared out, so the instances ask each other.
        settings.put("PARLEY_HTTP_HOST", "0.0.0.0");
        settings.put("PARLEY_HTTP_AUTH_NONE", "true");
        settings.put("PARLEY_HTTP_ADVERTISED", name + ":8080");
        settings.put("PARLEY_OPTS", "-Xmx384m");
        Docker.start(name, image, settings, "--mount", mount);
    }

    void kill() {
        Docker.run("kill", "--signal", "KILL", name);
    }

    /** Starts it again, as it was left. */
    void start() {
        Docker.run("start", name);
    }

    void pause() {
        Docker.pause(name);
    }

    void unpause() {
        Docker.run("unpause", name);
    }

    void cutOff() {
        Docker.run("network", "disconnect", Cluster.NETWORK, name);
    }

    void connect() {
        Docker.run("network", "connect", Cluster.NETWORK, name);
    }

    /** Fills its disk to the last byte. */
    void fillDisk() {
        Docker.Called filled = Docker.call("exec", name, "sh", "-c", "cat /dev/zero >" + SMALL_DISK + "/filler");
        if (filled.status() == 0) {
            throw new IllegalStateException("the disk of " + name + " has no end");
        }
    }

    void emptyDisk() {
        Docker.run("exec", name, "rm", SMALL_DISK + "/filler");
    }

    /** Removes container and state, and starts a new container without state. */
    void loseState() {
        Docker.run("rm", "--force", name);
        if (hasVolume()) {
            Docker.run("volume", "rm", name);
        }
        run();
    }

    /** Stops it in order, and starts another image on what it left. */
    void roll(String newImage) {
        Docker.run("stop", "--time", "90", name);
        Docker.run("rm", name);
        image = newImage;
        run();
    }

    String version() {
        return Docker.run("exec", name, "parley", "--version");
    }

    /** Returns when its HTTP API says that it is ready. */
    void awaitReady() {
        await().atMost(TIMEOUT)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> ask("/health/ready").contains(" 200 OK"));
    }

    /** The answer of its HTTP API, head and body; asked within the container. */
    String ask(String path) {
        return Docker.call(
                        "exec",
                        name,
                        "bash",
                        "-c",
                        "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET " + path
                                + " HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3")
                .output();
    }

    String log() {
        return Docker.call("logs", "--tail", "60", name).output();
    }
}
