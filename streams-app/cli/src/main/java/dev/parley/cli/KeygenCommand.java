package dev.parley.cli;

import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.ReplacementFile;
import dev.parley.cli.io.UsageException;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.protocol.TopicNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.KeyPair;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley keygen}: creates the keys that sign or cosign the heads of audit logs. */
@Command(
        name = "keygen",
        description = "Creates an Ed25519 key pair that signs the published heads of the audit log, or cosigns those of"
                + " other deployments.",
        footer = {
            "",
            "Set audit.heads.key.files of the pipeline to NAME.key, and let only the pipeline read that file. Use"
                    + " NAME.vkey, a verifier key (C2SP signed-note), for parley verify --key. With --witness,"
                    + " NAME.vkey is for audit.witnesses and parley verify --witness, and NAME.key for parley witness.",
            "",
            "Examples:",
            "  parley keygen --out audit",
            "  parley keygen --out audit --name example.com/parley/audit",
            "  parley keygen --out w1 --name witness.example/w1 --witness"
        })
final class KeygenCommand extends BaseCommand {
    @Option(
            names = "--out",
            required = true,
            paramLabel = "NAME",
            description = "The files are NAME.key and NAME.vkey; neither may exist.")
    private String file;

    @Option(
            names = "--name",
            paramLabel = "ORIGIN",
            description = "Identity of the deployment: audit.origin of the pipeline. Default: parley/audit, that of a"
                    + " deployment with the default topics. With --witness, the name of the witness, without default.")
    private String name;

    @Option(names = "--witness", description = "Creates the keys of a witness.")
    private boolean witness;

    @Override
    public Integer call() throws IOException {
        if (name == null) {
            if (witness) {
                throw new UsageException("--witness requires --name, such as witness.example/w1");
            }
            name = LogNotes.defaultOrigin(TopicNames.DEFAULT);
        }
        if (!LogNotes.isOrigin(name)) {
            throw new UsageException(
                    "--name must be a URL without scheme, spaces and plus signs, but was '" + name + "'");
        }
        KeyPair pair = KeyFiles.newPair();
        NoteSigner signer = witness ? NoteSigner.cosigner(name, pair) : NoteSigner.of(name, pair);
        String verifierKey = signer.verifierKey().toString();
        Path secret = Path.of(file + ".key");
        Path shown = Path.of(file + ".vkey");
        try (ReplacementFile aside = ReplacementFile.open(secret)) {
            aside.stream().write(KeyFiles.privatePem(pair).getBytes(StandardCharsets.US_ASCII));
            Files.writeString(shown, verifierKey + "\n", StandardCharsets.US_ASCII, StandardOpenOption.CREATE_NEW);
            aside.publish();
        }
        out().println(secret + " (private), " + shown + " (public): " + verifierKey);
        return 0;
    }
}
