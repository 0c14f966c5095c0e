package dev.parley.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley demo}: everything in one process, with sample traffic. */
@Command(
        name = "demo",
        description =
                "Runs everything in one process on a real Kafka broker, feeds the sample traffic and shows what became"
                        + " of it.",
        footer = {
            "",
            "Broker, Schema Registry endpoint, pipeline and HTTP API stay up until Ctrl-C, for other programs to read"
                    + " and ask.",
            "With --data a later start finds everything where it was; sample messages that are in the topics already"
                    + " are not sent again.",
            "It needs a checkout of the source: the container image has no broker.",
            "Exit status: 0; 1 when the accounting does not balance or something did not start.",
            "",
            "Example:",
            "  parley demo --exit"
        })
final class DemoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--exit", description = "Leaves after the report instead of staying up.")
    private boolean exit;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "Port of the HTTP API. Without it, 8080 if that is free, else any free port.")
    private Integer port;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Keeps everything in this directory. Without it, a temporary one that is removed at the end.")
    private Path data;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Optional<Demo> demo = ServiceLoader.load(Demo.class).findFirst();
        if (demo.isEmpty()) {
            spec.commandLine()
                    .getErr()
                    .println("parley demo: the demo is not part of this installation, because it starts a Kafka broker."
                            + " Run ./parley demo in a checkout of the source, or start a local cluster with"
                            + " docker-compose.yml.");
            return 1;
        }
        Demo.Options options = new Demo.Options(
                exit, port == null ? OptionalInt.empty() : OptionalInt.of(port), Optional.ofNullable(data));
        return demo.get()
                .run(options, spec.commandLine().getOut(), spec.commandLine().getErr());
    }
}
