package dev.parley.cli.environment;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.model.HostConfig;
import dev.parley.cli.api.ApiClient;
import dev.parley.server.http.HttpKeys;
import dev.parley.topology.config.ParleyConfig;
import java.net.URI;
import java.time.Duration;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** Parley's image, run as docs/install.md says; started when it is ready. */
public final class ParleyContainer extends GenericContainer<ParleyContainer> {
    private static final int PORT = 8080;

    public ParleyContainer(DockerImageName image) {
        super(image);
        withEnv(ParleyConfig.variable(HttpKeys.HOST), "0.0.0.0");
        withEnv(ParleyConfig.variable(HttpKeys.AUTH_NONE), "true");
        withExposedPorts(PORT);
        waitingFor(Wait.forHttp("/health/ready").forPort(PORT).withStartupTimeout(Duration.ofMinutes(2)));
    }

    /** Lets it have so much memory, and no swap. */
    public ParleyContainer withMemory(long bytes) {
        return withCreateContainerCmdModifier(create -> {
            HostConfig host = create.getHostConfig();
            create.withHostConfig(host.withMemory(bytes).withMemorySwap(bytes));
        });
    }

    /** As it is now: a container that was stopped and started again is published on another port. */
    @Override
    public InspectContainerResponse getContainerInfo() {
        return getContainerId() == null ? null : getCurrentContainerInfo();
    }

    /** Its HTTP API. */
    public ApiClient api() {
        return new ApiClient(URI.create("http://" + getHost() + ':' + getMappedPort(PORT)));
    }

    /** Stops it as {@code docker stop} does, and says how it ended. */
    public InspectContainerResponse.ContainerState stopAsDockerDoes(Duration patience) {
        getDockerClient()
                .stopContainerCmd(getContainerId())
                .withTimeout((int) patience.toSeconds())
                .exec();
        return state();
    }

    /** Starts it again as it is, state directory and all, and waits until it is ready. */
    public void startAgain() {
        getDockerClient().startContainerCmd(getContainerId()).exec();
        waitUntilContainerStarted();
    }

    public InspectContainerResponse.ContainerState state() {
        return getCurrentContainerInfo().getState();
    }

    /** The result of the image's health check. */
    public String health() {
        return state().getHealth().getStatus();
    }
}
