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
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the search finds of an audit record: its attributes, the names of its conversation and agents, and its content.
 * Agents choose the content, so the bytes that are read, the terms in the index, and their lengths are bounded.
 *
 * <p>A term of a {@link FoldedText} is the first {@link #MAX_WORD} characters of a word, or two neighbors of a run of
 * characters; the last character of a run is a term of its own.
 *
 * @param attributes terms of {@link #verdict} and the like
 * @param texts the names, then the content that every reader may see, then all content if it is not the same
 */
public record SearchTerms(Set<String> attributes, List<Text> texts) {

    /** The part of a record that a text is. */
    enum Kind {
        CONVERSATION,
        AGENT,
        CONTENT
    }

    /**
     * A text of a record.
     *
     * @param isHidden whether only callers who see everything may find it
     * @param folded a {@link FoldedText}
     */
    record Text(Kind kind, boolean isHidden, String folded) {}

    /**
     * Version of the terms of a record and of the index. Every change of them increments it, so that the index is built
     * again.
     */
    static final byte VERSION = 3;

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

    /** Minimum characters of a word by whose beginning messages are found. */
    static final int MIN_PREFIX = 3;

    /** Maximum characters of a word in the index. */
    static final int MAX_WORD = 64;

    /** Maximum different terms of the content of one record. */
    public static final int MAX_CONTENT_TERMS = 256;

    /** Maximum different terms of the names of one record. */
    static final int MAX_NAME_TERMS = 32;

    /** Maximum bytes of a message, and characters of a name, that are read. */
    public static final int MAX_BYTES = 8 << 10;

    /** Maximum recipients of a message by which it is found. */
    public static final int MAX_RECIPIENTS = 16;

    /** Maximum references of a message by which it is found. */
    public static final int MAX_REFERENCES = 32;

    private static final int MAX_RECIPIENTS_WITH_WORDS = 4;
    private static final int HEX_DIGITS = 4;
    static final String WORD = "t:";
    static final String PRIVATE_WORD = "x:";

    /**
     * Returns the terms of a record as it is stored; those of a redacted one have no content.
     *
     * @param readers the content that every reader may find
     */
    @SuppressWarnings("ReferenceEquality")
    public static SearchTerms of(AuditRecord record, PublicContent readers) {
        AgentMessage message = record.getMessage();
        Set<String> attributes = new LinkedHashSet<>();
        List<Text> texts = new ArrayList<>();
        attributes.add(verdict(Symbols.VERDICT.of(record.getVerdict())));
        if (record.getCode() != null) {
            attributes.add(code(record.getCode()));
        }
        record.getWarnings().forEach(warning -> attributes.add(code(warning)));
        ChainNames names = ChainNames.of(record.getChain());
        attributes.add(namespace(names.namespace()));
        attributes.add(protocol(names.protocol()));
        add(Kind.CONVERSATION, false, names.conversation(), texts);
        if (message != null) {
            if (message.getSender() != null) {
                attributes.add(sender(message.getSender()));
                add(Kind.AGENT, false, message.getSender(), texts);
            }
            message.getRecipients().stream()
                    .limit(MAX_RECIPIENTS)
                    .forEach(recipient -> attributes.add(recipient(recipient)));
            message.getRecipients().stream()
                    .limit(MAX_RECIPIENTS_WITH_WORDS)
                    .forEach(recipient -> add(Kind.AGENT, false, recipient, texts));
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
        if (record.getClaims() != null) {
            boolean isPrivate = text != null && PrivateContent.isPrivate(record);
            attributes.add(claimed(namespace(names.namespace()), isPrivate));
            addClaims(record.getClaims(), isPrivate, attributes, texts);
        }
        if (visible != null) {
            add(Kind.CONTENT, false, readable(textOf(visible)), texts);
        }
        // Readers see most records as they are: then no word is hidden.
        if (text != null && visible != record) {
            add(Kind.CONTENT, true, readable(text), texts);
        }
        return new SearchTerms(attributes, texts);
    }

    private static void add(Kind kind, boolean isHidden, String text, List<Text> texts) {
        String start = text.length() > MAX_BYTES ? text.substring(0, MAX_BYTES) : text;
        texts.add(new Text(kind, isHidden, FoldedText.of(start)));
    }

    /** The bytes of the message, or the reason of a redaction, whose bytes are not text; null if it is redacted. */
    public static ByteBuffer textOf(AuditRecord record) {
        if (record.getRedaction() != null) {
            return ByteBuffer.wrap(record.getRedaction().getReason().getBytes(StandardCharsets.UTF_8));
        }
        return AuditChain.raw(record);
    }

    /** Adds what an undecodable record claims. Claims are content: those of a private one are different terms. */
    private static void addClaims(Claims claims, boolean isPrivate, Set<String> attributes, List<Text> texts) {
        attributes.add(protocol(ConversationKey.symbolOf(claims.getProtocol())));
        if (claims.getNamespace() != null) {
            attributes.add(claimed(namespace(claims.getNamespace()), isPrivate));
        }
        if (claims.getConversation() != null) {
            add(Kind.CONVERSATION, isPrivate, claims.getConversation(), texts);
        }
        if (claims.getSender() != null) {
            attributes.add(claimed(sender(claims.getSender()), isPrivate));
            add(Kind.AGENT, isPrivate, claims.getSender(), texts);
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

    /** Whether the record satisfies a part of a query for a caller. */
    boolean satisfy(SearchText.Part part, boolean seesPrivate) {
        if (part.isAttribute()) {
            return attributes.contains(part.value()) || seesPrivate && attributes.contains(claimed(part.value(), true));
        }
        return texts.stream()
                .anyMatch(text -> (seesPrivate || !text.isHidden())
                        && (!part.inConversation() || text.kind() == Kind.CONVERSATION)
                        && text.folded().contains(part.value()));
    }

    /** Hashes of the terms of the record in the index. Different terms may have one hash. */
    long[] hashes() {
        Set<String> visible = new LinkedHashSet<>();
        Set<String> hidden = new LinkedHashSet<>();
        for (Text text : texts) {
            Set<String> terms = text.isHidden() ? hidden : visible;
            int max = text.kind() == Kind.CONTENT ? terms.size() + MAX_CONTENT_TERMS : MAX_NAME_TERMS;
            addTerms(text.folded(), max, terms);
        }
        hidden.removeAll(visible);
        return Stream.of(
                        attributes.stream().mapToLong(SearchKeys::hash),
                        visible.stream().mapToLong(term -> SearchKeys.word(WORD, term)),
                        hidden.stream().mapToLong(term -> SearchKeys.word(PRIVATE_WORD, term)))
                .flatMapToLong(hashes -> hashes)
                .toArray();
    }

    /**
     * Adds the different terms of a text, until there are {@code max}.
     *
     * @param folded a {@link FoldedText}
     */
    static void addTerms(String folded, int max, Set<String> terms) {
        int end;
        for (int start = 1; start < folded.length() && terms.size() < max; start = end + 1) {
            end = folded.indexOf(' ', start);
            if (FoldedText.isUnspaced(folded.codePointAt(start))) {
                int next;
                for (int i = start; i < end && terms.size() < max; i = next) {
                    next = folded.offsetByCodePoints(i, 1);
                    terms.add(folded.substring(i, next < end ? folded.offsetByCodePoints(next, 1) : next));
                }
            } else {
                terms.add(folded.substring(start, Math.min(end, start + MAX_WORD)));
            }
        }
    }

    /**
     * The first bytes as a text that people read: UTF-8 without escapes. Other bytes are no part of words. An escape of
     * a character may be within another escaped text.
     */
    public static String readable(ByteBuffer raw) {
        byte[] bytes = ByteBuffers.of(raw);
        String text = new String(bytes, 0, Math.min(bytes.length, MAX_BYTES), StandardCharsets.UTF_8);
        StringBuilder readable = new StringBuilder(text.length());
        int start = 0;
        for (int i = text.indexOf('\\'); i >= 0; i = text.indexOf('\\', start)) {
            readable.append(text, start, i);
            int end = i;
            while (end < text.length() && text.charAt(end) == '\\') {
                end++;
            }
            char next = end < text.length() ? text.charAt(end) : ' ';
            String digits = next == 'u' ? text.substring(end + 1, Math.min(text.length(), end + 1 + HEX_DIGITS)) : "";
            boolean isOdd = (end - i) % 2 != 0;
            boolean isSpace = isOdd && "nrtbf".indexOf(next) >= 0;
            start = end;
            if (digits.length() == HEX_DIGITS && digits.chars().allMatch(HexFormat::isHexDigit)) {
                readable.append((char) HexFormat.fromHexDigits(digits));
                start += 1 + HEX_DIGITS;
            } else if (isSpace) {
                readable.append(text, i, i + (end - i) / 2).append(next == 'n' ? '\n' : ' ');
                start++;
            } else {
                // The last one before another character is no escape.
                boolean isPlain = isOdd && next != '"' && next != '/';
                readable.append(text, i, i + (end - i) / 2 + (isPlain ? 1 : 0));
            }
        }
        // Half of a character that is escaped alone is none.
        return new String(
                readable.append(text, start, text.length()).toString().getBytes(StandardCharsets.UTF_8),
                StandardCharsets.UTF_8);
    }
}
