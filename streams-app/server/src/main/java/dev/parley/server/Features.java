package dev.parley.server;

import dev.parley.server.accesslog.AccessLogFeature;
import dev.parley.server.deployment.AclRole;
import dev.parley.server.feature.Feature;
import dev.parley.server.ingest.IngestFeature;
import dev.parley.server.redaction.RedactionFeature;
import dev.parley.server.redrive.RedriveFeature;
import dev.parley.server.tail.TailFeature;
import dev.parley.server.witness.WitnessFeature;
import java.util.List;
import java.util.stream.Stream;

/** The features of the server. A new feature is registered here. */
public final class Features {

    /** All features, in the order in which they start. */
    public static final List<Feature> STANDARD = List.of(
            new RedriveFeature(),
            new IngestFeature(),
            new RedactionFeature(),
            new TailFeature(),
            new AccessLogFeature(),
            new WitnessFeature());

    private Features() {}

    /** The roles of broker clients: those of the applications, and those of the features. */
    public static List<AclRole> roles() {
        return Stream.concat(AclRole.STANDARD.stream(), STANDARD.stream().flatMap(feature -> feature.role().stream()))
                .toList();
    }
}
