package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.avro.LambdaToken;
import dev.parley.avro.LambdaTrust;
import dev.parley.avro.Performative;
import dev.parley.avro.Reference;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Traits;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is particular to Λ v0.6: the examples of its document, and the rows of PROTOCOLS §4.2 and §5 that a decoder can see. */
class LambdaCodecTest {

    private final LambdaCodec codec = new LambdaCodec();

    // Λ v0.6, every example: its kind and its statements.
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '¦',
            ignoreLeadingAndTrailingWhitespace = true,
            value = {
                "@v0.6#id:abc123 ¦ CONTEXT_ONLY ¦ ''",
                "{ctx:shared_state,def:local_definitions} ¦ CONTEXT_ONLY ¦ ''",
                "{v:0.6,id:msg001} ¦ CONTEXT_ONLY ¦ ''",
                "{def:prj=\"Lambda language project\"} ¦ CONTEXT_ONLY ¦ ''",
                "{ns:code} ¦ CONTEXT_ONLY ¦ ''",
                "@v0.6#h !Aw/s ?Uc/la ¦ HANDSHAKE ¦ ASSERT ASK",
                "@v0.6#h< !Ic/la=0.6 ¦ HANDSHAKE_REPLY ¦ ASSERT",
                "{def:ta=\"build Lambda skill\"} ¦ CONTEXT_ONLY ¦ ''",
                "<ctx ¦ STATEMENTS ¦ ACK",
                "!I*d/ta ¦ STATEMENTS ¦ ASSERT",
                ">> ¦ FLOOR ¦ ''",
                "<< ¦ FLOOR ¦ ''",
                ">< ¦ FLOOR ¦ ''",
                "-- ¦ FLOOR ¦ ''",
                "< ¦ STATEMENTS ¦ ACK",
                "<+ ¦ STATEMENTS ¦ AGREE",
                "<- ¦ STATEMENTS ¦ DISAGREE",
                "<? ¦ STATEMENTS ¦ CLARIFY",
                "<! ¦ STATEMENTS ¦ ACK_URGENT",
                "!er:pa ¦ STATEMENTS ¦ ERROR",
                "!er:un ¦ STATEMENTS ¦ ERROR",
                "!er:cx ¦ STATEMENTS ¦ ERROR",
                "!er:to ¦ STATEMENTS ¦ ERROR",
                "!er:ov ¦ STATEMENTS ¦ ERROR",
                "!Ik/co[n12] ¦ STATEMENTS ¦ ASSERT",
                "!er:un/co ¦ STATEMENTS ¦ ERROR",
                "{def:co=\"consciousness\"}!Ik/co ¦ STATEMENTS ¦ ASSERT",
                "@A1: !Ik ¦ STATEMENTS ¦ ASSERT",
                "@A*: !Ik ¦ STATEMENTS ¦ ASSERT",
                "@A1,A2: !Ik ¦ STATEMENTS ¦ ASSERT",
                "A1>A2>A3: !Ik ¦ STATEMENTS ¦ ASSERT",
                "{grp:council,mbr:[A1,A2,A3]} ¦ CONTEXT_ONLY ¦ ''",
                "{key:value,key2:value2} ¦ DATA_ONLY ¦ DATA",
                "[item1,item2,item3] ¦ DATA_ONLY ¦ DATA",
                "{ta:[{n:\"task1\",st:ok},{n:\"task2\",st:wa}]} ¦ DATA_ONLY ¦ DATA",
                "||h1|h2||r1c1|r1c2||r2c1|r2c2|| ¦ DATA_ONLY ¦ DATA",
                ".Uf/X{pr:^,ti:$60s} ¦ STATEMENTS ¦ COMMAND",
                "!fd/X{re:[...]} ¦ STATEMENTS ¦ ASSERT",
                "?X/co ¦ STATEMENTS ¦ ASK",
                "~X:th'em<pr/in ¦ STATEMENTS ¦ SUPPOSE",
                "<?em ¦ STATEMENTS ¦ CLARIFY",
                ">Ig/U[da]<Uw/[ti] ¦ STATEMENTS ¦ OFFER",
                "<->Ig/U[da]<Uw/[re] ¦ STATEMENTS ¦ COUNTER",
                "!st{ta:prj/la,pr:75%,bl:[er/pa],ne:[def/v0.7]} ¦ STATEMENTS ¦ ASSERT",
                "{auth:sig/abc123} ¦ CONTEXT_ONLY ¦ ''",
                "{enc:aes256}[encrypted_payload] ¦ ENCRYPTED ¦ ''",
                "pub: !Ik ¦ STATEMENTS ¦ ASSERT",
                "prv: !Ik ¦ STATEMENTS ¦ ASSERT",
                "sig: !Ik ¦ STATEMENTS ¦ ASSERT",
                // PROTOCOLS §4.2 and §5
                "#h ¦ STATEMENTS ¦ META",
                "@X ¦ STATEMENTS ¦ REFERENCE",
                "{topic:x} ¦ CONTEXT_ONLY ¦ ''",
                "{t:12} ¦ DATA_ONLY ¦ DATA",
                "{t:12}!Ik ¦ STATEMENTS ¦ ASSERT",
                "{} ¦ DATA_ONLY ¦ DATA",
                "@v0.6 {ctx:a} ¦ CONTEXT_ONLY ¦ ''",
                "@v0.6#h ¦ HANDSHAKE ¦ ''",
                "@v0.6 [1] ¦ DATA_ONLY ¦ DATA",
                "@v0.6 ||a||b|| ¦ DATA_ONLY ¦ DATA",
                "{enc:aes256}[n12] ¦ ENCRYPTED ¦ ''",
                "{enc:aes256} ¦ CONTEXT_ONLY ¦ ''",
                "{enc:aes256}!Ik ¦ STATEMENTS ¦ ASSERT",
                "[n12] ¦ DATA_ONLY ¦ DATA",
                "!It>Ie ¦ STATEMENTS ¦ ASSERT",
                "<co ¦ STATEMENTS ¦ ACK",
                "!er:unknown ¦ STATEMENTS ¦ ASSERT",
                "!Ik >> Uk ¦ STATEMENTS ¦ ASSERT",
                "!Ik||Uk ¦ STATEMENTS ¦ ASSERT",
            })
    void theKindOfAMessageAndOfItsStatements(String wire, LambdaKind kind, String statements) {
        LambdaMessage message = message(wire);
        assertThat(message.getKind()).isEqualTo(kind);
        assertThat(message.getStatements().stream()
                        .map(LambdaStatement::getKind)
                        .map(Enum::name)
                        .collect(Collectors.joining(" ")))
                .isEqualTo(statements);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '¦',
            value = {
                "@v0.6#id:abc123{ctx:a}!Ik ¦ @v0.6#id:abc123 {ctx:a}!Ik",
                "@v0.6#h#id:a@A1:prv:>>{ctx:a}!Ik--[n3] ¦ @v0.6#id:a#h @A1: prv: >> {ctx:a}!Ik --[n3]",
                "!st{ ta : prj / la, pr : 75 % } ¦ !st{ta:prj/la,pr:75%}",
                "!a  b ¦ !a b",
                "!a / b ¦ !a/b",
                "!st {a:b} ¦ !st{a:b}",
                "!Ik  ?Uk ¦ !Ik ?Uk",
                "{a:b}{c:d} !Ik ¦ {a:b}{c:d}!Ik",
                "[1]!Ik ¦ [1] !Ik",
                "!Ik[n 12] ¦ !Ik[n 12]",
                "!Ik [n12] ¦ !Ik [n12]",
                "!Ik[ n12] ¦ !Ik [n12]",
                "!Ik[n003] ¦ !Ik[n3]",
                "!Ik[n99999999999999999999] ¦ !Ik[n2147483647]",
                "!Ik>> ¦ !Ik >>",
                "<<< ¦ << <",
                ">>< ¦ >> <",
                ">><< ¦ >> <<",
                "A: @A1:><<[n1] ¦ @A1: >< <[n1]",
                "!Ik<<< ¦ !Ik< <<",
                "A: !Ik ¦ !Ik",
                "A1>A2:!Ik ¦ A1>A2: !Ik",
                "@A1, A2 : !Ik ¦ @A1,A2: !Ik",
                "{enc:aes256} [ a b ] ¦ {enc:aes256}[ a b ]",
                "!x\"a  b\" ¦ !x\"a  b\"",
                "|| a | b || c | d || ¦ ||a|b||c|d||",
            })
    void theCanonicalForm(String wire, String canonical) {
        assertThat(canonical(wire)).isEqualTo(canonical);
        assertThat(canonical(canonical)).isEqualTo(canonical);
    }

    // Offsets are those of the bytes: after an é they are one more than those of the characters.
    @ParameterizedTest(name = "{0} is {1} at {2}")
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            value = {
                "`` ¦ LAMBDA_EMPTY ¦ 0",
                "` \n\t ` ¦ LAMBDA_EMPTY ¦ 4",
                "`A: ` ¦ LAMBDA_EMPTY ¦ 3",
                "!st{a:1 ¦ LAMBDA_UNBALANCED ¦ 7",
                "`!st[1  ` ¦ LAMBDA_UNBALANCED ¦ 7",
                "!st{a:[1} ¦ LAMBDA_UNBALANCED ¦ 8",
                "!st} ¦ LAMBDA_UNBALANCED ¦ 3",
                "!st] ?{ ¦ LAMBDA_UNBALANCED ¦ 3",
                "||a|b ¦ LAMBDA_UNBALANCED ¦ 5",
                "[||a] ¦ LAMBDA_UNBALANCED ¦ 4",
                "foo [ ¦ LAMBDA_UNBALANCED ¦ 5",
                "!\"abc ¦ LAMBDA_BAD_STRING ¦ 1",
                "!\"é\\n\" ¦ LAMBDA_BAD_STRING ¦ 4",
                "!\"abc\\ ¦ LAMBDA_BAD_STRING ¦ 1",
                "{def:a=\"x\\q\"} ¦ LAMBDA_BAD_STRING ¦ 9",
                "hello ¦ LAMBDA_NO_TYPE ¦ 0",
                "{ctx:a}hello ¦ LAMBDA_NO_TYPE ¦ 7",
                "`{ctx:a}  [1]  hello` ¦ LAMBDA_NO_TYPE ¦ 14",
                "@v0.6 hello ¦ LAMBDA_NO_TYPE ¦ 6",
                "A:!Ik ¦ LAMBDA_NO_TYPE ¦ 0",
                "@A1: ¦ LAMBDA_NO_TYPE ¦ 4",
                "prv: ¦ LAMBDA_NO_TYPE ¦ 4",
                "! ¦ LAMBDA_MALFORMED ¦ 1",
                "!Ik ? .Uf ¦ LAMBDA_MALFORMED ¦ 9",
                "<-> ¦ LAMBDA_MALFORMED ¦ 3",
                "!I\u0007k ¦ LAMBDA_MALFORMED ¦ 2",
                "@v0.6#id: !Ik ¦ LAMBDA_MALFORMED ¦ 5",
                "@v0.6 @v0.6 !Ik ¦ LAMBDA_MALFORMED ¦ 6",
                "@A1: @A2: !Ik ¦ LAMBDA_MALFORMED ¦ 5",
                "@v0.6#id:a#id:b !Ik ¦ LAMBDA_MALFORMED ¦ 10",
                "{foo}!Ik ¦ LAMBDA_MALFORMED ¦ 1",
                "{ctx: a , , b:c}!Ik ¦ LAMBDA_MALFORMED ¦ 10",
                "{:a}!Ik ¦ LAMBDA_MALFORMED ¦ 1",
                ">> << !Ik ¦ LAMBDA_MALFORMED ¦ 3",
                "[[[[[[[[[[[ ¦ TOO_DEEP ¦ 10",
                "!{a:||{a:||{a:||{a:||{a:||[ ¦ TOO_DEEP ¦ 26",
            })
    void bytesThatAreNoMessage(String wire, Code code, int offset) {
        assertThat(codec.decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT)).satisfies(result -> {
            Malformed<?> fault = (Malformed<?>) result;
            assertThat(fault.code()).isEqualTo(code);
            assertThat(fault.offset()).isEqualTo(offset);
        });
    }

    // Each is accepted by the lenient profile with that warning alone, and refused by the strict one at that offset.
    @ParameterizedTest(name = "{0} has {1} at {2}")
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            value = {
                "@v0.5 !Ik ¦ LAMBDA_VERSION ¦ 0",
                "`  @v1.1 !Ik` ¦ LAMBDA_VERSION ¦ 2",
                "{v:0.7}!Ik ¦ LAMBDA_VERSION ¦ 3",
                "@v ¦ LAMBDA_VERSION_FEATURE ¦ 0",
                "!Ik @c ¦ LAMBDA_VERSION_FEATURE ¦ 4",
                "@v0.6#id:a {id:b}!Ik ¦ LAMBDA_ID_MISMATCH ¦ 15",
                "{id:a}{id:b}!Ik ¦ LAMBDA_ID_MISMATCH ¦ 10",
                "!Ié ¦ LAMBDA_NON_ASCII ¦ 2",
                "{ctx:é}!I ¦ LAMBDA_NON_ASCII ¦ 5",
                "A: !Ik ¦ LAMBDA_SENDER_LABEL ¦ 0",
                "` Agent_7:\n!Ik` ¦ LAMBDA_SENDER_LABEL ¦ 1",
                "!er:ve ¦ LAMBDA_UNKNOWN_ERROR_CODE ¦ 4",
                "!er:am/x ¦ LAMBDA_UNKNOWN_ERROR_CODE ¦ 4",
                "!er:mi ¦ LAMBDA_UNKNOWN_ERROR_CODE ¦ 4",
                "`!Ik  !er:zz` ¦ LAMBDA_UNKNOWN_ERROR_CODE ¦ 9",
                "!Ik/co[n5] ¦ LAMBDA_CHECKSUM_BODY_ONLY ¦ 6",
                "!Ik ?Uk[n5] ¦ LAMBDA_CHECKSUM_BODY_ONLY ¦ 7",
                "@A1: @v0.6 !Ik ¦ LAMBDA_ORDER ¦ 5",
                "{ctx:a} prv: !Ik ¦ LAMBDA_ORDER ¦ 8",
                "prv: A1>A2: !Ik ¦ LAMBDA_ORDER ¦ 5",
                "\uFEFF!Ik ¦ BYTE_ORDER_MARK ¦ 0",
            })
    void departuresFromForm(String wire, Code code, int offset) {
        assertThat(decoded(wire).warnings()).containsExactly(code);
        Malformed<?> fault = (Malformed<?>) codec.decode(wire.getBytes(UTF_8), DecodeOptions.STRICT);
        assertThat(fault.code()).isEqualTo(code);
        assertThat(fault.offset()).isEqualTo(offset);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '¦',
            value = {
                "!Ik/co[n6] ¦",
                "!Ik/co[n06] ¦",
                "!Ik/co[n12] ¦ LAMBDA_CHECKSUM",
                "!Ik/co[n99999999999] ¦ LAMBDA_CHECKSUM",
                "!Ik   /  co[n6] ¦",
                "!Ik    ?Uk[n7] ¦",
                "!\"é😀\"[n5] ¦",
                "[1,2][n5] ¦",
                "<ctx[n4] ¦",
                "!er:un/co[n9] ¦",
                "<->Ig[n5] ¦",
                "@v0.6 @A1: {ctx:a}!Ik --[n3] ¦",
                "{ctx:a}[n0] ¦",
                "{ctx:a}[n7] ¦ LAMBDA_CHECKSUM",
                "!Ik [n12] ¦",
                "!Ik[n 12] ¦",
                "!Ik[\"n12\"] ¦",
                "!Ik[n12] -- ¦",
                "{enc:aes256}[n12] ¦",
                "@v0.6[n12] ¦",
                "||a|b||c|| ¦ LAMBDA_TABLE_RAGGED",
                "!st{t:||a||b|c||} ¦ LAMBDA_TABLE_RAGGED",
                "[||a|b||c|d||,||a||b||] ¦",
                "||a|b||c||[n1] ¦ LAMBDA_TABLE_RAGGED,LAMBDA_CHECKSUM",
            })
    void whatIsIllegalWhereverItStands(String wire, String violations) {
        for (DecodeOptions options : List.of(DecodeOptions.LENIENT, DecodeOptions.STRICT)) {
            assertThat(decoded(wire.getBytes(UTF_8), options).violations().stream()
                            .map(Enum::name)
                            .collect(Collectors.joining(",")))
                    .isEqualTo(violations == null ? "" : violations);
        }
    }

    @Test
    void theExampleOfAChecksumInTheDocumentIsWrong() {
        assertThat(message("!Ik/co[n12]").getChecksum()).isEqualTo(12);
        assertThat(decoded("!Ik/co[n12]").violations()).containsExactly(Code.LAMBDA_CHECKSUM);
    }

    @Test
    void headerAddressAndTrustAreRead() {
        LambdaMessage message = message("@v0.6#id:ab-1 @A1,A*: sig: >> {ns:code}!Ik <<");
        assertThat(message.getVersion()).isEqualTo("0.6");
        assertThat(message.getId()).isEqualTo("ab-1");
        assertThat(message.getHeaderId()).isTrue();
        assertThat(message.getAddress()).containsExactly("A1", "A*");
        assertThat(message.getTrust()).isEqualTo(LambdaTrust.SIGNED);
        assertThat(message.getFloorBefore()).isEqualTo(LambdaFloor.TAKE);
        assertThat(message.getFloorAfter()).isEqualTo(LambdaFloor.YIELD);
        assertThat(message("!Ik").getVersion()).isNull();
        assertThat(message("{id:\"m 1\"}!Ik").getId()).isEqualTo("m 1");
        assertThat(message("{id:m1}!Ik").getHeaderId()).isFalse();
        assertThat(message("A1>B>C_3: !Ik").getRelay()).containsExactly("A1", "B", "C_3");
        assertThat(message("A: !Ik").getLabel()).isEqualTo("A");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '¦',
            value = {
                "{def:co=\"consciousness\"} ¦ co=consciousness",
                "{def:a=1,b=\"x, y\",ns:code} ¦ a=1 b=x, y",
                "{def:a=[1,2],ctx:x=y} ¦ a=[1,2]",
                "{def:q=\"\\\"\\{\\}\\:\\\\\"} ¦ q=\"{}:\\",
                "{def:local_definitions} ¦ ''",
                "{def:a=1}{def:b=2}!Ik ¦ a=1 b=2",
                "!Ik{def:a=1} ¦ ''",
            })
    void definitionsOfContexts(String wire, String definitions) {
        assertThat(message(wire).getDefinitions().stream()
                        .map(definition -> definition.getName() + "=" + definition.getValue())
                        .collect(Collectors.joining(" ")))
                .isEqualTo(definitions);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '¦',
            value = {
                "<ctx ¦ ctx ¦ ''",
                "< ¦ ¦ ''",
                "<?em ¦ em ¦ ''",
                "<pr/in ¦ pr/in ¦ ''",
                "<+U[a b] ¦ U[a b] ¦ ''",
                "<+U x ¦ U ¦ x",
            })
    void theArgumentOfAnAcknowledgementIsTheRestOfItsToken(String wire, String argument, String tokens) {
        LambdaStatement statement = message(wire).getStatements().get(0);
        assertThat(statement.getArgument()).isEqualTo(argument);
        assertThat(texts(statement.getTokens())).isEqualTo(tokens);
    }

    @Test
    void anErrorHasACodeAndADetail() {
        LambdaStatement error = message("!er:un / co").getStatements().get(0);
        assertThat(error.getErrorCode()).isEqualTo("un");
        assertThat(error.getErrorDetail()).isEqualTo("co");
        assertThat(message("!er:pa").getStatements().get(0).getErrorDetail()).isNull();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '`',
            value = {
                "!Ik/co ¦ ENTITY:I VERB:k SYMBOL:/ EXTENDED:co",
                "!X:th'em<pr/in ¦ ENTITY:X SYMBOL:: EXTENDED:th SYMBOL:' EXTENDED:em SYMBOL:< EXTENDED:pr SYMBOL:/ EXTENDED:in",
                ".Uf{ti:$60s} ¦ ENTITY:U VERB:f SYMBOL:{ EXTENDED:ti SYMBOL:: NUMBER:$60s SYMBOL:}",
                "!c=0.6 ¦ VERB:c SYMBOL:= NUMBER:0.6",
                "!75% ¦ NUMBER:75%",
                "!prj ¦ UNKNOWN:prj",
                "!shared_state ¦ UNKNOWN:shared_state",
                "!é ¦ UNKNOWN:é",
                "!\"a \\\" b\" ¦ STRING:\"a \\\" b\"",
                "!I>>U||--x ¦ ENTITY:I SYMBOL:>> ENTITY:U SYMBOL:|| SYMBOL:-- VERB:x",
                "`!a b` ¦ `VERB:a SYMBOL:  VERB:b`",
                "!A1 ¦ ENTITY:A NUMBER:1",
            })
    void tokensAreToldByTheirForm(String wire, String tokens) {
        assertThat(message(wire).getStatements().get(0).getTokens().stream()
                        .map(token -> token.getKind() + ":" + token.getText())
                        .collect(Collectors.joining(" ")))
                .isEqualTo(tokens);
    }

    @Test
    void anEncryptedPayloadIsOpaque() {
        LambdaMessage message = message("{enc:aes256}[ not \"balanced{]] ]");
        assertThat(message.getKind()).isEqualTo(LambdaKind.ENCRYPTED);
        assertThat(message.getEncryption()).isEqualTo("aes256");
        assertThat(message.getEncrypted()).isEqualTo(" not \"balanced{]] ");
        assertThat(message("{enc:x}[a][n1]").getEncrypted()).isEqualTo("a][n1");
        assertThat(message("!Ik{enc:x}[a]").getEncrypted()).isNull();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '¦',
            value = {
                "?Uk ¦ ASK",
                "!Ik ¦ ASSERT",
                "~Ik ¦ ASSERT",
                ".Uf ¦ REQUEST",
                ">Ig ¦ PROPOSE",
                "<->Ig ¦ PROPOSE",
                "< ¦ ACKNOWLEDGE",
                "<! ¦ ACKNOWLEDGE",
                "<? ¦ ASK",
                "<+ ¦ ACCEPT",
                "<- ¦ REJECT",
                "!er:un ¦ FAILURE",
                "#x ¦ CONTROL",
                "@X ¦ ASSERT",
                "[1] ¦ ASSERT",
                "@v0.6#h !Aw ¦ CONTROL",
                "@v0.6#h< !Aw ¦ CONTROL",
                ">> ¦ CONTROL",
                "{ctx:a} ¦ CONTEXT",
                "{enc:a}[x] ¦ ASSERT",
                "!Ik ?Uk ¦ ASSERT",
            })
    void thePerformativeIsThatOfTheKindOrOfTheFirstStatement(String wire, Performative performative) {
        assertThat(codec.traits(message(wire)).performative()).isEqualTo(performative);
    }

    @Test
    void traitsNameWhatTheMessageNames() {
        Traits traits = codec.traits(message("A: @v0.6#id:m1 @B,C: !er:un"));
        assertThat(traits.conversation()).isNull();
        assertThat(traits.sender()).isNull();
        assertThat(traits.senderHint()).isEqualTo("A");
        assertThat(traits.recipients()).containsExactly("B", "C");
        assertThat(traits.replyTo()).isNull();
        assertThat(traits.references()).containsExactly(new Reference("message", "m1"), new Reference("error", "un"));
        assertThat(codec.traits(message("A>B>C: !Ik")).recipients()).containsExactly("B", "C");
        assertThat(codec.traits(message("@v0.6#h< !Ik")).replyTo()).isEqualTo("h");
    }

    @Test
    void faultsComeInTheirOrderNotInThatOfTheText() {
        // The type is missing at 0, but the unknown escape is a lexical fault.
        assertThat(malformed("foo \"\\n\"").code()).isEqualTo(Code.LAMBDA_BAD_STRING);
        assertThat(malformed("{foo}@A1:@A1:!Ik").offset()).isEqualTo(9);
        assertThat(malformed("! ?X").code()).isEqualTo(Code.LAMBDA_MALFORMED);
        assertThat(malformed("{foo}!").offset()).isEqualTo(1);
    }

    @Test
    void theFirstLexicalFaultIsTheOneFurthestLeft() throws Exception {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        wire.write("!\"\\n\"".getBytes(UTF_8));
        wire.write(0xFF);
        assertThat(((Malformed<?>) codec.decode(wire.toByteArray(), DecodeOptions.LENIENT)).code())
                .isEqualTo(Code.LAMBDA_BAD_STRING);
        byte[] second = {'!', '"', 'a', (byte) 0xC3, '"', ' ', '}'};
        Malformed<?> fault = (Malformed<?>) codec.decode(second, DecodeOptions.LENIENT);
        assertThat(fault.code()).isEqualTo(Code.LAMBDA_BAD_UTF8);
        assertThat(fault.offset()).isEqualTo(3);
    }

    // A quarter of a megabyte of each would take minutes if the cost were quadratic.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[",
                "}",
                "\"",
                "\\",
                "|",
                "||",
                "<",
                "< ",
                "> ",
                "!a ",
                "<a{} ",
                "[] ",
                "{} ",
                "{a:b}",
                "{enc:a}[",
                "{}",
                "[n1",
                "@A,",
                "A>",
                "@v0.6 ",
                "#id:a",
                "-",
                "- ",
                ">>",
                ">> ",
                ",",
                ":",
                "\"\"",
                "\"\\\\",
                "1.",
                "é",
                "   ",
                "a ",
                "||a",
                "|| ",
                "<a >>",
                "<+ <<"
            })
    void theCostIsLinearForAnyInput(String piece) {
        for (String opening : List.of("", "!", "{ctx:a", "!\"", "{enc:a}", "@v0.6 ")) {
            byte[] wire = Arrays.copyOf(
                    (opening + piece.repeat((1 << 18) / piece.getBytes(UTF_8).length)).getBytes(UTF_8), 1 << 18);
            Assertions.assertTimeout(
                    Duration.ofSeconds(5), () -> codec.decode(wire, DecodeOptions.LENIENT), "opened by " + opening);
        }
    }

    @Test
    void aRecordThatNoMessageCanSayIsRefused() {
        refused(message("@v0.6 !Ik"), message -> message.setVersion("six"), "version");
        refused(message("!Ik"), message -> message.setHandshake(true), "version");
        refused(message("@v0.6#id:a !Ik"), message -> message.setId("a b"), "id");
        refused(message("!Ik"), message -> message.setId("a"), "id");
        refused(message("@A: !Ik"), message -> message.setAddress(List.of("a")), "address");
        refused(message("A>B: !Ik"), message -> message.setRelay(List.of("A")), "relay");
        refused(message("!Ik"), message -> message.setTrust(LambdaTrust.UNKNOWN), "trust");
        refused(message("!Ik"), message -> message.setFloorAfter(LambdaFloor.UNKNOWN), "floor");
        refused(message("!Ik"), message -> message.setStatements(List.of()), "statements");
        refused(message("!Ik"), message -> message.setChecksum(-1), "checksum");
        refused(
                message("!Ik"),
                message -> message.getStatements().get(0).setKind(LambdaStatementKind.UNKNOWN),
                "UNKNOWN");
        refused(message("!Ik"), message -> message.getStatements().get(0).setArgument("x"), "argument");
        refused(message("!Ik"), message -> message.getStatements().get(0).setTokens(List.of()), "tokens");
        refused(message("!er:un"), message -> message.getStatements().get(0).setErrorCode(null), "errorCode");
    }

    private void refused(LambdaMessage message, Consumer<LambdaMessage> change, String field) {
        codec.encode(message);
        change.accept(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.encode(message))
                .withMessageContaining(field);
    }

    private static String texts(List<LambdaToken> tokens) {
        return tokens.stream().map(LambdaToken::getText).collect(Collectors.joining());
    }

    private String canonical(String wire) {
        return new String(codec.encode(message(wire)), UTF_8);
    }

    private LambdaMessage message(String wire) {
        return decoded(wire).message();
    }

    private Decoded<LambdaMessage> decoded(String wire) {
        return decoded(wire.getBytes(UTF_8), DecodeOptions.LENIENT);
    }

    private Decoded<LambdaMessage> decoded(byte[] wire, DecodeOptions options) {
        DecodeResult<LambdaMessage> result = codec.decode(wire, options);
        assertThat(result).as(new String(wire, UTF_8)).isInstanceOf(Decoded.class);
        return (Decoded<LambdaMessage>) result;
    }

    private Malformed<LambdaMessage> malformed(String wire) {
        return (Malformed<LambdaMessage>) codec.decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT);
    }
}
