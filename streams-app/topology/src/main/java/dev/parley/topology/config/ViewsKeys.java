package dev.parley.topology.config;

import static org.apache.kafka.common.config.ConfigDef.Range.between;

/** Keys of {@link ParleyConfig} for the Kafka Streams application of the views. */
public final class ViewsKeys {
    public static final String THREADS = "views.threads";
    public static final String STANDBYS = "views.standby.replicas";

    private ViewsKeys() {}

    static void addTo(KeyDefinitions definitions) {
        definitions
                .key(THREADS, 1, between(1, 256))
                .doc("Stream threads of the views.")
                .key(STANDBYS, 1, between(0, 16))
                .doc("Standby replicas of each views partition on other instances, if there are enough. They serve "
                        + "reads with stale=ok while the owner is unavailable, and take over without a full restore.");
    }
}
