package dev.parley.cli;

import dev.parley.audit.KeyFiles;
import dev.parley.audit.LogNotes;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.UsageException;
import dev.parley.protocol.TopicNames;
import dev.parley.tlog.NoteSigner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley keygen}: creates the keys that sign the heads of the audit log. */
@Command(
        name = "keygen",
        description = "Creates an Ed25519 key pair that signs the published heads of the audit log.",
        footer = {
            "",
            "Set audit.heads.key.files of the pipeline to NAME.key, and let only the pipeline read that file. Use"
                    + " NAME.vkey, a verifier key (C2SP signed-note), for parley verify --key.",
            "",
            "Examples:",
            "  parley keygen --out audit",
            "  parley keygen --out audit --name example.com/parley/audit"
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
                    + " deployment with the default topics.")
    private String name = LogNotes.defaultOrigin(TopicNames.DEFAULT);

    @Override
    public Integer call() throws IOException {
        if (!LogNotes.isOrigin(name)) {
            throw new UsageException(
                    "--name must be a URL without scheme, spaces and plus signs, but was '" + name + "'");
        }
        KeyPair pair = KeyFiles.newPair();
        String verifierKey = NoteSigner.of(name, pair).verifierKey().toString();
        Path secret = Path.of(file + ".key");
        Path shown = Path.of(file + ".vkey");
        if (Files.exists(shown)) {
            throw exists(shown, null);
        }
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] ownerOnly = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        try {
            Files.createFile(secret, ownerOnly);
        } catch (FileAlreadyExistsException e) {
            throw exists(secret, e);
        }
        try {
            Files.writeString(secret, KeyFiles.privatePem(pair), StandardCharsets.US_ASCII);
            Files.writeString(shown, verifierKey + "\n", StandardCharsets.US_ASCII, StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            // Half a pair is of no use, and would refuse the next attempt.
            Files.deleteIfExists(secret);
            throw e;
        }
        out().println(secret + " (private), " + shown + " (public): " + verifierKey);
        return 0;
    }

    private static UsageException exists(Path file, Exception cause) {
        return new UsageException(file + " already exists; choose another name, or move the file", cause);
    }
}
