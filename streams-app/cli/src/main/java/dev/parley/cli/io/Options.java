package dev.parley.cli.io;

import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.WireProtocol;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Explanation;
import dev.parley.protocol.Protocols;
import dev.parley.state.TimeText;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Converts option values, and opens files; the error for a wrong value names the allowed ones. */
public final class Options {
    private static final int MAX_PORT = 65_535;

    private Options() {}

    /** Registers the converters of the types that several commands have as options. */
    public static void register(CommandLine line) {
        line.registerConverter(Profile.class, text -> constant(Profile.values(), text));
        line.registerConverter(DialogueSettings.Mode.class, text -> constant(DialogueSettings.Mode.values(), text));
        line.registerConverter(
                WireProtocol.class,
                text -> known(Optional.ofNullable(Protocols.STANDARD.wire().named(text)), protocols(), text));
        line.registerConverter(URI.class, Options::url);
        line.registerConverter(ConversationKey.class, Options::conversation);
        line.registerConverter(Instant.class, text -> {
            try {
                return TimeText.parse(text, Clock.systemDefaultZone());
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage() + ", but was '" + text + "'");
            }
        });
    }

    private static URI url(String text) {
        if (!text.contains("://")) {
            throw new TypeConversionException(
                    "must have a scheme, but was '" + text + "'; did you mean http://" + text + "?");
        }
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            throw new TypeConversionException("must be a URL, but was '" + text + "': " + e.getReason());
        }
        if (url.getPort() > MAX_PORT) {
            throw new TypeConversionException("must have a port of at most " + MAX_PORT + ", but was '" + text + "'");
        }
        if (url.getRawUserInfo() != null) {
            throw new TypeConversionException("must not contain a user or password; use a token");
        }
        return url;
    }

    /**
     * Parses a conversation as namespace/protocol/ID, or as the chain that other commands print. The protocol may have
     * any case, and the ID slashes. One of an extension has the name of its protocol, or EXTENSION and the name that
     * views give it.
     *
     * @throws TypeConversionException if it has another form
     */
    public static ConversationKey conversation(String text) {
        Optional<ConversationKey> chain =
                ConversationKey.find(text).filter(key -> !key.namespace().contains("/"));
        if (chain.isPresent()) {
            return chain.get();
        }
        int first = text.indexOf('/');
        int second = text.indexOf('/', first + 1);
        if (first < 1 || second <= first + 1 || second + 1 == text.length()) {
            throw new TypeConversionException(
                    "must be NAMESPACE/PROTOCOL/CONVERSATION or a chain, but was '" + text + "'");
        }
        String namespace = text.substring(0, first);
        String protocol = text.substring(first + 1, second).toUpperCase(Locale.ROOT);
        String id = text.substring(second + 1);
        return protocol.equals(Protocol.EXTENSION.name())
                ? ConversationKey.ofView(namespace, Protocol.EXTENSION, id)
                : new ConversationKey(namespace, protocol, id);
    }

    /** Requires that a time range does not end before it begins; null: without bound. */
    public static void requireOrder(Instant from, Instant to) {
        if (from != null && to != null && from.isAfter(to)) {
            throw new UsageException("--from must not be after --to, but was " + from + ", and --to " + to);
        }
    }

    /** Requires that the value of {@code --chain} has the form of a chain. */
    public static void requireChain(String chain) {
        if (ConversationKey.find(chain).isEmpty()) {
            throw new UsageException(
                    "--chain must be namespace|PROTOCOL|conversation, as GET /v1/conversations returns it, but was '"
                            + chain + "'");
        }
    }

    /**
     * Returns the value of an option.
     *
     * @param value empty if there is no such value
     * @param allowed the allowed values, as in "a, b or c"
     * @throws TypeConversionException if it is empty
     */
    public static <T> T known(Optional<T> value, String allowed, String text) {
        return value.orElseThrow(() -> new TypeConversionException("must be " + allowed + ", but was '" + text + "'"));
    }

    /**
     * Returns the constant that an option names in lower case.
     *
     * @throws TypeConversionException if there is none
     */
    public static <E extends Enum<E>> E constant(E[] constants, String text) {
        List<String> names = Stream.of(constants)
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .toList();
        int index = names.indexOf(text);
        return known(index < 0 ? Optional.empty() : Optional.of(constants[index]), Explanation.either(names), text);
    }

    /** The usual names of the protocols, as in "mcp, slip, subit, csp or lambda". */
    private static String protocols() {
        return Explanation.either(Protocols.STANDARD.all().stream()
                .map(protocol -> protocol.wire().topicSuffix())
                .toList());
    }

    /** Opens a file, or standard input for "-", which closing does not close. */
    public static InputStream open(Path file) {
        if (file.toString().equals("-")) {
            return new FilterInputStream(System.in) {
                @Override
                public void close() {
                    // Standard input belongs to the process.
                }
            };
        }
        requireFile(file);
        try {
            return Files.newInputStream(file);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** Requires that a file exists and is not a directory. */
    public static void requireFile(Path file) {
        if (Files.isDirectory(file)) {
            throw new UsageException(file + " is a directory; name a file");
        }
        if (Files.notExists(file)) {
            throw new UsageException("no file " + file);
        }
    }

    /** Requires that the directory of a new file or directory exists. */
    static void requireParent(Path path) {
        Path parent = path.toAbsolutePath().getParent();
        if (parent != null && Files.notExists(parent)) {
            throw new UsageException("no directory " + path.getParent() + "; create it, or name another");
        }
    }

    /** The error for a file that cannot be read: its path and the reason. */
    public static UsageException unreadable(Path file, IOException cause) {
        return new UsageException("cannot read " + file + ": " + ErrorMessages.reason(cause), cause);
    }
}
