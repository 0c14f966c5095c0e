package dev.parley.gloss;

import static dev.parley.gloss.Examples.gloss;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Capture;
import dev.parley.avro.CaptureMark;
import dev.parley.avro.HttpField;
import dev.parley.avro.JsonRpcKind;
import dev.parley.avro.LambdaDefined;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.LambdaState;
import dev.parley.dialogue.Dialogue;
import dev.parley.dialogue.StoredText;
import dev.parley.protocol.Glosses;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares glosses with the meanings that the protocol documents give their examples. */
class GlossesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '=',
            quoteCharacter = '\0',
            value = {
                // nSLIP "Common Patterns", SLIP v0.1 §4
                "@a3|f0|c1|S0|d1|T1|g1|k1|q2|t\"implement_auth\"#"
                        + "= Agent 0 (coordinator) asks agent 1 (planner) to do task 1 of goal 1, priority 2:"
                        + " implement_auth",
                "@a4|f1|c1|S1|d0|T2|g1|k1|q2|t\"plan_v1\"#"
                        + "= Agent 1 (planner) proposes the plan for task 1 of goal 1 to agent 0 (coordinator),"
                        + " priority 2:"
                        + " plan_v1",
                "@a1|f2|c1|S2|d0|T3|g1|k1|r1|u\"done\"|t\"exec_status\"#"
                        + "= Agent 2 (executor) informs agent 0 (coordinator) about the observation of task 1 of goal"
                        + " 1,"
                        + " result 1, status done: exec_status",
                "@a8|f3|c1|S3|d0|T4|g1|k1|s8|t\"ok\"#"
                        + "= Agent 3 (critic) gives agent 0 (coordinator) the evaluation of task 1 of goal 1, score 8:"
                        + " ok",
                "@a3|f0|c3|S0|d1|T1|gH|kg|q2|t\"refactor_auth\"#"
                        + "= Agent 0 (coordinator) asks agent 1 (planner) to do task 42 of goal 17, priority 2:"
                        + " refactor_auth",
                // the other acts of SLIP v0.1 §2
                "@a0|f2|c1|S2|d0|T1|k1# = Agent 2 (executor) reports to agent 0 (coordinator) the observation of task 1",
                "@a2|f0|c1|S0|d2|T1|k5# = Agent 0 (coordinator) asks agent 2 (executor) about task 5",
                "@a5|f0|c1|S2|d0|T1|k1# = Agent 2 (executor) commits itself to agent 0 (coordinator) to do task 1",
                "@a6|f1|c1|S0|d1|T1|k1# = Agent 0 (coordinator) tells agent 1 (planner) that it accepts the plan for task 1",
                "@a7|f1|c1|S0|d1|T1|k1# = Agent 0 (coordinator) tells agent 1 (planner) that it rejects the plan for task 1",
                "@a9|f0|c1|S4|d0|T1|k1|p2|e3|t\"x\"# = Agent 4 reports an error to agent 0 (coordinator) about task 1, part of"
                        + " task 2, error 3: x",
                "@aA|f4|c1|S4|d5|T1|t\"v2\"# = Agent 4 tells agent 5 about the protocol or its capabilities: v2",
            })
    void slipActsHaveAgentsRolesAndTasks(String wire, String gloss) {
        assertThat(gloss(wire)).isEqualTo(gloss);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '=',
            quoteCharacter = '\0',
            value = {
                "STATE 000110 = Agent A is in form 6 (000110)",
                "INTENT 000110110001 = Agent A intends the transition from form 6 (000110) to form 49 (110001)",
                "ACTION 011011110001 = Agent A carries out the transition from form 27 (011011) to form 49 (110001)",
                "PLAN 000110 110001 011011 = Agent A plans 2 transitions, from form 6 (000110) to 49 (110001) to 27"
                        + " (011011)",
                "TRACE 011011000100 = Agent A explains the transition from form 27 (011011) to form 4 (000100)",
                "ERROR 111111 = Agent A reports an error, form 63 (111111)",
            })
    void subitFormsHaveNumbersBitsAndTransitions(String notation, String gloss) {
        int space = notation.indexOf(' ');
        String wire = "{\"type\":\"" + notation.substring(0, space) + "\",\"payload\":\""
                + notation.substring(space + 1) + "\",\"meta\":{\"agent\":\"A\"}}";
        assertThat(gloss(wire)).isEqualTo(gloss);
        assertThat(gloss(wire.replace(",\"meta\":{\"agent\":\"A\"}", ""))).startsWith("An agent ");
        assertThat(gloss(wire.replace("\"A\"}", "\"\"}"))).startsWith("An agent ");
    }

    @Test
    void cspBlocksSayWhoGivesWhomWhat() {
        assertThat(gloss(
                        csp("MAIN", "CODE_EXP", "TASK", """
                TASK T001
                REQ find auth middleware
                IN SRC,LIB
                OUT FILE_REFS
                OWNER CODE_EXP
                PRIORITY P1"""),
                        Map.of("SRC", "src/", "LIB", "lib/", "CODE_EXP", "code-explorer")::get))
                .isEqualTo("MAIN gives CODE_EXP task T001: find auth middleware in SRC (src/), LIB (lib/)");
        assertThat(gloss(csp("CODE_EXP", "MAIN", "RESULT", """
                RESULT T001
                STATUS OK
                PRODUCED FILE_REFS_001
                DATA src/middleware/auth.ts:24-67;lib/utils/jwt.ts:12-45""")))
                .isEqualTo("CODE_EXP tells MAIN that T001 is done, with FILE_REFS_001:"
                        + " src/middleware/auth.ts:24-67;lib/utils/jwt.ts:12-45");
        assertThat(gloss(csp("CODE_EXP", "MAIN", "ERROR", """
                ERROR E001
                AT T001
                CAUSE no matches found in SRC,LIB
                NEXT try broader scope or different keywords""")))
                .isEqualTo("CODE_EXP reports error E001 at T001 to MAIN: no matches found in SRC,LIB;"
                        + " next: try broader scope or different keywords");
        assertThat(gloss(csp("MAIN", "CODER", "PATCH", """
                PATCH P001
                BASE C0
                + DEF NEW_ITEM = value
                ~ DEF OLD_ITEM := new_value
                - DEF REMOVED_ITEM
                APPLY -> C1""")))
                .isEqualTo(
                        "MAIN patches C0 to C1 (P001) for CODER: adds NEW_ITEM = value, changes OLD_ITEM to new_value,"
                                + " removes REMOVED_ITEM");
        assertThat(gloss(csp("MAIN", "CODER", "FILE", """
                FILEOP F001 PATCH
                PATH src/file.ts
                BASE hash123
                CONTENT
                <<<
                +line
                >>>""")))
                .isEqualTo("MAIN sends CODER file operation F001 (PATCH) on src/file.ts, based on hash123");
        assertThat(gloss(csp("MAIN", "CODER", "QUERY", "QUERY Q1\nASK where is SRC")))
                .isEqualTo("MAIN asks CODER a question: Q1, ASK where is SRC");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '\0',
            value = {
                // Λ v0.6 §2.1
                "@v0.6#h !Aw/s ?Uc/la → I want to speak. Can you use language?",
                "@v0.6#h< !Ic/la=0.6 → I can use language version 0.6.",
                // §2.2
                "{def:ta=\"build Lambda skill\"} → I define ta as \"build Lambda skill\".",
                "<ctx → Context accepted.",
                "!I*d/ta → We do the task.",
                // §2.3
                ">> → I take the floor.",
                "<< → I yield the floor.",
                ">< → A brief interjection.",
                "-- → I continue.",
                // §2.4
                "< → Acknowledged.",
                "<+ → Acknowledged, I agree.",
                "<- → Acknowledged, I disagree.",
                "<? → Acknowledged, I need clarification.",
                "<! → Acknowledged, an urgent response follows.",
                // §3.1, §3.3
                "!er:pa → Error: parse error; please resend more clearly.",
                "!er:un/co → Error: unknown term co; please define it.",
                "!er:cx → Error: context mismatch; please establish the context again.",
                "!er:to → Error: timeout; please retry or abort.",
                "!er:ov → Error: too complex; please simplify.",
                "{def:co=\"consciousness\"}!Ik/co → I define co as \"consciousness\". I know about consciousness.",
                // §4
                "@A1: !Ik → To A1: I know.",
                "@A*: !Ik → To all: I know.",
                "@A1,A2: !Ik → To A1 and A2: I know.",
                "A1>A2>A3: !Ik → From A1 via A2 to A3: I know.",
                "{grp:council,mbr:[A1,A2,A3]} → Context: group council, members A1, A2, A3.",
                // §5
                "{key:value,key2:value2} → Data: key value, key2 value2.",
                "[item1,item2,item3] → Data: item1, item2, item3.",
                "{ta:[{n:\"task1\",st:ok},{n:\"task2\",st:wa}]} → Data: task name task1, status success; name task2,"
                        + " status wait.",
                "||h1|h2||r1c1|r1c2||r2c1|r2c2|| → Data: table h1, h2; r1c1, r1c2; r2c1, r2c2.",
                // §6.1
                ".Uf/X{pr:^,ti:$60s} → Find X, priority high, timeout 60s.",
                "!fd/X{re:[a,b]} → Found X, results a, b.",
                // §6.2
                "?X/co → What about consciousness?",
                "~X:th'em<pr/in → Perhaps X is thought of emergence because intention process.",
                "<?em → Acknowledged, I need clarification: emergence.",
                // §6.3
                ">Ig/U[da]<Uw/[ti] → I offer you data and want time.",
                "<->Ig/U[da]<Uw/[re] → Counter-offer: I offer you data and want results.",
                // §6.4
                "!st{ta:prj/la,pr:75%,bl:[er/pa],ne:[def/v0.7]} → Status: task language project, progress 75%, blocked"
                        + " by"
                        + " parse error, needs v0.7 definitions.",
                // §7
                "{auth:sig/abc123} → Context: signature sig/abc123.",
                "{enc:aes256}[encrypted_payload] → Encrypted message (aes256).",
                "pub: !Ik → Public: I know.",
                // Λ v0.1 and v0.2, whose vocabulary v0.6 uses
                "?Uk/co → Do you know about consciousness?",
                "!It>Ie → I think therefore I exist.",
                "!IgU/da → I give you data.",
                // domains of other versions have no gloss
                "!e:gn → e:gn.",
                "!a:nd a:hb ok → a:nd a:hb success.",
                ".a:pb e:gn>a:nd → a:pb e:gn therefore a:nd.",
                "!Ik/c:er → I know about c:er.",
                "!Ik/co&c:fn → I know about consciousness and c:fn.",
                "@* !Ik/co → @*. I know about consciousness.",
                "@c co er !Ik/co → @c co er. Ik/co.",
                "@c !co @* !Ik/co → @c. co. @*. I know about consciousness.",
                "@x !Ik/co → See x. I know about consciousness.",
                // unknown atoms are shown as they are
                "!kp/zz{qq:1} → kp/zz: qq 1.",
                ".Rn/te{ti:$30s} → Rn/te: timeout 30s.",
            })
    void lambdaMessagesAreSentencesOfTheirSender(String wire, String gloss) {
        assertThat(gloss(wire)).isEqualTo(gloss);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'add','arguments':{'a':1}}}; An agent"
                        + " calls tool add with {'a':1}",
                "{'jsonrpc':'2.0','id':1,'method':'prompts/get','params':{'name':'p'}}; An agent asks for prompt p",
                "{'jsonrpc':'2.0','id':1,'method':'resources/read','params':{'uri':'a:b'}}; An agent reads a:b",
                "{'jsonrpc':'2.0','id':1,'method':'resources/subscribe','params':{'uri':'a:b'}}; An agent subscribes to"
                        + " a:b",
                "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'2025-11-25'}}; An agent"
                        + " starts a session of version 2025-11-25",
                "{'jsonrpc':'2.0','id':1,'method':'acme/x'}; An agent requests acme/x",
                "{'jsonrpc':'2.0','id':'a','result':{}}; An agent answers request 'a': {}",
                "{'jsonrpc':'2.0','id':1,'result':{'isError':true}}; An agent answers request 1, which has failed:"
                        + " {'isError':true}",
                "{'jsonrpc':'2.0','id':1,'error':{'code':-32601,'message':'no'}}; An agent answers request 1 with error"
                        + " -32601: no",
                "{'jsonrpc':'2.0','error':{'code':-32700,'message':'no'}}; An agent reports error -32700: no",
                "{'jsonrpc':'2.0','method':'notifications/initialized'}; An agent ends the initialization",
                "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':7}}; An agent cancels request"
                        + " 7",
                "{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':'t','progress':2}}; An"
                        + " agent reports progress 2 of 't'",
                "{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}; An agent notifies of"
                        + " tools/list_changed",
                "[{'jsonrpc':'2.0','id':1,'method':'ping'}]; An agent sends a batch of 1 messages",
            })
    void mcpMessagesNameToolsAndArguments(String wire, String gloss) {
        assertThat(Examples.gloss(wire.replace('\'', '"'))).isEqualTo(gloss.replace('\'', '"'));
    }

    @Test
    void aGapSaysWhatWasLostAndIsNoEnd() {
        AgentMessage ping = Examples.message("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}".getBytes(UTF_8));
        Capture capture = new Capture();
        capture.setMark(CaptureMark.GAP);
        capture.setFields(List.of(new HttpField("parley-loss", "records=3 bytes=120")));
        ping.getMcp().getMessage().setKind(JsonRpcKind.NONE);
        ping.getMcp().setCapture(capture);

        assertThat(Glosses.STANDARD.gloss(ping, Definitions.NONE))
                .isEqualTo("An agent continues after lost messages: records=3 bytes=120");
        capture.setMark(CaptureMark.END);
        assertThat(Glosses.STANDARD.gloss(ping, Definitions.NONE)).isEqualTo("An agent ends the session");
    }

    @Test
    void definitionsInForceAreExpandedOnce() {
        assertThat(gloss("!I*d/ta ?Uk/ta", Map.of("ta", "build Lambda skill")::get))
                .isEqualTo("We do ta (build Lambda skill). Do you know about ta?");
        assertThat(gloss("!st{ta:prj/la}", Map.of("prj", "Lambda language project")::get))
                .contains("Lambda language project");
        assertThat(gloss("!Ik/co", Map.of("co", "coverage")::get)).isEqualTo("I know about co (coverage).");
    }

    @Test
    void aDefinitionOfTheMessageReplacesAnEarlierOne() {
        assertThat(gloss("{def:ta=\"new\"}!I*d/ta", Map.of("ta", "old")::get))
                .endsWith("We do ta (new).")
                .doesNotContain("old");
    }

    @Test
    void aDialogueStateBringsItsDefinitionsButNoSealedOnes() {
        LambdaDialogue dialogue = new LambdaDialogue(
                LambdaState.IDLE,
                List.of(),
                false,
                null,
                0,
                List.of(
                        new LambdaDefined("ta", "build Lambda skill", 1L),
                        new LambdaDefined("qq", StoredText.hash("secret"), 2L)));
        assertThat(gloss("!I*d/ta", Definitions.in(new Dialogue(dialogue, false))))
                .isEqualTo("We do ta (build Lambda skill).");
        assertThat(gloss("!I*d/qq", Definitions.in(new Dialogue(dialogue, false))))
                .isEqualTo("We do qq.");
        assertThat(Definitions.in(Dialogue.NONE).valueOf("ta")).isNull();
    }

    @Test
    void aMessageThatNamesNoSenderHasTheGivenOne() {
        byte[] call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}".getBytes(UTF_8);
        byte[] named = "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"agent\":\"A\"}}".getBytes(UTF_8);

        assertThat(Glosses.STANDARD.gloss("MCP", call, "ada"))
                .hasValueSatisfying(gloss -> assertThat(gloss).startsWith("ada "));
        assertThat(Glosses.STANDARD.gloss("MCP", call, null))
                .hasValueSatisfying(gloss -> assertThat(gloss).startsWith("An agent "));
        assertThat(Glosses.STANDARD.gloss("SUBIT", named, "ada"))
                .hasValueSatisfying(gloss -> assertThat(gloss).startsWith("Agent A "));
    }

    @Test
    void wireBytesHaveTheGlossOfTheNamedProtocolElseOfTheirFirstBytes() {
        byte[] wire = "!Ik".getBytes(UTF_8);
        assertThat(Glosses.STANDARD.gloss("LAMBDA", wire, null)).contains("I know.");
        assertThat(Glosses.STANDARD.gloss("UNKNOWN", wire, null)).contains("I know.");
        assertThat(Glosses.STANDARD.gloss("SLIP", wire, null)).isEmpty();
        assertThat(Glosses.STANDARD.gloss("", "%%".getBytes(UTF_8), null)).isEmpty();
    }

    private static String csp(String from, String to, String intent, String block) {
        return "CSP/1\nFROM " + from + "\nTO " + to + "\nCTX C0\nINTENT " + intent + "\n\n" + block;
    }
}
