package dev.parley.server.http;

import dev.parley.encoding.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The files of the web console, read once from the class path. A request gets a file only if its path is exactly one of
 * those in the index of the console, so no path leads anywhere else. The files contain no data, and need no token.
 */
public final class ConsoleFiles {

    /** Directory of the console on the class path. */
    static final String ROOT = "/dev/parley/console/";

    /** The index: the name of each file on a line. */
    static final String INDEX = "files.txt";

    /** The page, which browsers get at {@code /}. */
    static final String PAGE = "index.html";

    /**
     * Content of the page comes from the files of this server only: no inline scripts or styles, no other host, no
     * frames, and no strings that become code or markup.
     */
    static final String CONTENT_SECURITY_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self';"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                    + " require-trusted-types-for 'script'; trusted-types 'none'";

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy", CONTENT_SECURITY_POLICY,
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Opener-Policy", "same-origin",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
            // Browsers keep the files, and ask whether they have changed.
            "Cache-Control", "no-cache",
            "Vary", "Accept");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml",
            "md", "text/plain; charset=utf-8",
            "woff2", "font/woff2");

    private static final int ETAG_BYTES = 16;
    private static final Set<String> METHODS = Set.of("GET", "HEAD");

    private final Map<String, StaticFile> files;

    private ConsoleFiles(Map<String, StaticFile> files) {
        this.files = files;
    }

    /** A file in memory. */
    private record StaticFile(byte[] content, String type, String etag) {}

    /** Reads the console; empty if it is not on the class path. */
    public static Optional<ConsoleFiles> load() {
        return read(INDEX).map(index -> {
            Map<String, StaticFile> files = new LinkedHashMap<>();
            new String(index, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .forEach(name -> files.put(name.equals(PAGE) ? "/" : "/" + name, file(name)));
            return new ConsoleFiles(files);
        });
    }

    /** Whether a request is for a file of the console: the exact path, and at {@code /} a client that prefers HTML. */
    public boolean serves(ApiRequest request) {
        String path = request.path();
        return files.containsKey(path) && (!path.equals("/") || isBrowser(request));
    }

    /**
     * Answers a request for which {@link #serves} is true.
     *
     * @return the file; null if the client has it
     * @throws ProblemException if the method is neither GET nor HEAD
     */
    Route.Content answer(ApiRequest request) {
        if (!METHODS.contains(request.method())) {
            throw ProblemHandler.methodNotAllowed(request, "GET, HEAD");
        }
        StaticFile file = files.get(request.path());
        HEADERS.forEach(request::header);
        request.header("ETag", file.etag());
        if (file.etag().equals(request.header("If-None-Match"))) {
            request.status(304);
            return null;
        }
        return new Route.Content(file.type(), file.content());
    }

    /** Browsers ask for HTML by its name; other clients of the API accept anything, or JSON. */
    private static boolean isBrowser(ApiRequest request) {
        String accepted = request.header("Accept");
        return accepted != null && accepted.contains("text/html");
    }

    private static StaticFile file(String name) {
        byte[] content = read(name)
                .orElseThrow(() -> new IllegalStateException(
                        "the console has no file " + name + ", but its index " + INDEX + " names it"));
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null) {
            throw new IllegalStateException("the console has a file of an unknown type: " + name);
        }
        return new StaticFile(content, type, '"' + HexFormat.of().formatHex(Sha256.of(content), 0, ETAG_BYTES) + '"');
    }

    private static Optional<byte[]> read(String name) {
        try (InputStream in = ConsoleFiles.class.getResourceAsStream(ROOT + name)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the console's file " + name, e);
        }
    }
}
