package dev.parley.cli;

import dev.parley.audit.HeadSignatureVerifier;
import dev.parley.audit.KeyFiles;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.UsageException;
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

/** {@code parley keygen}: creates the keys that sign the heads of audit chains. */
@Command(
        name = "keygen",
        description = "Creates an Ed25519 key pair that signs the published heads of audit chains.",
        footer = {
            "",
            "Set audit.heads.key.file of the pipeline to NAME.key, and let only the pipeline read that file. Use"
                    + " NAME.pub for parley verify --key.",
            "",
            "Example:",
            "  parley keygen --out audit"
        })
final class KeygenCommand extends BaseCommand {
    @Option(
            names = "--out",
            required = true,
            paramLabel = "NAME",
            description = "The files are NAME.key and NAME.pub; neither may exist.")
    private String name;

    @Override
    public Integer call() throws IOException {
        KeyPair pair = KeyFiles.newPair();
        Path secret = Path.of(name + ".key");
        Path shown = Path.of(name + ".pub");
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
            Files.writeString(
                    shown,
                    KeyFiles.publicPem(pair.getPublic()),
                    StandardCharsets.US_ASCII,
                    StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            // Half a pair is of no use, and would refuse the next attempt.
            Files.deleteIfExists(secret);
            throw e;
        }
        out().println("key " + HeadSignatureVerifier.idOf(pair.getPublic()) + ": " + secret + " (private), " + shown
                + " (public)");
        return 0;
    }

    private static UsageException exists(Path file, Exception cause) {
        return new UsageException(file + " already exists; choose another name, or move the file", cause);
    }
}
