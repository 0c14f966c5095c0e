package dev.parley.codec;

import dev.parley.avro.Performative;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the string fields of records that contain a symbol of a closed vocabulary, such as {@code AuditRecord.verdict}.
 * Any other text, which a later version or another writer of the topic may have written, is the vocabulary's first
 * symbol: UNKNOWN, UNSPECIFIED or NONE. Such a field is set to {@link Enum#name}. Immutable and thread-safe.
 *
 * @param <E> the vocabulary
 */
public final class Symbols<E extends Enum<E>> {
    /** Protocols; UNKNOWN for other text. */
    public static final Symbols<Protocol> PROTOCOL = new Symbols<>(Protocol.values());

    /** Performatives; UNSPECIFIED for other text. */
    public static final Symbols<Performative> PERFORMATIVE = new Symbols<>(Performative.values());

    /** Verdicts; UNSPECIFIED for other text. */
    public static final Symbols<Verdict> VERDICT = new Symbols<>(Verdict.values());

    /** Stages; NONE for other text. */
    public static final Symbols<Stage> STAGE = new Symbols<>(Stage.values());

    /** Profiles; UNSPECIFIED for other text. */
    public static final Symbols<Profile> PROFILE = new Symbols<>(Profile.values());

    private final Map<String, E> byName = new HashMap<>();
    private final E other;

    private Symbols(E[] symbols) {
        for (E symbol : symbols) {
            byName.put(symbol.name(), symbol);
        }
        other = symbols[0];
    }

    /**
     * Returns the symbol of this name.
     *
     * @param name text of a field; may be null
     * @return the first symbol for any other text
     */
    public E of(String name) {
        return byName.getOrDefault(name, other);
    }
}
