package dev.parley.dialogue.lambda;

import static dev.parley.avro.LambdaStatementKind.ACK;
import static dev.parley.avro.LambdaStatementKind.AGREE;
import static dev.parley.avro.LambdaStatementKind.ASK;
import static dev.parley.avro.LambdaStatementKind.ASSERT;
import static dev.parley.avro.LambdaStatementKind.COMMAND;
import static dev.parley.avro.LambdaStatementKind.COUNTER;
import static dev.parley.avro.LambdaStatementKind.DISAGREE;
import static dev.parley.avro.LambdaStatementKind.ERROR;
import static dev.parley.avro.LambdaStatementKind.META;
import static dev.parley.avro.LambdaStatementKind.OFFER;
import static dev.parley.avro.LambdaStatementKind.SUPPOSE;
import static dev.parley.dialogue.Citations.cited;
import static dev.parley.dialogue.LambdaMessageBuilder.defines;
import static dev.parley.dialogue.LambdaMessageBuilder.floor;
import static dev.parley.dialogue.LambdaMessageBuilder.message;
import static dev.parley.dialogue.LambdaMessageBuilder.of;
import static dev.parley.dialogue.LambdaMessageBuilder.statements;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.AuditChain;
import dev.parley.avro.LambdaDefined;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaPending;
import dev.parley.avro.LambdaState;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.avro.Provenance;
import dev.parley.codec.Code;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.LambdaDialogueDriver;
import dev.parley.dialogue.LambdaMessageBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LambdaRulesTest {
    private static final LambdaStatementKind CLARIFICATION = LambdaStatementKind.CLARIFY;

    /** The conversations of Λ v0.6: title, messages, state at the end. */
    static Stream<Arguments> conversationsOfTheDocument() {
        return Stream.of(
                Arguments.of(
                        "§2.1 handshake",
                        List.of(
                                of(LambdaEvent.HS).by("A"),
                                of(LambdaEvent.HSR).by("B").replyTo("h")),
                        LambdaState.IDLE),
                Arguments.of(
                        "§2.2 context",
                        List.of(
                                defines("ta", "build Lambda skill").by("A"),
                                statements(ACK).by("B"),
                                statements(ASSERT).by("A")),
                        LambdaState.SAID),
                Arguments.of(
                        "§3.3 retry",
                        List.of(
                                statements(ASSERT).by("A"),
                                statements(ERROR).by("B"),
                                statements(ASSERT).define("co", "consciousness").by("A"),
                                statements(AGREE).by("B")),
                        LambdaState.IDLE),
                Arguments.of(
                        "§6.1 delegation",
                        List.of(
                                statements(COMMAND).by("A"),
                                statements(ACK).by("B"),
                                statements(ASSERT).by("B"),
                                statements(AGREE).by("A")),
                        LambdaState.IDLE),
                Arguments.of(
                        "§6.2 question",
                        List.of(
                                statements(ASK).by("A"),
                                statements(SUPPOSE).by("B"),
                                statements(CLARIFICATION).by("A"),
                                defines("em", "emergence").by("B"),
                                statements(AGREE).by("A")),
                        LambdaState.IDLE),
                Arguments.of(
                        "§6.3 negotiation",
                        List.of(
                                statements(OFFER).by("A"),
                                statements(COUNTER).by("B"),
                                statements(AGREE).by("A")),
                        LambdaState.IDLE));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("conversationsOfTheDocument")
    void conversationsOfTheDocumentAreLegalFromStartToEnd(
            String title, List<LambdaMessageBuilder> messages, LambdaState end) {
        LambdaDialogueDriver talk = new LambdaDialogueDriver();
        messages.forEach(talk::accepts);
        talk.hasState(end);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("conversationsOfTheDocument")
    void theyAreLegalForUnknownSendersToo(String title, List<LambdaMessageBuilder> messages, LambdaState end) {
        LambdaDialogueDriver talk = new LambdaDialogueDriver();
        messages.forEach(message -> talk.accepts(message.by(null)));
        talk.hasState(end);
    }

    @Test
    void theyFollowEachOtherInOneConversation() {
        LambdaDialogueDriver talk = new LambdaDialogueDriver();
        conversationsOfTheDocument().forEach(arguments -> {
            @SuppressWarnings("unchecked")
            List<LambdaMessageBuilder> messages =
                    (List<LambdaMessageBuilder>) arguments.get()[1];
            messages.forEach(talk::accepts);
            if (arguments.get()[2] == LambdaState.SAID) {
                talk.accepts(statements(ACK).by("B"));
            }
        });
        talk.hasState(LambdaState.IDLE);
        assertThat(talk.dialogue().getPending()).isEmpty();
    }

    @Nested
    class SelfAcknowledgement {
        @ParameterizedTest
        @EnumSource(
                value = LambdaStatementKind.class,
                names = {"ACK", "ACK_URGENT", "AGREE", "DISAGREE", "COUNTER", "CLARIFY"})
        void holdsForEveryKindOfAcknowledgement(LambdaStatementKind kind) {
            for (LambdaStatementKind said : List.of(ASK, ASSERT, COMMAND, OFFER)) {
                LambdaDialogueDriver talk =
                        new LambdaDialogueDriver().accepts(statements(said).by("A"));
                talk.rejects(statements(kind).by("A"), Code.LAMBDA_SELF_ACK);
                assertThat(talk.last().rule().getProvenance()).isEqualTo(Provenance.I.name());
            }
        }

        @Test
        void holdsForContextsHandshakesAndCounterOffers() {
            new LambdaDialogueDriver()
                    .accepts(of(LambdaEvent.CTX).by("A"))
                    .rejects(statements(ACK).by("A"), Code.LAMBDA_SELF_ACK);
            new LambdaDialogueDriver()
                    .accepts(of(LambdaEvent.HS).by("A"))
                    .rejects(statements(AGREE).by("A"), Code.LAMBDA_SELF_ACK);
            new LambdaDialogueDriver()
                    .accepts(statements(OFFER).by("A"))
                    .accepts(statements(COUNTER).by("B"))
                    .rejects(statements(AGREE).by("B"), Code.LAMBDA_SELF_ACK)
                    .accepts(statements(AGREE).by("A"))
                    .hasState(LambdaState.IDLE);
        }

        @Test
        void isNoErrorReport() {
            new LambdaDialogueDriver()
                    .accepts(statements(ASSERT).by("A"))
                    .accepts(statements(ERROR).by("A"));
        }

        @Test
        void needsBothSenders() {
            new LambdaDialogueDriver().accepts(statements(ASSERT).by("A")).accepts(statements(ACK));
            new LambdaDialogueDriver()
                    .accepts(statements(ASSERT))
                    .accepts(statements(ACK).by("A"));
            new LambdaDialogueDriver().accepts(statements(ASSERT)).accepts(statements(ACK));
        }

        @Test
        void looksAtTheLatestItemAlone() {
            new LambdaDialogueDriver()
                    .accepts(statements(ASSERT).by("A"))
                    .accepts(statements(ASSERT).by("B"))
                    .rejects(statements(ACK).by("B"), Code.LAMBDA_SELF_ACK)
                    .accepts(statements(ACK).by("A"))
                    .hasState(LambdaState.IDLE);
        }

        @Test
        void aRequestForClarificationIsNoPendingItem() {
            new LambdaDialogueDriver()
                    .accepts(statements(ASSERT).by("A"))
                    .accepts(statements(CLARIFICATION).by("B"))
                    .rejects(statements(ACK).by("A"), Code.LAMBDA_SELF_ACK)
                    .accepts(statements(AGREE).by("B"))
                    .hasState(LambdaState.IDLE);
        }

        @Test
        void anErrorIsNoneEitherAndTakesOffWhatFailed() {
            for (String agent : List.of("A", "B")) {
                new LambdaDialogueDriver()
                        .accepts(statements(ASSERT).by("A"))
                        .accepts(statements(ERROR).by("B"))
                        .accepts(statements(ACK).by(agent))
                        .hasState(LambdaState.IDLE);
            }
        }

        @Test
        void aRemarkBesideAnOpenOfferDoesNotBarItsAcceptance() {
            new LambdaDialogueDriver()
                    .accepts(statements(OFFER).by("A"))
                    .accepts(statements(ASSERT).by("B"))
                    .accepts(defines("co", "consciousness").by("B"))
                    .accepts(statements(AGREE).by("B"))
                    .hasState(LambdaState.IDLE);
        }

        @Test
        void holdsInsideOneMessageToo() {
            new LambdaDialogueDriver()
                    .accepts(statements(ASSERT).by("A"))
                    .rejects(statements(ASSERT, ACK).by("B"), Code.LAMBDA_SELF_ACK)
                    .accepts(statements(ACK, ASSERT).by("B"))
                    .hasState(LambdaState.SAID);
        }

        @Test
        void nothingIsPendingOnceTheTalkIsIdle() {
            new LambdaDialogueDriver()
                    .accepts(statements(ASK).by("A"))
                    .accepts(statements(ASSERT).by("B"))
                    .accepts(statements(AGREE).by("A"))
                    .rejects(statements(ACK).by("A"), Code.LAMBDA_ACK_WITHOUT_ANTECEDENT);
        }
    }

    @Nested
    class Pending {
        @Test
        void isOneItemForEachDirectionTheLatestLast() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .accepts(statements(ASSERT).by("A").id("m1"))
                    .accepts(statements(ASSERT).by("B").id("m2"))
                    .accepts(statements(ASK).by("A").id("m3"));
            assertThat(talk.dialogue().getPending())
                    .containsExactly(
                            new LambdaPending("B", LambdaState.SAID, "m2", null),
                            new LambdaPending("A", LambdaState.Q_PEND, "m3", null));
        }

        @Test
        void unknownSendersAreOneDirection() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .accepts(statements(ASSERT))
                    .accepts(statements(ASSERT))
                    .accepts(statements(ASK));
            assertThat(talk.dialogue().getPending())
                    .containsExactly(new LambdaPending(null, LambdaState.Q_PEND, null, null));
        }

        @Test
        void anAcknowledgementTakesOffWhatItNames() {
            LambdaDialogueDriver talk =
                    threeSpeak().judge(statements(ACK).by("X").replyTo("mB"));
            assertThat(talk.last().violation()).isNull();
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("A", "C");
        }

        @Test
        void anAcknowledgementWithoutANameTakesOffTheLatestOfTheOtherSide() {
            LambdaDialogueDriver talk = threeSpeak().judge(statements(ACK).by("X"));
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("A", "B");
        }

        @Test
        void aNameThatIsNotPendingCountsAsNone() {
            LambdaDialogueDriver talk =
                    threeSpeak().judge(statements(ACK).by("X").replyTo("elsewhere"));
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("A", "B");
        }

        @Test
        void anAssertionAnswersAQuestion() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .accepts(statements(ASK).by("A"))
                    .accepts(statements(ASSERT).by("B"));
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("B");
        }

        @Test
        void anAssertionAnswersACommand() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .accepts(statements(COMMAND).by("A"))
                    .warns(statements(ASSERT).by("B"), Code.LAMBDA_RESULT_BEFORE_ACK);
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("B");
        }

        @Test
        void anAssertionAnswersNeitherAnAssertionNorItsSendersOwnQuestion() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .accepts(statements(ASSERT).by("C"))
                    .accepts(statements(ASK).by("A"))
                    .warns(statements(OFFER).by("B"), Code.LAMBDA_UNEXPECTED)
                    .accepts(statements(ASSERT).by("A"));
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("C", "A", "B");
        }

        @Test
        void aQuestionBackLeavesTheFirstOneOpen() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .accepts(statements(ASK).by("A"))
                    .warns(statements(ASK).by("B"), Code.LAMBDA_UNEXPECTED);
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("A", "B");
        }

        @Test
        void anErrorTakesOffWhatTheOtherSideSaidAndNotItsSendersOwn() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .accepts(statements(ASSERT).by("B").id("mB"))
                    .accepts(statements(ASSERT).by("A").id("mA"))
                    .accepts(statements(ERROR).by("A").replyTo("mA"));
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("A");
        }

        @Test
        void messagesOfUnknownSendersReplaceNoPendingItemOfOthers() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .accepts(statements(ASSERT).by("A"))
                    .accepts(statements(ASSERT))
                    .accepts(statements(ASSERT).by("B"))
                    .accepts(statements(ASSERT));
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("A", "B", null);
        }

        @Test
        void directionsAreBounded() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver(settings(3));
            for (String agent : List.of("A", "B", "C", "D", "E")) {
                talk.accepts(statements(ASSERT).by(agent));
            }
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("C", "D", "E");
        }

        /** A and B assert, C asks: an acknowledgement of the question leaves the talk in Q_PEND. */
        private LambdaDialogueDriver threeSpeak() {
            return new LambdaDialogueDriver()
                    .accepts(statements(ASSERT).by("A").id("mA"))
                    .accepts(statements(ASSERT).by("B").id("mB"))
                    .accepts(statements(ASK).by("C").id("mC"));
        }
    }

    @Nested
    class Relay {
        @Test
        void theLegsOfARelayAreOneItemOfItsFirstSpeaker() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .accepts(statements(ASSERT).by("A1").relay("A1", "A2", "A3").raw("@v0.6#id:m1 A1>A2>A3: !It>Ie"))
                    .accepts(statements(ASSERT).by("A2").relay("A2", "A3").raw("A2>A3:!It>Ie\n"))
                    .accepts(statements(ASSERT).by("A2").raw("!It>Ie"));
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("A1");
            talk.accepts(statements(ACK).by("A2")).hasState(LambdaState.IDLE);
        }

        @Test
        void everyLegIsJudgedAsAMessageOfItsOwn() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver();
            talk.accepts(statements(ASK).by("A1").relay("A1", "A2", "A3").raw("A1>A2>A3:?X"))
                    .warns(statements(ASK).by("A2").relay("A2", "A3").raw("A2>A3:?X"), Code.LAMBDA_UNEXPECTED);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "A1>A2:!It",
                    "A1>A2: \t\r\n!It\n\r\t ",
                    "@v0.6#id:m1 A1>A2:!It",
                    ">> @v0.6#id:m1 A1>A2: !It",
                    "!It"
                })
        void theHashIsOfWhatStandsAfterThePrefixWithoutTheWhiteSpaceAroundIt(String raw) {
            LambdaMessageBuilder speech = statements(ASSERT).raw(raw);
            if (raw.indexOf('>') >= 0) {
                speech.relay("A1", "A2");
            }
            assertThat(LambdaRelay.hash(speech.build())).isEqualTo(sha256("!It"));
        }

        @Test
        void whiteSpaceAndSignsInsideCount() {
            assertThat(LambdaRelay.hash(statements(ASSERT)
                            .relay("A", "B")
                            .raw("A>B:!I \t>e: \"x\"")
                            .build()))
                    .isEqualTo(sha256("!I \t>e: \"x\""));
            assertThat(LambdaRelay.hash(statements(ASSERT).raw("{A>B: x}").build()))
                    .isEqualTo(sha256("{A>B: x}"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "!It", "A>B", "A>B:", "A>B: \n ", "A:B>"})
        void nothingIsHashedWhereNothingFollowsThePrefix(String raw) {
            assertThat(LambdaRelay.hash(
                            statements(ASSERT).relay("A", "B").raw(raw).build()))
                    .isEqualTo(sha256(""));
        }

        private static ByteBuffer sha256(String text) {
            return new AuditChain().payloadHash(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        }

        @Test
        void anotherStatementIsAnotherItem() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .accepts(statements(ASSERT).by("A1").relay("A1", "A2", "A3").raw("A1>A2>A3:!It"))
                    .accepts(statements(ASSERT).by("A2").relay("A2", "A3").raw("A2>A3:!Ie"));
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("A1", "A2");
        }
    }

    @Nested
    class ErrorLoop {
        @Test
        void theThirdErrorInARowIsAViolationWhoeverSentIt() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .accepts(statements(ASSERT).by("A"))
                    .accepts(statements(ERROR).by("B"))
                    .warns(statements(ERROR).by("A"), Code.LAMBDA_ERROR_LOOP);
            talk.rejects(statements(ERROR).by("B"), Code.LAMBDA_ERROR_LOOP)
                    .rejects(statements(ERROR).by("A"), Code.LAMBDA_ERROR_LOOP);
            assertThat(cited(talk.last().rule())).isEqualTo("4.3: third error in a row → LAMBDA_ERROR_LOOP [I]");
            talk.hasState(LambdaState.CLARIFY);
        }

        @Test
        void needsNoSender() {
            new LambdaDialogueDriver()
                    .accepts(statements(ASSERT))
                    .warns(statements(ERROR, ERROR), Code.LAMBDA_ERROR_LOOP)
                    .rejects(statements(ERROR), Code.LAMBDA_ERROR_LOOP);
        }

        @Test
        void aTransitionEndsTheRow() {
            for (LambdaEvent event : List.of(LambdaEvent.A, LambdaEvent.CTX, LambdaEvent.CLR)) {
                LambdaDialogueDriver talk = new LambdaDialogueDriver()
                        .accepts(statements(ASSERT).by("A"))
                        .accepts(statements(ERROR).by("B"))
                        .warns(statements(ERROR).by("A"), Code.LAMBDA_ERROR_LOOP)
                        .accepts(of(event).by("A"))
                        .judge(statements(ERROR).by("B"));
                assertThat(talk.last().violation()).isNull();
                assertThat(talk.dialogue().getErrors()).isEqualTo(1);
            }
        }

        @Test
        void aMessageWithoutEffectAndARejectedOneDoNotEndTheRow() {
            new LambdaDialogueDriver()
                    .accepts(statements(ASSERT).by("A"))
                    .accepts(statements(ERROR).by("B"))
                    .warns(statements(ERROR).by("A"), Code.LAMBDA_ERROR_LOOP)
                    .accepts(statements(META).by("A"))
                    .rejects(statements(COUNTER).by("A"), Code.LAMBDA_ACK_WITHOUT_ANTECEDENT)
                    .rejects(statements(ERROR).by("B"), Code.LAMBDA_ERROR_LOOP);
        }
    }

    @Nested
    class Definitions {
        @Test
        void anotherValueIsAWarningAndItsCitationQuotesNeither() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .accepts(defines("ta", "build").by("A"))
                    .warns(defines("ta", "test").by("B"), Code.LAMBDA_DEF_CHANGED);
            assertThat(cited(talk.last().rule()))
                    .isEqualTo("4.3: CTX_PEND × CTX → CTX_PEND; definition 1 changes the value set at sequence 0 [I]");
            assertThat(talk.dialogue().getDefinitions()).containsExactly(new LambdaDefined("ta", "test", 0L));
        }

        @Test
        void theSameValueAgainIsNone() {
            new LambdaDialogueDriver().accepts(defines("ta", "build")).accepts(defines("ta", "build"));
        }

        @Test
        void oneMessageCanRedefineItsOwn() {
            new LambdaDialogueDriver().warns(defines("ta", "build").define("ta", "test"), Code.LAMBDA_DEF_CHANGED);
        }

        @Test
        void theyAreMadeBesideAStatementToo() {
            LambdaDialogueDriver talk =
                    new LambdaDialogueDriver().accepts(statements(META).define("co", "consciousness"));
            assertThat(talk.dialogue().getDefinitions()).containsExactly(new LambdaDefined("co", "consciousness", 0L));
            talk.hasState(LambdaState.IDLE);
        }

        @Test
        void aRejectedMessageMakesNoneButKeepsItsWarning() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .accepts(defines("ta", "build").by("A"))
                    .accepts(statements(ACK).by("B"))
                    .rejects(statements(DISAGREE).define("ta", "test").by("B"), Code.LAMBDA_ACK_WITHOUT_ANTECEDENT);
            assertThat(talk.last().warnings()).containsExactly(Code.LAMBDA_DEF_CHANGED);
            assertThat(talk.dialogue().getDefinitions()).containsExactly(new LambdaDefined("ta", "build", 0L));
        }

        @Test
        void theLeastRecentlyMadeGoFirstBeyondTheLimit() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver(settings(2))
                    .accepts(defines("a", "1").define("b", "2"))
                    .accepts(defines("a", "1"))
                    .accepts(defines("c", "3"));
            assertThat(talk.dialogue().getDefinitions())
                    .containsExactly(new LambdaDefined("a", "1", 0L), new LambdaDefined("c", "3", 0L));
        }

        @Test
        void anotherValueTakesNoRoom() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver(settings(2))
                    .accepts(defines("a", "1").define("b", "2"))
                    .warns(defines("b", "3"), Code.LAMBDA_DEF_CHANGED);
            assertThat(talk.dialogue().getDefinitions())
                    .containsExactly(new LambdaDefined("a", "1", 0L), new LambdaDefined("b", "3", 0L));
        }

        @ParameterizedTest
        @CsvSource({"1, ''", "2, ''", "8, ''", "9, '; and 1 more'", "10, '; and 2 more'"})
        void eightChangesAreNamedAndTheOthersCounted(int changes, String rest) {
            LambdaMessageBuilder first = message(LambdaKind.CONTEXT_ONLY);
            LambdaMessageBuilder second = message(LambdaKind.CONTEXT_ONLY);
            StringBuilder told = new StringBuilder("CTX_PEND × CTX → CTX_PEND");
            for (int i = 1; i <= changes; i++) {
                first.define("n" + i, "old");
                second.define("n" + i, "new");
                told.append(i > 8 ? "" : "; definition " + i + " changes the value set at sequence 0");
            }
            LambdaDialogueDriver talk =
                    new LambdaDialogueDriver().accepts(first).warns(second, Code.LAMBDA_DEF_CHANGED);
            assertThat(talk.last().rule().getText()).isEqualTo(told + rest);
        }

        @Test
        void theCitationStaysShort() {
            LambdaMessageBuilder first = defines("x", "😀".repeat(1_000));
            LambdaMessageBuilder second = defines("x", "y".repeat(1_000));
            for (int i = 0; i < 50; i++) {
                first.define("n" + i, "old");
                second.define("n" + i, "new");
            }
            LambdaDialogueDriver talk =
                    new LambdaDialogueDriver().accepts(first).warns(second, Code.LAMBDA_DEF_CHANGED);
            assertThat(talk.last().rule().getText())
                    .hasSizeLessThan(1_000)
                    .endsWith("; and 43 more")
                    .doesNotContain("😀");
        }
    }

    @Nested
    class Expiry {
        @Test
        void anIdleConversationStartsAgainAndKeepsItsDefinitions() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .accepts(statements(ASSERT)
                            .define("ta", "build")
                            .before(LambdaFloor.TAKE)
                            .by("A"))
                    .accepts(statements(ERROR).by("B"));
            String before = talk.state().toString();

            LambdaDialogue after = talk.rules().expire(talk.state(), 0, 1);

            assertThat(talk.state()).hasToString(before);
            assertThat(after.getState()).isEqualTo(LambdaState.IDLE);
            assertThat(after.getPending()).isEmpty();
            assertThat(after.getFloorHeld()).isFalse();
            assertThat(after.getFloorHolder()).isNull();
            assertThat(after.getErrors()).isZero();
            assertThat(after.getDefinitions()).containsExactly(new LambdaDefined("ta", "build", 0L));
            assertThat(talk.rules().isIncomplete(talk.state())).isFalse();
            assertThat(talk.rules().expire(after, 0, 1)).isSameAs(after);
        }

        @Test
        void aConversationThatWasActiveAtTheDeadlineStays() {
            LambdaDialogueDriver talk =
                    new LambdaDialogueDriver().accepts(statements(ASSERT).by("A"));
            assertThat(talk.rules().expire(talk.state(), 5, 5)).isSameAs(talk.state());
            assertThat(talk.rules().expire(talk.state(), 5, 6)).isNotSameAs(talk.state());
        }

        @Test
        void aHeldFloorAloneExpires() {
            LambdaDialogueDriver talk =
                    new LambdaDialogueDriver().accepts(floor(LambdaFloor.TAKE).by("A"));
            assertThat(talk.rules().expire(talk.state(), 0, 1).getFloorHeld()).isFalse();
        }

        @Test
        void aStateThatAwaitsSomethingExpiresThoughNothingIsPending() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .accepts(statements(ASK).by("A"))
                    .accepts(statements(ACK).by("B"));
            assertThat(talk.dialogue().getPending()).isEmpty();
            talk.hasState(LambdaState.Q_PEND);
            assertThat(talk.rules().expire(talk.state(), 0, 1).getState()).isEqualTo(LambdaState.IDLE);
        }

        @Test
        void errorsAloneExpire() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .accepts(statements(COMMAND).by("A"))
                    .accepts(statements(ACK).by("B"))
                    .accepts(statements(ERROR).by("B"))
                    .hasState(LambdaState.IDLE);
            assertThat(talk.dialogue().getErrors()).isEqualTo(1);
            assertThat(talk.rules().expire(talk.state(), 0, 1).getErrors()).isZero();
        }
    }

    @Test
    void aRandomTalkNeverFailsAndKeepsItsInvariants() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        LambdaDialogueDriver talk = new LambdaDialogueDriver(settings(3));
        List<LambdaEvent> events = List.of(LambdaEvent.values());
        String[] agents = {"A", "B", "C", "D", null};
        List<LambdaFloor> marks = new ArrayList<>(List.of(LambdaFloor.values()));
        for (int i = 0; i < 12; i++) {
            marks.add(null);
        }
        for (int i = 0; i < 5_000; i++) {
            LambdaMessageBuilder speech = of(events.get(random.nextInt(events.size())))
                    .by(agents[random.nextInt(agents.length)])
                    .before(marks.get(random.nextInt(marks.size())))
                    .after(marks.get(random.nextInt(marks.size())));
            if (random.nextInt(4) == 0) {
                speech.define("d" + random.nextInt(5), "v" + random.nextInt(2));
            }
            talk.judge(speech);
            if (talk.dialogue() != null) {
                String told = "parley.seed=" + seed + ", message " + i;
                assertThat(talk.dialogue().getPending()).as(told).hasSizeLessThanOrEqualTo(3);
                assertThat(talk.dialogue().getPending())
                        .as(told)
                        .extracting(LambdaPending::getSender)
                        .doesNotHaveDuplicates();
                assertThat(talk.dialogue().getDefinitions()).as(told).hasSizeLessThanOrEqualTo(3);
                assertThat(talk.dialogue().getErrors()).as(told).isBetween(0, 2);
                if (talk.dialogue().getState() == LambdaState.IDLE) {
                    assertThat(talk.dialogue().getPending()).as(told).isEmpty();
                }
            }
        }
    }

    private static DialogueSettings settings(int maxEntries) {
        return new DialogueSettings(DialogueSettings.Mode.ENFORCE, 86_400_000L, maxEntries);
    }
}
