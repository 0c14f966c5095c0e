package dev.parley.topology.views.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaTrust;
import dev.parley.avro.Protocol;
import dev.parley.avro.Reference;
import dev.parley.codec.TrustedRecords;
import dev.parley.codec.json.MaskRules;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.views.AuditRecords;
import dev.parley.topology.views.read.NamespaceScope;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What searches find, and the syntax of their text, by index and records. */
class SearchTextTest {
    private static final long SEED = Long.getLong("parley.seed", System.nanoTime());

    static {
        TrustedRecords.trust();
    }

    private static AuditRecord record(Protocol protocol, String text) {
        AuditRecord record =
                AuditRecords.accepted("default", protocol, "auth-refactor", 0, "planner", AuditRecords.NOON);
        record.getMessage().setRaw(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        return record;
    }

    /** Whether a search finds a record: the filter and the document must not hide it, and the record decides. */
    private static boolean finds(String query, AuditRecord record, PublicContent readers, boolean seesPrivate) {
        SearchQuery search = new SearchQuery(
                SearchText.parse(query),
                Optional.empty(),
                Optional.empty(),
                seesPrivate ? Optional.empty() : Optional.of(readers));
        long[] hashes = SearchTerms.of(record, readers).hashes();
        TermFilter filter = new TermFilter();
        filter.add(hashes);
        SearchQuery.Plan plan = search.plan(NamespaceScope.ALL);
        boolean isCandidate = plan.matches(pattern -> pattern.isIn(hashes));
        assertThat(plan.matches(pattern -> pattern.mayBeIn(filter.toBytes())))
                .as("a filter has every term of its documents")
                .isIn(true, isCandidate);
        return isCandidate && search.matches(record);
    }

    private static boolean finds(String query, String text) {
        return finds(query, record(Protocol.SLIP, text), PublicContent.WITHOUT_RULES, false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '§',
            quoteCharacter = '`',
            value = {
                // words, in any case and order, and also in names
                "BACKEND § release of the Backend § true",
                "back § release of the Backend § false",
                "backend release § release of the Backend § true",
                "planner backend § the Backend § true",
                "auth-refactor § the Backend § true",
                "TOKEN_TTL § set TOKEN_TTL=90 § true",
                "token § set TOKEN_TTL=90 § true",
                "x § x=1 § true",
                "1 § x=1 § true",
                "gpt-4 § by GPT-4. § true",
                "gpt-4 § gpt-5, 4 times § false",
                // phrases
                "`release notes` § release-notes § true",
                "\"release notes\" § the release, notes § true",
                "\"release notes\" § notes of the release § false",
                "“release notes” § the release notes § true",
                "\"release notes § the release notes § true",
                "\"lease notes\" § the release notes § false",
                // beginnings
                "rel* § the release § true",
                "rel* § unrelated § false",
                "auth-ref* § nothing § true",
                "\"x\" rel* § x release § true",
                // alternatives and exclusions
                "cat OR dog bird § a dog and a bird § true",
                "cat OR dog bird § a dog § false",
                "cat or dog § a dog § false",
                "cat OR a* dog § a dog § false",
                "backend -release § the Backend § true",
                "backend -release § release of the Backend § false",
                "backend -\"of the\" § release of the Backend § false",
                "backend -\"the of\" § release of the Backend § true",
                "backend -rel* § release of the Backend § false",
                "backend - release § release of the Backend § true",
                "backend -sender:planner § the Backend § false",
                // fields
                "sender:planner § x § true",
                "sender:plan § x § false",
                "sender:\"planner\" § x § true",
                "conversation:auth § x § true",
                "conversation:refac* § x § true",
                "conversation:x § x § false",
                "protocol:slip verdict:Accepted § x § true",
                "verdict:rejected OR verdict:accepted § x § true",
                "namespace:other § x § false",
                "reference:tool:add § x § true",
                "code:SLIP_X § x § false",
                "foo:bar § foo: bar § true",
                "12:30 § at 12:30 § true",
                // accents, case, width, ligatures, invisible characters
                "cafe § Café § true",
                "café § CAFE § true",
                "cafe § cafe\u0301 § true",
                "strasse § Straße § true",
                "STRASSE § straße § true",
                "istanbul § İstanbul § true",
                "isik § ışık § true",
                "lodz § Łódź § true",
                "σισυφος § ΣΊΣΥΦΟΣ § true",
                "ежик § Ёжик § true",
                "office § o\uFB03ce § true",
                "abc123 § ＡＢＣ１２３ § true",
                "カード § ｶｰﾄﾞ § true",
                "secret § sec\u00ADret § true",
                "secret § s\u200Be\u2060cret § true",
                "محمد § مُحَمَّد § true",
                // Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese in parts
                "好 § 你好世界 § true",
                "界 § 你好世界 § true",
                "好世 § 你好世界 § true",
                "好界 § 你好世界 § false",
                "你好 § 你。好 § false",
                "\"你好 world\" § 你好, World § true",
                "你好 § x你好y § true",
                "\"世界 你好\" § 好世界!你好吗 § true",
                "か § がか § true",
                "か § が § false",
                "が § か\u3099 § true",
                "サーバ § 東京サーバー室 § true",
                "한국 § 대한국어를 § true",
                "구 § 한국 § false",
                "한 § \u1112\u1161\u11AB § true",
                "สวัส § ขอสวัสดีครับ § true",
                "กี § กา § false",
                "ລາວ § ພາສາລາວ § true",
                "ខ្មែរ § ភាសាខ្មែរ § true",
                "မြန် § ဗမာမြန်မာ § true",
                "हिन्दी § यह हिन्दी है § true",
                "हिन्द § यह हिन्दी है § false",
                // emoji
                "😀 § ok😀 § true",
                "😁 § ok😀 § false",
                "👩\u200D💻 § a 👩\u200D💻 b § true",
                "👩 § 👩\u200D💻 § true",
                "👍 § 👍\uD83C\uDFFD § true",
                "👍\uD83C\uDFFD § 👍 § false",
                "❤ § ❤\uFE0F § true",
                "🇩🇪 § x 🇩🇪 § true",
                "🇩🇪 § x 🇫🇷 § false",
                // escapes
                "你好 § {\"a\":\"\\u4f60\\u597d\"} § true",
                "你好 § {\"a\":\"{\\\"b\\\":\\\"\\\\u4F60\\\\u597d\\\"}\"} § true",
                "😀 § {\"a\":\"\\ud83d\\ude00\"} § true",
                "world § {\"a\":\"hello\\nworld\"} § true",
                "new § {\"a\":\"C:\\\\new\"} § true",
                "abc § {\"a\":\"\\ud83dabc\\u12\"} § true",
                "cafe § {\"a\":\"caf\\u00e9\"} § true",
            })
    void aTextIsFoundAsPeopleExpect(String query, String text, boolean found) {
        AuditRecord record = record(Protocol.SLIP, text);
        record.getMessage().setReferences(List.of(new Reference("tool", "add")));
        assertThat(finds(query, record, PublicContent.WITHOUT_RULES, false))
                .as("'%s' in '%s', folded '%s'", query, text, FoldedText.of(text))
                .isEqualTo(found);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '§',
            quoteCharacter = '`',
            value = {
                "backend ! § ! (it has no letter, digit or symbol to find)",
                "backend re* § re* (a beginning needs 3 characters)",
                "backend r*d § * (it must end a word)",
                "backend OR § OR (it needs a part on each side)",
                "OR backend § OR (it needs a part on each side)",
                "a OR -b § OR (an exclusion cannot be an alternative)",
                "a AND b § AND (all parts must match anyway)",
                "(a b) § ( (parentheses do not group)",
                "a sender: § sender: (a value must follow the colon)",
                "foo:bar § foo: (the fields are code, conversation, namespace, protocol, recipient, reference, "
                        + "sender, verdict)",
            })
    void whatIsIgnoredIsSaid(String query, String ignored) {
        assertThat(SearchText.parse(query).ignored()).containsExactly(ignored);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a \"b c\" -d ears* OR sender:x", "12:30", "a-b", "你*", "Or and"})
    void nothingElseIsIgnored(String query) {
        assertThat(SearchText.parse(query).ignored()).isEmpty();
    }

    @Test
    void aTextOfManyOrLongPartsIsCut() {
        String many = IntStream.range(0, 1_000).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
        SearchText cut = SearchText.parse(many);
        assertThat(cut.clauses()).hasSize(SearchText.MAX_PARTS);
        assertThat(cut.ignored())
                .singleElement()
                .asString()
                .startsWith("w32 w33")
                .endsWith("at most 32 parts)");
        SearchText rubbish = SearchText.parse("a " + "! ".repeat(3_000));
        assertThat(rubbish.ignored()).hasSize(SearchText.MAX_PARTS);
        for (String text : List.of("x".repeat(6_000), "你".repeat(6_000), "😀".repeat(3_000), "a\u0301".repeat(3_000))) {
            SearchText longPart = SearchText.parse(text);
            assertThat(longPart.ignored()).singleElement().asString().hasSizeLessThan(120);
            assertThat(longPart.clauses().get(0).get(0).patterns(true)).hasSizeBetween(1, 8);
            assertThat(finds(text, text)).as("found by its beginning").isTrue();
        }
    }

    @Test
    void aTextWithoutAPartIsRefused() {
        assertThatThrownBy(() -> SearchText.parse("! re*"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("must have a word, phrase or field to find: ! (it has no letter, digit or symbol to find)");
        assertThatThrownBy(() -> SearchText.parse("verdict:maybe"))
                .hasMessage("must have one of [ACCEPTED, REJECTED, FLAGGED, UNDECODABLE] after verdict:");
        assertThatThrownBy(() -> SearchText.parse("protocol:smtp")).hasMessageContaining("after protocol:");
        assertThat(SearchText.parse("-a").clauses()).isEmpty();
    }

    @Test
    void aSearchTellsWhatItLooksForInTexts() {
        assertThat(SearchText.parse("Café \"New York\" rel* -not 你好 sender:x OR y")
                        .words())
                .containsExactly("cafe", "new", "york", "rel*", "你好", "y");
        assertThat(SearchText.parse("nothing 好").find("a \"b\" ｶﾞ 你好")).isEqualTo(10);
        assertThat(SearchText.parse("york").find("o\uFB03ce in New York")).isEqualTo(12);
        assertThat(SearchText.parse("x").find("abc")).isZero();
    }

    /** A unit of a text: a word, or a run of characters without words. */
    private record Unit(String plain, boolean isRun) {
        static Unit any(Random random) {
            boolean isRun = random.nextInt(3) == 0;
            List<String> letters = isRun ? List.of("你", "好", "😀") : List.of("a", "e", "o");
            return new Unit(
                    IntStream.range(0, 1 + random.nextInt(5))
                            .mapToObj(i -> letters.get(random.nextInt(3)))
                            .collect(Collectors.joining()),
                    isRun);
        }

        /** The unit in some other form. */
        String written(Random random) {
            return plain.codePoints()
                    .mapToObj(c -> switch (c) {
                        case 'a' -> any(random, "a", "A", "á", "a\u0308", "ａ", "\\u00e0");
                        case 'e' -> any(random, "e", "Ê", "e\u00AD", "\\u0065");
                        case 'o' -> any(random, "o", "ø", "Ő");
                        case '好' -> any(random, "好", "\\u597D");
                        default -> Character.toString(c);
                    })
                    .collect(Collectors.joining());
        }

        private static String any(Random random, String... forms) {
            return forms[random.nextInt(forms.length)];
        }
    }

    private static List<Unit> units(Random random, int max) {
        return IntStream.range(0, 1 + random.nextInt(max))
                .mapToObj(i -> Unit.any(random))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** Whether units contain others in a row: a slow and simple model of a phrase. */
    private static boolean contains(List<Unit> text, List<Unit> phrase, boolean isPrefix) {
        for (int start = 0; start + phrase.size() <= text.size(); start++) {
            boolean all = true;
            for (int i = 0; i < phrase.size(); i++) {
                Unit own = text.get(start + i);
                Unit sought = phrase.get(i);
                boolean isFirst = i == 0;
                boolean isLast = i == phrase.size() - 1;
                all &= own.isRun() == sought.isRun()
                        && (own.plain().equals(sought.plain())
                                || own.isRun() && isFirst && own.plain().endsWith(sought.plain())
                                || own.isRun() && isLast && own.plain().startsWith(sought.plain())
                                || own.isRun()
                                        && isFirst
                                        && isLast
                                        && own.plain().contains(sought.plain())
                                || isLast && isPrefix && own.plain().startsWith(sought.plain()));
            }
            if (all) {
                return true;
            }
        }
        return false;
    }

    @Test
    void aSearchFindsWhatASimpleModelFinds() {
        System.out.println("SearchTextTest: -Dparley.seed=" + SEED);
        Random random = new Random(SEED);
        int found = 0;
        int rounds = 20_000;
        for (int i = 0; i < rounds; i++) {
            List<Unit> text = units(random, 6);
            String written = text.stream()
                    .map(unit -> unit.written(random))
                    .collect(Collectors.joining(random.nextBoolean() ? " " : ", "));
            List<Unit> phrase = units(random, 2);
            List<Unit> other = units(random, 1);
            Unit last = phrase.get(phrase.size() - 1);
            boolean isPrefix = phrase.size() == 1 && last.plain().length() >= 3 && random.nextBoolean();
            String asked = phrase.stream().map(unit -> unit.written(random)).collect(Collectors.joining(" "));
            asked = isPrefix
                    ? SearchTerms.readable(bytes(asked)) + "*"
                    : SearchTerms.readable(bytes('"' + asked + '"'));
            String second = SearchTerms.readable(bytes(other.get(0).written(random)));
            int form = random.nextInt(3);
            String query = asked + List.of(" ", " OR ", " -").get(form) + second;
            boolean one = contains(text, phrase, isPrefix);
            boolean two = contains(text, other, false);
            boolean expected = form == 0 ? one && two : form == 1 ? one || two : one && !two;
            assertThat(finds(query, written))
                    .as("seed %s: '%s' in '%s'", SEED, query, written)
                    .isEqualTo(expected);
            found += expected ? 1 : 0;
        }
        assertThat(found).isBetween(rounds / 20, rounds - rounds / 20);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Every form of a query must give a reader the same answer whatever the hidden value is. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "takeover",
                "take*",
                "\"the takeover\"",
                "好",
                "你好",
                "note -takeover",
                "note -take*",
                "note -\"the takeover\"",
                "note -好",
                "note takeover OR missing",
                "note -takeover -note2",
                "planner -takeover",
                "planner -reference:tool:takeover",
                "reference:tool:takeover",
            })
    void noSearchTellsAReaderWhatAHiddenValueContains(String query) {
        PublicContent readers = new PublicContent(MaskRules.parse("key:password"));
        for (boolean isPrivate : new boolean[] {false, true}) {
            List<Boolean> answers = new ArrayList<>();
            List<Boolean> candidates = new ArrayList<>();
            for (String secret : List.of("the takeover 你好", "something else")) {
                AuditRecord record = isPrivate
                        ? record(Protocol.LAMBDA, "prv: !note " + secret)
                        : record(
                                Protocol.MCP,
                                "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"password\":\"" + secret
                                        + "\",\"note\":\"note\"}}");
                if (isPrivate) {
                    record.getMessage()
                            .setReferences(
                                    List.of(new Reference("tool", secret.contains("takeover") ? "takeover" : "add")));
                    record.getMessage()
                            .setLambda(LambdaMessage.newBuilder()
                                    .setKind(LambdaKind.STATEMENTS)
                                    .setTrust(LambdaTrust.PRIVATE)
                                    .build());
                }
                answers.add(finds(query, record, readers, false));
                long[] hashes = SearchTerms.of(record, readers).hashes();
                candidates.add(new SearchQuery(
                                SearchText.parse(query), Optional.empty(), Optional.empty(), Optional.of(readers))
                        .plan(NamespaceScope.ALL)
                        .matches(pattern -> pattern.isIn(hashes)));
            }
            assertThat(Set.copyOf(answers))
                    .as("%s, private: %s", query, isPrivate)
                    .hasSize(1);
            assertThat(Set.copyOf(candidates))
                    .as("reads of %s, private: %s", query, isPrivate)
                    .hasSize(1);
        }
    }

    @Test
    void whoSeesHiddenValuesFindsThemInAnyForm() {
        PublicContent readers = new PublicContent(MaskRules.parse("key:password"));
        AuditRecord record = record(
                Protocol.MCP,
                "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"password\":\"the takeover 你好\",\"note\":\"note\"}}");
        for (String query : List.of("take*", "\"the takeover\"", "\"password the takeover\"", "好", "你好 note")) {
            assertThat(finds(query, record, readers, true)).as(query).isTrue();
            assertThat(finds(query, record, readers, false)).as(query).isFalse();
        }
        assertThat(finds("note -takeover", record, readers, true)).isFalse();
    }

    /** Messages of one megabyte that cost as much as possible, compared with a plain one. */
    @Test
    void whatAMessageCostsIsBounded() {
        StringBuilder ideographs = new StringBuilder();
        for (int i = 0; i < 340_000; i++) {
            ideographs.appendCodePoint(0x4E00 + i % 20_000);
        }
        long plain = fastest("the quick brown fox ".repeat(50_000));
        for (String hostile : List.of(
                ideographs.toString(),
                "你 好 ".repeat(130_000),
                "a" + "\u0301\u0323".repeat(250_000),
                "é".repeat(500_000),
                "\uFDFA".repeat(340_000),
                "\\u4f60".repeat(170_000),
                "\\".repeat(1_000_000),
                "\\u".repeat(500_000),
                "\\ud83d".repeat(170_000),
                "😀".repeat(250_000),
                "กำ".repeat(170_000))) {
            SearchTerms terms = SearchTerms.of(record(Protocol.SLIP, hostile), PublicContent.WITHOUT_RULES);
            assertThat(terms.hashes()).hasSizeLessThan(SearchTerms.MAX_CONTENT_TERMS + SearchTerms.MAX_NAME_TERMS + 10);
            assertThat(terms.texts())
                    .allSatisfy(text -> assertThat(text.folded()).hasSizeLessThan(8 * SearchTerms.MAX_BYTES));
            long took = fastest(hostile);
            assertThat(took).as("%s…", hostile.substring(0, 8)).isLessThan(100 * plain);
        }
    }

    private static long fastest(String text) {
        AuditRecord record = record(Protocol.SLIP, text);
        long fastest = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            long start = System.nanoTime();
            SearchTerms.of(record, PublicContent.WITHOUT_RULES).hashes();
            fastest = Math.min(fastest, System.nanoTime() - start);
        }
        return fastest;
    }
}
