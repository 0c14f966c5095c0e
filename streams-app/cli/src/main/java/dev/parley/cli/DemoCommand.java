package dev.parley.cli;

import dev.parley.cli.io.ConfigCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley demo}: everything in one process, with sample traffic. */
@Command(
        name = "demo",
        description = "Runs Parley with a Kafka broker in one process, sends sample traffic, and reports the results.",
        footer = {
            "",
            "Kafka broker, Schema Registry endpoint and HTTP API run until Ctrl-C, for your own traffic and requests.",
            "They listen on 127.0.0.1, on the ports 9092, 8081 and 8080 if these are free, else on any free ports. To"
                    + " choose other ports, set bootstrap.servers, schema.registry.url and http.port; port 0 is any"
                    + " free one.",
            "With --data a later start continues with the same data, and sends only the samples that are missing.",
            "Without audit.heads.key.files, it signs the audit log with a key pair of its own, in the files audit.key"
                    + " and audit.vkey of the data.",
            "The demo needs the archive or a checkout of the source; the container image has no broker.",
            "Exit status: 0; 1 if the demo did not start, the accounting does not balance, or export or proof do not"
                    + " verify; 130 after Ctrl-C.",
            "",
            "Examples:",
            "  parley demo --exit",
            "  parley demo --set bootstrap.servers=127.0.0.1:19092 --set http.port=18080"
        })
final class DemoCommand extends ConfigCommand {
    @Option(names = "--exit", description = "Exits after the report.")
    private boolean exit;

    @Option(
            names = "--token",
            description = "Requires tokens for the HTTP API and prints one with the role operator, to try redrive and"
                    + " redaction over HTTP.")
    private boolean token;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Keeps all data in this directory. Default: a temporary directory, deleted at the end.")
    private Path data;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Optional<Demo> demo = ServiceLoader.load(Demo.class).findFirst();
        if (demo.isEmpty()) {
            return failed("the demo is not part of this installation, because it starts a Kafka broker. Run bin/parley"
                    + " demo of the archive or ./parley demo in a checkout of the source, or start a local cluster with"
                    + " docker-compose.yml.");
        }
        Demo.Options options = new Demo.Options(settings(), exit, token, Optional.ofNullable(data));
        return demo.get().run(options, out(), err());
    }
}
