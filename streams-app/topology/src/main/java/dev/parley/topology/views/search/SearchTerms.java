package dev.parley.topology.views.search;

import dev.parley.audit.AuditChain;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Claims;
import dev.parley.avro.Protocol;
import dev.parley.avro.Reference;
import dev.parley.avro.Verdict;
import dev.parley.codec.Symbols;
import dev.parley.decode.ConversationKey;
import dev.parley.encoding.ByteBuffers;
import dev.parley.encoding.Sha256;
import dev.parley.topology.topics.ChainNames;
import dev.parley.topology.topics.PrivateContent;
import dev.parley.topology.topics.PublicContent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The terms under which the search index finds an audit record: its attributes, the words of its metadata, and the
 * words of its content. Agents choose the content, so the bytes that are read, the words, and their lengths are
 * bounded.
 *
 * <p>A word is a run of letters and digits in lower case, of at least {@link #MIN_WORD} characters; of a longer one,
 * the first {@link #MAX_WORD}.
 *
 * @param attributes terms of {@link #verdict} and the like
 * @param metadata words of conversation and agents, which every reader may see
 * @param content words of {@link #textOf} that every reader may see
 * @param hidden words that only callers who see everything may find
 */
public record SearchTerms(Set<String> attributes, Set<String> metadata, Set<String> content, Set<String> hidden) {

    /**
     * Version of the terms of a record and of the index. Every change of them increments it, so that the index is built
     * again.
     */
    static final byte VERSION = 2;

    /** Whether a value of {@link SearchKeys#searchable} is that of a complete index in this version. */
    public static boolean isComplete(byte[] version) {
        return version != null && version.length > 0 && version[0] == VERSION;
    }

    /** The version of an index whose terms every reader may find by some content. */
    static byte[] version(PublicContent content) {
        String rules = content.rules().toString();
        byte[] version = rules.isEmpty() ? new byte[1] : Sha256.of(rules.getBytes(StandardCharsets.UTF_8));
        version[0] = VERSION;
        return version;
    }

    /** Minimum characters of a word. */
    public static final int MIN_WORD = 2;

    /** Maximum characters of a word; the rest is ignored. */
    public static final int MAX_WORD = 64;

    /** Maximum different words of the content of one record. */
    public static final int MAX_CONTENT_WORDS = 64;

    /** Maximum different words of the metadata of one record. */
    static final int MAX_METADATA_WORDS = 16;

    /** Maximum bytes of a message from which words are read. */
    public static final int MAX_BYTES = 8 << 10;

    /** Maximum recipients of a message by which it is found. */
    public static final int MAX_RECIPIENTS = 16;

    /** Maximum references of a message by which it is found. */
    public static final int MAX_REFERENCES = 32;

    private static final int MAX_RECIPIENTS_WITH_WORDS = 4;
    private static final String WORD = "t:";
    private static final String PRIVATE_WORD = "x:";

    /**
     * Returns the terms of a record as it is stored; those of a redacted one have no content.
     *
     * @param readers the content that every reader may find
     */
    @SuppressWarnings("ReferenceEquality")
    public static SearchTerms of(AuditRecord record, PublicContent readers) {
        AgentMessage message = record.getMessage();
        Set<String> attributes = new LinkedHashSet<>();
        Set<String> metadata = new LinkedHashSet<>();
        attributes.add(verdict(Symbols.VERDICT.of(record.getVerdict())));
        if (record.getCode() != null) {
            attributes.add(code(record.getCode()));
        }
        record.getWarnings().forEach(warning -> attributes.add(code(warning)));
        ChainNames names = ChainNames.of(record.getChain());
        attributes.add(namespace(names.namespace()));
        attributes.add(protocol(names.protocol()));
        addWords(names.conversation(), MAX_METADATA_WORDS, metadata);
        if (message != null) {
            if (message.getSender() != null) {
                attributes.add(sender(message.getSender()));
                addWords(message.getSender(), MAX_METADATA_WORDS, metadata);
            }
            message.getRecipients().stream()
                    .limit(MAX_RECIPIENTS)
                    .forEach(recipient -> attributes.add(recipient(recipient)));
            message.getRecipients().stream()
                    .limit(MAX_RECIPIENTS_WITH_WORDS)
                    .forEach(recipient -> addWords(recipient, MAX_METADATA_WORDS, metadata));
        }
        ByteBuffer text = textOf(record);
        AuditRecord visible = text == null ? null : readers.of(record);
        if (message != null) {
            List<Reference> shown =
                    visible == null ? List.of() : visible.getMessage().getReferences();
            message.getReferences().stream()
                    .limit(MAX_REFERENCES)
                    .forEach(name -> attributes.add(claimed(
                            reference(name.getKind() + ':' + name.getId()), text != null && !shown.contains(name))));
        }
        Set<String> hidden = new LinkedHashSet<>();
        if (record.getClaims() != null) {
            boolean isPrivate = text != null && PrivateContent.isPrivate(record);
            attributes.add(claimed(namespace(names.namespace()), isPrivate));
            addClaims(record.getClaims(), isPrivate, attributes, isPrivate ? hidden : metadata);
        }
        Set<String> content = visible == null ? Set.of() : words(text(textOf(visible)), MAX_CONTENT_WORDS);
        // Readers see most records as they are: then no word is hidden.
        if (text != null && visible != record) {
            addWords(text(text), MAX_CONTENT_WORDS, hidden);
            hidden.removeAll(content);
        }
        return new SearchTerms(attributes, metadata, content, hidden);
    }

    /** The bytes of the message, or the reason of a redaction, whose bytes are not text; null if it is redacted. */
    public static ByteBuffer textOf(AuditRecord record) {
        if (record.getRedaction() != null) {
            return ByteBuffer.wrap(record.getRedaction().getReason().getBytes(StandardCharsets.UTF_8));
        }
        return AuditChain.raw(record);
    }

    /** Adds what an undecodable record claims. Claims are content: those of a private one are different terms. */
    private static void addClaims(Claims claims, boolean isPrivate, Set<String> attributes, Set<String> words) {
        attributes.add(protocol(ConversationKey.symbolOf(claims.getProtocol())));
        if (claims.getNamespace() != null) {
            attributes.add(claimed(namespace(claims.getNamespace()), isPrivate));
        }
        if (claims.getConversation() != null) {
            addWords(claims.getConversation(), MAX_METADATA_WORDS, words);
        }
        if (claims.getSender() != null) {
            attributes.add(claimed(sender(claims.getSender()), isPrivate));
            addWords(claims.getSender(), MAX_METADATA_WORDS, words);
        }
    }

    public static String verdict(Verdict verdict) {
        return "v:" + verdict.name();
    }

    public static String code(String code) {
        return "c:" + code;
    }

    public static String sender(String sender) {
        return "s:" + sender;
    }

    public static String recipient(String recipient) {
        return "r:" + recipient;
    }

    /** @param reference its kind, a colon, and the name */
    public static String reference(String reference) {
        return "f:" + reference;
    }

    public static String namespace(String namespace) {
        return "n:" + namespace;
    }

    public static String protocol(Protocol protocol) {
        return "p:" + protocol.name();
    }

    /** Term of an attribute that is content, or that an undecodable record claims. */
    static String claimed(String attribute, boolean isPrivate) {
        return isPrivate ? PRIVATE_WORD + attribute : attribute;
    }

    /** Term of a word that every reader may find. */
    public static String word(String word) {
        return WORD + word;
    }

    /** Term of a word in a private record. */
    public static String privateWord(String word) {
        return PRIVATE_WORD + word;
    }

    /** Whether a caller finds the record by these words. */
    public boolean hasWords(List<String> words, boolean seesPrivate) {
        return words.stream()
                .allMatch(word ->
                        metadata.contains(word) || content.contains(word) || seesPrivate && hidden.contains(word));
    }

    /** Hashes of the terms of the record in the index. Different terms may have one hash. */
    long[] hashes() {
        Set<String> words = new LinkedHashSet<>(metadata);
        words.addAll(content);
        long[] hashes = new long[attributes.size() + 2 * words.size() + hidden.size()];
        int count = 0;
        for (String attribute : attributes) {
            hashes[count++] = SearchKeys.hash(attribute);
        }
        for (String word : words) {
            hashes[count++] = SearchKeys.hash(WORD, word);
        }
        if (!hidden.isEmpty()) {
            // With the others, so that a query for words of both finds the record.
            words.addAll(hidden);
            for (String word : words) {
                hashes[count++] = SearchKeys.hash(PRIVATE_WORD, word);
            }
        }
        return Arrays.copyOf(hashes, count);
    }

    /** Returns the different words of a text, at most {@code max}. */
    public static Set<String> words(String text, int max) {
        Set<String> words = new LinkedHashSet<>();
        addWords(text, max, words);
        return words;
    }

    private static void addWords(String text, int max, Set<String> words) {
        int start = -1;
        for (int i = 0; i <= text.length() && words.size() < max; i++) {
            boolean inWord = i < text.length() && isWordCharacter(text, i);
            if (inWord && start < 0) {
                start = i;
            } else if (!inWord && start >= 0) {
                if (i - start >= MIN_WORD) {
                    words.add(
                            text.substring(start, Math.min(i, start + MAX_WORD)).toLowerCase(Locale.ROOT));
                }
                start = -1;
            }
        }
    }

    /** Surrogates belong to words, so that no character is cut into two. */
    private static boolean isWordCharacter(String text, int index) {
        char c = text.charAt(index);
        return Character.isLetterOrDigit(c) || Character.isSurrogate(c);
    }

    /** The first bytes as UTF-8; other bytes are no part of words. */
    private static String text(ByteBuffer raw) {
        byte[] bytes = ByteBuffers.of(raw);
        return new String(bytes, 0, Math.min(bytes.length, MAX_BYTES), StandardCharsets.UTF_8);
    }
}
