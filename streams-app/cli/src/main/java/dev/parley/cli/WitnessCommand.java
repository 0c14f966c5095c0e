package dev.parley.cli;

import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.ErrorMessages;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.UsageException;
import dev.parley.cli.io.VerifierKeys;
import dev.parley.log.KeyFiles;
import dev.parley.log.TrustedLogs;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.VerifierKey;
import dev.parley.log.tlog.Witness;
import dev.parley.log.tlog.WitnessState;
import dev.parley.server.http.BoundAddress;
import dev.parley.server.http.HostNames;
import dev.parley.server.http.HttpListener;
import dev.parley.server.http.WitnessServer;
import dev.parley.topology.lifecycle.StopSignals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley witness}: cosigns the heads of other deployments. */
@Command(
        name = "witness",
        description = "Cosigns the heads of audit logs that only grow, by HTTP, until it is stopped.",
        footer = {
            "",
            "Serves C2SP tlog-witness: POST /add-checkpoint and GET /ORIGIN_HASH/checkpoint. It compares each head with"
                    + " the last one of its log in --state, and prints two heads of one size with different roots.",
            "Never restore --state from a backup: the witness could cosign a second history.",
            "",
            "Examples:",
            "  parley keygen --out w1 --name witness.example/w1 --witness",
            "  parley witness --key w1.key --name witness.example/w1 --state w1 --log a.vkey"
        })
final class WitnessCommand extends BaseCommand {
    private static final int MAX_PORT = 65_535;

    @Option(
            names = "--key",
            required = true,
            paramLabel = "FILE",
            description = "Key pair of the witness, from parley keygen --witness. Use it for nothing else.")
    private Path keyFile;

    @Option(
            names = "--name",
            required = true,
            paramLabel = "NAME",
            description = "Name of the witness: a URL without scheme.")
    private String name;

    @Option(names = "--state", required = true, paramLabel = "DIR", description = "Directory of its state.")
    private Path directory;

    @Option(
            names = "--log",
            required = true,
            paramLabel = "KEY",
            description = "Verifier key of a deployment, or a file with one per line. Repeatable.")
    private List<String> logs;

    @Option(names = "--host", paramLabel = "HOST", description = "Address to listen on. Default: 127.0.0.1.")
    private String host = "127.0.0.1";

    @Option(names = "--port", paramLabel = "PORT", description = "Port; 0 for a free one. Default: 7080.")
    private int port = 7080;

    @Option(
            names = "--host-name",
            paramLabel = "NAME",
            description = "Further host name by which clients reach it, besides HOST and localhost. Repeatable.")
    private List<String> hostNames = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (port < 0 || port > MAX_PORT) {
            throw new UsageException("--port must be an integer from 0 to " + MAX_PORT + ", but was " + port);
        }
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new UsageException("--state must be a directory, but " + directory + " is a file");
        }
        List<VerifierKey> keys = VerifierKeys.read("--log", logs);
        NoteSigner cosigner = cosigner();
        for (VerifierKey key : keys) {
            if (Arrays.equals(key.key(), cosigner.verifierKey().key())) {
                throw new UsageException("--key must not be the key of the log " + key.name()
                        + ": a witness needs a key of its own. Create one with parley keygen --witness.");
            }
        }
        try (WitnessState state = WitnessState.open(directory);
                BoundAddress address = bind();
                HttpListener server = WitnessServer.start(
                        address,
                        HostNames.of(Stream.concat(Stream.of(host), hostNames.stream())
                                .toList()),
                        new Witness(cosigner, new TrustedLogs(keys), state, Clock.systemUTC(), this::print))) {
            StopSignals.handle(() -> {
                server.close();
                System.exit(0);
            });
            err().println("parley witness: " + cosigner.verifierKey() + " at http://" + host + ":" + server.port());
            new CountDownLatch(1).await();
            return 0;
        }
    }

    private BoundAddress bind() {
        try {
            return BoundAddress.bind(host, port);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "cannot listen on " + host + ":" + port + " (--host, --port): " + ErrorMessages.reason(e), e);
        }
    }

    private NoteSigner cosigner() throws IOException {
        Options.requireFile(keyFile);
        try {
            return NoteSigner.cosigner(name, KeyFiles.readPair(keyFile));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--key and --name: " + e.getMessage(), e);
        }
    }

    private void print(Witness.SplitView view) {
        report("SPLIT VIEW: a log has two heads of one size. Keep both; the first was cosigned, the second refused.");
        out().println(view.cosigned());
        out().println(view.refused());
        out().flush();
    }
}
