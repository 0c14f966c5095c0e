package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.decode.ClaimedNames;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names are read from messages that no codec accepts. */
class ClaimedNamesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "slip; @a3 | f0 | c10 | S3 | d1; 62; 3",
                "slip; @a3,f0,c1,S2,d1; 1; 2",
                "slip; Sure! c9 is @A3|F0|c1|S0; 1; 0",
                "slip; @a3|f0|c|S!|c2; 2; ",
                "slip; @a3|c123456789012345|S1; ; 1",
                "slip; a3|f0|c1|S0; 1; 0",
                "slip; please create S0; ; ",
                "slip; @a=3|f=0|c=1|S=a; 1; 36",
                "slip; @a: 3|c:|S:5; ; 5",
                "slip; @A3|F0|C1|S0; 1; 0",
                "slip; @act:3|conv:1|src:0; 1; 0",
                "slip; @ACT=3|CONVERSATION=a|FROM=2#; 36; 2",
                "slip; @act:3|note:c7|conv:|src:!; ; ",
                "slip; @act: 3|ctx : 1|Sender\t= 2|c9|S9#; 1; 2",
                "slip; @a3|Source:1|conversation=z; 61; 1",
                "slip; @a3|c=1|S:2|c2|S3#; 1; 2",
                "slip; @a3|c1=7|S0; ; 0",
                "slip; @a3|=c1|:S0; 1; 0",
                "slip; @a3|f0|c=; ; ",
                "slip; @a3|f0|c1|S=; 1; ",
                "slip; @a3|f0|cAb|Sada#; 657; 140838",
                "slip; @a3|f0|cAb |Sada; 657; 140838",
                "slip; @bob, can you ask Sam about call center S3?; ; 3",
                "slip;   a3, f0, c1, S0; 1; 0",
                "slip; a3 f0 c1 S0; ; ",
                "slip; {\"act\":\"ASK\",\"frame\":\"PLAN\",\"c\":1}; ; ",
                "slip; {\"act\":\"ASK\",\"text\":\"@a2|c1|S0#\"}; 1; 0",
                "slip; @a3|f0|c550e8400-e29b-41d4-a716-446655440000|S3-coder; ; ",
                "slip; @a3|c_1|S2_a|cx-c7|c8; 8; ",
                "slip; @a3|c1.5|S-1|conv:a-b; ; ",
                "slip; @a3|c=7-8|S:9; ; 9",
                "slip; @a3|f0|c7|S2.; 7; 2",
                "slip; @a3|f0|c7. S2. Thanks; 7; 2",
                "csp; CSP/1\\nFROM: MAIN\\nTO: CODER; ; MAIN",
                "csp; CSP/1\\n\\n  from \\t MAIN \\nTO CODER; ; MAIN",
                "csp; From my side:\\nCSP/1 MODE\\nFROM MAIN, EXP; ; MAIN, EXP",
                "csp; FROM MAIN; ; MAIN",
                "csp; > CSP/1\\n> FROM MAIN\\n> TO A; ; MAIN",
                "csp; CSP/1\\n**FROM:** MAIN\\n**TO:** A; ; MAIN",
                "csp; b'CSP/1\\rFROM MAIN\\rTO A'; ; MAIN",
                "csp; CSP/1\\nFROM\\nTO A; ; ",
                "csp; CSP/1\\nFROMAGE A; ; ",
                "subit; {'type':'STATE','meta':{'agent':'a1','session':'s1'}}; s1; a1",
                "subit; {“Type”:“STATE”,“Meta”:{“Agent”:“a1”}}; ; a1",
                "subit; {\"meta\":{\"agent\" : \"a\\u0031\"}; ; ",
                "subit; {\"agent\":\"a1\"}; ; ",
                "subit; {\"meta\":{\"agent\":7,\"session\":\"\"}; ; ",
                "subit; {\"meta; ; ",
                "subit; {\"meta\"; ; ",
                "subit; {\"meta\":; ; ",
                "subit; {\"meta\",\"agent\":\"a1\"}; ; ",
                "subit; {\"metal\":{\"agent\":\"a1\"}}; ; ",
                "subit; {\"my_meta\":{\"agent\":\"a1\"}}; ; ",
                "subit; {\"agent\":\"a0\",\"meta\":{\"user_agent\":\"curl\",\"agent\":\"a1\"}}; ; a1",
                "subit; {meta: {session: \"s1\", agent : 'a1'}}; s1; a1",
                "subit; {`META`:{`SESSION`:`s1`,`AGENT`:`a1`}; s1; a1",
                "subit; {„meta“:{„session“:„s1“,‘agent’:‘a1’}; s1; a1",
                "subit; {\"meta\":{\"session\":\"Ana's\",\"agent\":'\"a\"'}; Ana's; \"a\"",
                "subit; {\"meta\":{\"session\":\"“a”\",\"agent\":“a\"b”}; “a”; a\"b",
                "subit; {\"meta\":{\"session\":“a–b…”,\"agent\":“ₜ怘€”}; a–b…; ₜ怘€",
                "subit; {\"meta\":{\"session\":‗s‗,\"agent\":…a…}; ; ",
                "subit; {\"meta\":{\"session\":€s€,\"agent\":怘a怘}; ; ",
                "subit; {\"meta\":{\"session\":\"s1\",\"agent\":\"a; s1; ",
                "subit; {\"meta\":{\"session\":\"s\\\\x\",\"agent\":\"a\\\"b\"}; ; ",
                "subit; {\"meta\":{\"agent\" ; ; ",
                "subit; {\"meta\":{\"agent\":  ; ; ",
                "subit; {\"meta\":{\"agent\":\"; ; ",
                "subit; {\"meta\":{\"agent\":“; ; ",
                "lambda; A: please review; ; A",
                "lambda; A>B: please; ; ",
                "lambda; pub: please; ; ",
                "lambda; A:!; ; ",
            })
    void namesAreReadWhereAMessageHasThem(String protocol, String wire, String conversation, String sender) {
        ClaimedNames names = NearMisses.of(WireProtocols.STANDARD.named(protocol))
                .claimedNames(wire.replace("\\n", "\n").replace("\\t", "\t").getBytes(UTF_8));
        assertThat(names.conversation()).isEqualTo(conversation);
        assertThat(names.sender() == null ? names.senderHint() : names.sender()).isEqualTo(sender);
    }

    @Test
    void namesBeyondTheFirstBytesAreNotRead() {
        String noise = " ".repeat(ClaimedNames.MAX_BYTES);
        for (WireProtocol<?> protocol : WireProtocols.STANDARD.all()) {
            byte[] wire = (noise + "@a3|c1|S0# {\"meta\":{\"agent\":\"a\"}} \nFROM A\n A: x").getBytes(UTF_8);
            assertThat(NearMisses.of(protocol).claimedNames(wire))
                    .as(protocol.name())
                    .isEqualTo(ClaimedNames.NONE);
        }
    }

    /** Each name is claimed exactly if it is whole before the end. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "slip; @a3|c1|S2#; 2; @a3|c1|S",
                "subit; {\"meta\":{\"agent\":\"a1\"}; a1; {\"meta\":{\"agent\":\"a1",
                "subit; {“meta”:{“agent”:“a1”}; a1; {“meta”:{“agent”:“a1"
            })
    void aNameThatReachesBeyondTheFirstBytesIsNotClaimed(String protocol, String wire, String sender, String cut) {
        NearMisses nearMisses = NearMisses.of(WireProtocols.STANDARD.named(protocol));
        for (int length = 0; length <= wire.length(); length++) {
            byte[] before = wire.substring(0, length).getBytes(UTF_8);
            byte[] value = (" ".repeat(ClaimedNames.MAX_BYTES - before.length) + wire).getBytes(UTF_8);
            assertThat(nearMisses.claimedNames(value).sender())
                    .as("%d characters", length)
                    .isEqualTo(length > cut.length() ? sender : null);
        }
    }

    @Test
    void anyBytesAreReadWithoutAnException() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        String[] pieces = {
            "@a3",
            "|c1",
            "|S0",
            "{",
            "\"meta\"",
            ":",
            "'agent'",
            "\u2018session\u2019",
            "\\",
            "CSP/1\n",
            "FROM",
            " ",
            "A",
            "\u00e9",
            "\n",
            "\""
        };
        for (int i = 0; i < 5_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int piece = random.nextInt(8); piece >= 0; piece--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            byte[] whole = text.toString().getBytes(UTF_8);
            byte[] wire = Arrays.copyOf(whole, random.nextInt(whole.length + 1));
            for (WireProtocol<?> protocol : WireProtocols.STANDARD.all()) {
                assertThat(NearMisses.of(protocol).claimedNames(wire))
                        .as("%s, -Dparley.seed=%d", text, seed)
                        .isNotNull();
            }
        }
    }
}
