package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.codec.LinearTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A text is a message on its own evidence if it has the structure and the vocabulary of Λ (docs/protocols.md 0). */
class LambdaDetectionTest {

    private static boolean detects(String text) {
        boolean detected = LambdaDetection.detects(text.getBytes(UTF_8), 0);
        // White space around the text does not count.
        assertThat(LambdaDetection.detects((" " + text + "\r\n").getBytes(UTF_8), 1))
                .isEqualTo(detected);
        return detected;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Headers and encrypted payloads are evident, whatever follows.
                "@v0.6",
                "@v10.20 please, review (this).",
                "prv: @v0.6 hello",
                "{enc:aes}[a (b); \\]",
                "A: {enc:aes}",
                // Floor marks, alone and after other prefixes.
                ">>",
                "<<",
                "><",
                "--",
                "A: >>",
                "@A1: --",
                ">> <<",
                "<<!Ik",
                // Labels, addresses, relays and trust prefixes.
                "A: !Ik",
                "Agent_1:\n!Ik",
                "A: \n!Ik",
                "Bob:\n!Ik",
                "Alice: !Ik",
                "@A1:!Ik",
                "@*: !Ik",
                "@A1,A2,*:!Ik",
                "A1>A2>*:!Ik",
                "*>A1: !Ik",
                "A*>B*: !Ik",
                "pub:!Ik",
                "prv: @A1: sig:!Ik",
                "A: A1>A2: pub: >> !Ik",
                // Statements.
                "!Ik/co",
                "?Uk",
                ".Uf/X",
                "~X",
                ">Ig",
                "!I*d/ta",
                "!*d",
                "!$60s",
                ".$60s",
                ".*d",
                "!{a:b}",
                "?\"any text: yes (or no); done\"",
                "!prj",
                "!IkU",
                "!AIs",
                "!Ik/emergence",
                "!Ik ?Uc",
                "!Ik And tk",
                "!Ik prj, U",
                "!Ik don'td/x",
                // Structures.
                "{ns:code}",
                "{ ns_1 : x}",
                "{a:b,c : \"d\"}",
                "{a :b}",
                "{ def : ta = \"build  it\" , ns : code }  !Ik/ta",
                "{ ns : code , def : ta }",
                "{def: ta=\"build it\", ns: code} !Ik/ta",
                "{ctx: auth}{ns: code}\n?Uc/la",
                "!st{ta: prj/la, pr: 75%}",
                ".Uf/X{pr: ^}",
                "{ def : ta=code }!Ik/ta",
                "{a:[b,{c:d}]}!Ik",
                "{t:x,payload:\"2\"}",
                "{t:x,payload:1}",
                "{t:x}{payload:\"0\"}",
                "[a,b]",
                "[nul,b]",
                "[a,1]",
                "[{a:b}]",
                "[[a,b],c]",
                "[n1,b]",
                "{a:b, c:d}",
                "||a|b||c|d||",
                "||a||b||",
                "|| a | b || c | d ||",
                // Acknowledgments.
                "<",
                "<+",
                "<-",
                "<?",
                "<!",
                "<ctx",
                "<+context",
                "<?em",
                "<a/b",
                "<abc[d]",
                "<-abc{d:e}",
                "<pr !Ik",
                "<+ !Ik",
                "<->Ig",
                "<->{a:b}",
                // Meta and references.
                "#x",
                "#x y",
                "#x/y",
                "#id:m1",
                "@X",
                "@ab12",
                "@x !fn",
                "@* !Ik/co",
                "@c/d",
                "@c[1]",
                "@c{a:b}",
                // Symbols that words of a body have between them.
                "!Ik|Uk",
                "!Ik||Uk",
                "!a.b",
                "!Ik.Uf",
                "!A.ab",
                "!{a:b.comma}",
                "!a,b",
                "!a--b",
                "!a:b",
                "!{a : b}",
                "!Ik @A1: ?Uk",
                "!Ik prv: ?Uk",
                "!Ik @A*: ?Uk",
                "!Ik<",
                "!Ik>",
                "!Ik <?",
                "!Ik <!",
                "!Ik <b",
                "!Ik<pr>ti",
                "!Ik<pr>>",
                "!Ik<pr/in>",
                "!Ik&U*d",
                "!a / b",
                "!a - b",
                "!Ik --",
                "?la=0.6",
                "?X=1&y=2",
                "?x=1&y",
                ".st{ta:x}",
                ".Uf{color:x}",
                ".st{color}",
                // One word may be English, or several words if one is not.
                "?Is",
                "!Ik it",
                "!I X",
                "!do it/x"
            })
    void aMessageIsDetected(String text) {
        assertThat(detects(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@v0.6",
                "@v0.6#id:a-1#h<",
                "@v0.6#h @A1: prv:",
                "@v0.6 @A1: prv: >>",
                "@v0.6#h< !Ic/la=0.6",
                "@v0.6 A1>A2: {ns:code}!Ik",
                "@v0.6#id:a[1]",
                "@v0.6 {enc:a}(;",
                "A: @v0.6 !Ik"
            })
    void theTextAfterAHeaderMayBeAMessage(String text) {
        assertThat(LambdaDetection.isMessage(text.getBytes(UTF_8), 0)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@v0.6 hello",
                "@v0.6 @A1:",
                "@v0.6#id:h @A1:",
                "@v0.6#hi",
                "@v0.6 !I think we should wait",
                "@v0.6 !Ik/co\nHope that helps.",
                "@v0.6 {\"role\":\"user\"}",
                "@v0.6 [{\"a\":1}]",
                "@v0.6 ?Uc/la</s>"
            })
    void aHeaderDoesNotMakeAMessageOfOtherText(String text) {
        assertThat(detects(text)).isTrue();
        assertThat(LambdaDetection.isMessage(text.getBytes(UTF_8), 0)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Incomplete prefixes, and prefixes without a message.
                "A:",
                "@A1:",
                "@A1: ",
                "pub:",
                ">> A1>A2:",
                ">>>",
                "<<<",
                "><>",
                "---",
                "->",
                "A:!Ik",
                "A*: !Ik",
                "A!Ik",
                "A1>:!Ik",
                "A1>A2!Ik",
                ">> A: !Ik",
                "@A1,:!Ik",
                "@A1>A2:!Ik",
                "Sure:\n!Ik/co",
                "Answer: \t\r\n\n!Ik/co",
                "@a:!Ik",
                "@:!Ik",
                "pub!Ik",
                "pri:!Ik",
                "public:!Ik",
                "@v0.:x y",
                "@v6 and",
                "@w0.6",
                "@0.6",
                "{encode (a)}",
                // Words.
                "{ def : two words }",
                "{ns: code}",
                "{ns: code} Ik/co",
                "{def: two words}!Ik/ta",
                "{a: 1}.to",
                ".st{to: prj}",
                "#st{to: prj}",
                "{ two words : x }",
                "!x{ a : b } words",
                "@*",
                "@*x",
                "hello",
                "Ik/co",
                "!hello",
                "!remark this",
                "!IMPORTANT",
                "?why",
                "~the",
                ">The user",
                ".env",
                ".gitignore",
                ".{a:b}",
                ".\"a\"",
                "!",
                "!!",
                "!1",
                "! Ik",
                "![a,b]",
                "!#h",
                "!Ik and",
                "!Ik please review",
                "!Ik please, review",
                "!Ik the.",
                "!Ik the!? X",
                "!Ik I'm don't",
                "!Ik you",
                // The end of a sentence.
                "!Ik.",
                "!Ik!",
                "?Uk?",
                "#x #",
                // JSON.
                "{}",
                "{\"a\":1}",
                "{a}",
                "{a b:c}",
                "{:a}",
                "{'a':1}",
                "{a:{\"b\":1}}",
                "{a:{ 'b':1}}",
                "{a:{{b}}}",
                "{a:{% b %}}",
                "{a: b}",
                "{t:x,payload:\"0\"}",
                "{type:\"STATE\",payload:\"1",
                "[]",
                "[1,2]",
                "[a]",
                "[a",
                "[n12]",
                ">> [n12]",
                "[true,a]",
                "[false,a]",
                "[null,a]",
                "[[1,2],b]",
                "[\"a\",\"b\"]",
                "[{\"a\":1}]",
                "[ a,b]",
                // Tables, tags and quotes.
                "|a|b|",
                "| a || b || c || d",
                "||a|b",
                "||a||",
                "<a>",
                "<br />",
                "<>",
                "<->",
                "<-->",
                "<+hello world",
                "<hello !Ik",
                "<1",
                "<->hello",
                "<x,y",
                "<x:y",
                // Meta and references.
                "#",
                "# Title",
                "#tag",
                "#1",
                "#ab",
                "@bob",
                "@abc1",
                "@1",
                "@",
                "@x: y",
                "@x,y",
                "@x,@y",
                "@x|y",
                "@v1",
                "@v12 !Ik",
                // Words of English, and commands, queries and rules of other languages.
                "?Is it",
                "!I am",
                "!So do I",
                "@me do it",
                "<we do it",
                "!ls -la",
                "!rm --all",
                "!cd /tmp",
                "!src/**",
                "!a && b",
                "?x=1&y=2",
                "?ab=c/d&ef=",
                ".a{color:red}",
                ".nav{ margin:0}",
                // Tags and tokens at the end.
                "!Ik/co<eos>",
                "!Ik/co<end_of_turn>",
                "!Ik/co <h1> ?Uk",
                "!Ik/co[/INST]",
                // Symbols of prose, markup and code.
                "!a(b)",
                "!a)",
                "!`a`",
                "!a;b",
                "!a\\b",
                "!a</b",
                "!a<|b",
                "!a # b",
                "!a---b",
                "!ik: x",
                "!a.comma",
                "!a @x,y",
                "!{a: b}",
                "!Ik abc: x",
                "!Ik | Uk",
                "!Ik |Uk",
                "!Ik| Uk",
                "!a|{",
                "!Ié",
                "!Ik é",
                "!Ik “x”"
            })
    void otherTextIsNotDetected(String text) {
        assertThat(detects(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?Uc/la¦ (Can you use language?)",
                "!Ik/la¦ // I know",
                "!Ik/la¦ //I know",
                "!Ik/la¦ /* I know */",
                "!Ik/la¦ # I know",
                "!Ik/la¦ -- I know",
                "!Ik/la¦ - I know",
                "!Ik/la¦ = I know",
                "!Ik/la¦ => I know",
                "!Ik/la¦ -> I know",
                "!Ik/la¦ | I know",
                "!Ik/la¦ — I know",
                "!Ik/la¦ → I know",
                "!Ik/la¦ “I know”",
                "!Ik/la¦ 👍",
                "!Ik/la¦.",
                "!Ik/la¦...",
                "!Ik/la¦!",
                "?Uc/la¦?",
                "!Ik/la¦. I know",
                "!Ik/la¦: I know",
                "!Ik/la¦; I know",
                "!Ik/la¦, which I know",
                "!Ik/la{a:\"b (c)\"}¦ (I know)",
                "!Ic/la = 0.6¦ (version)",
                "@v0.6 @A1: prv: !Ik/la¦ (I know)",
                "!Ik/la ?Uc/la¦ (I know)",
                "A: .Uf/X{pr:^}¦ (find X)"
            })
    void aRemarkAfterAMessageIsSeparate(String text) {
        byte[] line = text.replace("¦", "").getBytes(UTF_8);
        assertThat(LambdaDetection.remarkStart(line, 0, line.length)).isEqualTo(text.indexOf('¦'));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "!Ik/la I know",
                "!Ik/la [I know]",
                "!Ik/la{a:b} that is all",
                "!Ik/la - Uk/co that is all",
                "!Ik/café",
                "!Ik/co → Ie/la",
                "!Ik/co — Uk/co is known",
                "!Ik/co. Uk/la is known",
                "@v0.6"
            })
    void textThatMayBePartOfTheMessageIsNoRemark(String text) {
        byte[] wire = text.getBytes(UTF_8);
        assertThat(LambdaDetection.remarkStart(wire, 0, wire.length)).isZero();
    }

    @Test
    void aRunOfWhiteSpaceIsTrimmedOnce() {
        LinearTime.check(
                "white space before a remark",
                size -> LinearTime.repeated("!Ik", " ", "cked)", size),
                wire -> LambdaDetection.remarkStart(wire, 0, wire.length));
    }
}
