package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.json.JsonWriter;
import dev.parley.oidc.JwtVerifier;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/**
 * On whose behalf a client calls, as headers of records: only what the system, its certificate or its token prove. A
 * name that a record cannot have proves nothing.
 */
final class Callers {
    private static final int MAX_NAME = 1_024;
    private static final int MAX_ACTORS = 16;
    private static final int MAX_ACTORS_BYTES = 8 << 10;
    private static final int MAX_TOKEN = 16 << 10;
    private static final String BEARER = "Bearer ";
    private static final int SAN_URI = 6;

    private final JwtVerifier tokens;

    /**
     * Creates it.
     *
     * @param tokens verifies the tokens of clients; null if the tap does not read them
     */
    Callers(JwtVerifier tokens) {
        this.tokens = tokens;
    }

    /**
     * The owner of this process, whom the client that started it shares. The executable of the client is a claim: the
     * owner chooses it.
     */
    static Map<String, String> ofProcess() {
        ProcessHandle.Info self = ProcessHandle.current().info();
        Map<String, String> headers = caller(self.user().orElse(null), "process");
        // After the end of the client, a process of the system is the parent.
        ProcessHandle.current()
                .parent()
                .map(ProcessHandle::info)
                .filter(client -> client.user().equals(self.user()))
                .flatMap(ProcessHandle.Info::command)
                .ifPresent(command -> delegate(headers, List.of(command)));
        return headers;
    }

    /**
     * Who sends a request: the subject of its token, or else the name in the certificate of its connection. It never
     * waits for another host.
     *
     * @param chain certificates of the client, its own first; empty without one
     */
    Map<String, String> of(HttpFields request, List<X509Certificate> chain) {
        return verified(request)
                .map(Callers::ofToken)
                .filter(headers -> !headers.isEmpty())
                .orElseGet(() -> chain.isEmpty() ? Map.of() : caller(name(chain.get(0)), "mtls"));
    }

    private Optional<JWTClaimsSet> verified(HttpFields request) {
        List<String> fields = request.getValuesList(HttpHeader.AUTHORIZATION);
        String value = fields.size() == 1 ? fields.get(0) : "";
        if (tokens == null || value.length() > MAX_TOKEN || !value.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return Optional.empty();
        }
        try {
            return JwtVerifier.parse(value.substring(BEARER.length()).strip())
                    .map(tokens::verify)
                    .filter(JwtVerifier.Valid.class::isInstance)
                    .map(valid -> ((JwtVerifier.Valid) valid).claims());
        } catch (RuntimeException e) {
            // Traffic passes whatever a token does to the library.
            return Optional.empty();
        }
    }

    private static Map<String, String> ofToken(JWTClaimsSet claims) {
        Map<String, String> headers = caller(claims.getSubject(), "token");
        List<String> actors = new ArrayList<>();
        Object act = claims.getClaim("act");
        while (act instanceof Map<?, ?> actor && actors.size() < MAX_ACTORS) {
            actors.add(actor.get("sub") instanceof String name ? name : "");
            act = actor.get("act");
        }
        delegate(headers, actors);
        return headers;
    }

    /**
     * The URI in the certificate's alternative names if there is exactly one, as in SPIFFE; otherwise the subject in
     * the form of RFC 2253. A URI has a colon before any equals sign, a subject has not.
     */
    static String name(X509Certificate certificate) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            List<?> uris = names == null
                    ? List.of()
                    : names.stream()
                            .filter(name -> name.get(0).equals(SAN_URI))
                            .map(name -> name.get(1))
                            .toList();
            return uris.size() == 1
                    ? (String) uris.get(0)
                    : certificate.getSubjectX500Principal().getName(X500Principal.RFC2253);
        } catch (CertificateParsingException e) {
            return null;
        }
    }

    private static Map<String, String> caller(String name, String proof) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (isName(name)) {
            headers.put("parley-caller", name);
            headers.put("parley-caller-proof", proof);
        }
        return headers;
    }

    /** Adds the actors of a caller up to the first one that a record cannot have: those before it act all the same. */
    private static void delegate(Map<String, String> headers, List<String> actors) {
        StringBuilder json = new StringBuilder();
        for (String actor : actors) {
            String next = (json.length() == 0 ? "[" : ",") + JsonWriter.quoted(actor);
            if (!isName(actor) || Captured.utf8(json + next).length >= MAX_ACTORS_BYTES) {
                break;
            }
            json.append(next);
        }
        if (json.length() > 0 && !headers.isEmpty()) {
            headers.put("parley-delegation", json.append(']').toString());
        }
    }

    /** Whether a header can have the name: docs/capture.md has the bounds. */
    private static boolean isName(String name) {
        return name != null
                && !name.isEmpty()
                && name.length() <= MAX_NAME
                && !ControlCharacters.isIn(name)
                && UTF_8.newEncoder().canEncode(name);
    }
}
