package dev.parley.cli.environment;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import java.util.concurrent.TimeUnit;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.utility.DockerImageName;

/** The images that the container tests run, named by system properties, which the profile {@code containers} sets. */
public final class Images {
    private static final int PULL_MINUTES = 10;

    private Images() {}

    /** A broker. */
    public static DockerImageName kafka() {
        return present("parley.image.kafka").asCompatibleSubstituteFor("apache/kafka");
    }

    /** A registry that speaks Confluent's REST API under {@link #registryPath}. */
    public static DockerImageName registry() {
        return present("parley.image.registry");
    }

    /** Where that registry has its API: nothing for Confluent's own. */
    public static String registryPath() {
        return System.getProperty("parley.registry.path", "");
    }

    /** Apicurio's registry. */
    public static DockerImageName apicurio() {
        return present("parley.image.apicurio");
    }

    /** Parley. */
    public static DockerImageName parley() {
        return present("parley.image.parley");
    }

    /**
     * The image of a property; pulls it once if the engine does not have it. Testcontainers would try for two minutes,
     * and then not say what to do.
     */
    private static DockerImageName present(String property) {
        String name = System.getProperty(property);
        if (name == null) {
            throw new IllegalStateException(
                    "system property " + property + " is not set; run the tests with mvn -Pcontainers");
        }
        DockerClient docker = DockerClientFactory.lazyClient();
        try {
            docker.inspectImageCmd(name).exec();
        } catch (NotFoundException missing) {
            pull(docker, name, property);
        }
        return DockerImageName.parse(name);
    }

    private static void pull(DockerClient docker, String name, String property) {
        String remedy = "no image " + name + " (" + property + "): pull it, name another one, or build "
                + "what can be had without an image registry with containers/build";
        try {
            if (!docker.pullImageCmd(name).start().awaitCompletion(PULL_MINUTES, TimeUnit.MINUTES)) {
                throw new IllegalStateException(remedy + "; pulling it took more than " + PULL_MINUTES + " minutes");
            }
        } catch (DockerException e) {
            throw new IllegalStateException(remedy + "; pulling it failed: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
