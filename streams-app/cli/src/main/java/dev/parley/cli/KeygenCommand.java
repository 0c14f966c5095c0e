package dev.parley.cli;

import dev.parley.audit.HeadSignatureVerifier;
import dev.parley.audit.KeyFiles;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.ReplacementFile;
import dev.parley.cli.io.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
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
        try (ReplacementFile secretFile = ReplacementFile.open(secret);
                ReplacementFile shownFile = ReplacementFile.open(shown)) {
            write(secretFile, KeyFiles.privatePem(pair));
            write(shownFile, KeyFiles.publicPem(pair.getPublic()));
            shownFile.publish();
            secretFile.publish();
        } catch (FileAlreadyExistsException e) {
            throw new UsageException(e.getFile() + " already exists; choose another name, or move the file", e);
        }
        out().println("key " + HeadSignatureVerifier.idOf(pair.getPublic()) + ": " + secret + " (private), " + shown
                + " (public)");
        return 0;
    }

    private static void write(ReplacementFile file, String pem) throws IOException {
        try (OutputStream out = file.stream()) {
            out.write(pem.getBytes(StandardCharsets.US_ASCII));
        }
    }
}
