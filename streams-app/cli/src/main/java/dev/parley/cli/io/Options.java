package dev.parley.cli.io;

import dev.parley.avro.Profile;
import dev.parley.decode.WireProtocol;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.protocol.Protocols;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Parses option values; the error for a wrong value names the allowed ones. */
public final class Options {
    private Options() {}

    public static Profile profile(CommandSpec spec, String name) {
        return switch (name) {
            case "lenient" -> Profile.LENIENT;
            case "strict" -> Profile.STRICT;
            default -> throw wrong(spec, "--profile", name, "lenient or strict");
        };
    }

    public static DialogueSettings.Mode mode(CommandSpec spec, String name) {
        return switch (name) {
            case "enforce" -> DialogueSettings.Mode.ENFORCE;
            case "observe" -> DialogueSettings.Mode.OBSERVE;
            default -> throw wrong(spec, "--mode", name, "enforce or observe");
        };
    }

    /** The protocol of that name; null when none is given. */
    public static WireProtocol<?> protocol(CommandSpec spec, String name) {
        if (name == null) {
            return null;
        }
        WireProtocol<?> protocol = Protocols.STANDARD.wire().named(name);
        if (protocol == null) {
            throw wrong(spec, "--protocol", name, protocols());
        }
        return protocol;
    }

    /** The usual names of the protocols, as in "slip, subit, csp or lambda". */
    private static String protocols() {
        List<String> names = Protocols.STANDARD.all().stream()
                .map(protocol -> protocol.wire().topicSuffix())
                .toList();
        int last = names.size() - 1;
        return String.join(", ", names.subList(0, last)) + " or " + names.get(last);
    }

    /** Opens a file, or standard input for "-", which closing does not close. */
    public static InputStream open(CommandSpec spec, Path file) throws IOException {
        if (file.toString().equals("-")) {
            return new FilterInputStream(System.in) {
                @Override
                public void close() {
                    // Standard input belongs to the process.
                }
            };
        }
        requireFile(spec, file);
        try {
            return Files.newInputStream(file);
        } catch (IOException e) {
            throw unreadable(spec, file, e);
        }
    }

    /** Requires that a file exists and is not a directory. */
    public static void requireFile(CommandSpec spec, Path file) {
        if (Files.isDirectory(file)) {
            throw new ParameterException(spec.commandLine(), file + " is a directory; name a file");
        }
        if (Files.notExists(file)) {
            throw new ParameterException(spec.commandLine(), "no file " + file);
        }
    }

    /** The error for a file that cannot be read: its path and the reason. */
    public static ParameterException unreadable(CommandSpec spec, Path file, IOException cause) {
        return new ParameterException(
                spec.commandLine(), "cannot read " + file + ": " + ErrorMessages.reason(cause), cause);
    }

    private static ParameterException wrong(CommandSpec spec, String option, String value, String allowed) {
        return new ParameterException(spec.commandLine(), option + " must be " + allowed + ", but was '" + value + "'");
    }
}
