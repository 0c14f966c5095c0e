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
import static dev.parley.dialogue.LambdaSpeech.defines;
import static dev.parley.dialogue.LambdaSpeech.floor;
import static dev.parley.dialogue.LambdaSpeech.message;
import static dev.parley.dialogue.LambdaSpeech.of;
import static dev.parley.dialogue.LambdaSpeech.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.AuditChain;
import dev.parley.avro.LambdaDefined;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaPending;
import dev.parley.avro.LambdaState;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.codec.Code;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.LambdaDialogueDriver;
import dev.parley.dialogue.LambdaSpeech;
import dev.parley.dialogue.Rule;
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
                                says(ACK).by("B"),
                                says(ASSERT).by("A")),
                        LambdaState.SAID),
                Arguments.of(
                        "§3.3 retry",
                        List.of(
                                says(ASSERT).by("A"),
                                says(ERROR).by("B"),
                                says(ASSERT).define("co", "consciousness").by("A"),
                                says(AGREE).by("B")),
                        LambdaState.IDLE),
                Arguments.of(
                        "§6.1 delegation",
                        List.of(
                                says(COMMAND).by("A"),
                                says(ACK).by("B"),
                                says(ASSERT).by("B"),
                                says(AGREE).by("A")),
                        LambdaState.IDLE),
                Arguments.of(
                        "§6.2 question",
                        List.of(
                                says(ASK).by("A"),
                                says(SUPPOSE).by("B"),
                                says(CLARIFICATION).by("A"),
                                defines("em", "emergence").by("B"),
                                says(AGREE).by("A")),
                        LambdaState.IDLE),
                Arguments.of(
                        "§6.3 negotiation",
                        List.of(
                                says(OFFER).by("A"),
                                says(COUNTER).by("B"),
                                says(AGREE).by("A")),
                        LambdaState.IDLE));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("conversationsOfTheDocument")
    void conversationsOfTheDocumentAreLegalFromStartToEnd(String title, List<LambdaSpeech> messages, LambdaState end) {
        LambdaDialogueDriver talk = new LambdaDialogueDriver();
        messages.forEach(talk::hearLegal);
        talk.standsIn(end);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("conversationsOfTheDocument")
    void theyAreLegalTooWhenNobodyKnowsWhoSpeaks(String title, List<LambdaSpeech> messages, LambdaState end) {
        LambdaDialogueDriver talk = new LambdaDialogueDriver();
        messages.forEach(message -> talk.hearLegal(message.by(null)));
        talk.standsIn(end);
    }

    @Test
    void theyFollowEachOtherInOneConversation() {
        LambdaDialogueDriver talk = new LambdaDialogueDriver();
        conversationsOfTheDocument().forEach(arguments -> {
            @SuppressWarnings("unchecked")
            List<LambdaSpeech> messages = (List<LambdaSpeech>) arguments.get()[1];
            messages.forEach(talk::hearLegal);
            if (arguments.get()[2] == LambdaState.SAID) {
                talk.hearLegal(says(ACK).by("B"));
            }
        });
        talk.standsIn(LambdaState.IDLE);
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
                        new LambdaDialogueDriver().hearLegal(says(said).by("A"));
                talk.rejects(says(kind).by("A"), Code.LAMBDA_SELF_ACK);
                assertThat(talk.last().rule().provenance()).isEqualTo(Rule.Provenance.I);
            }
        }

        @Test
        void holdsForContextsHandshakesAndCounterOffers() {
            new LambdaDialogueDriver()
                    .hearLegal(of(LambdaEvent.CTX).by("A"))
                    .rejects(says(ACK).by("A"), Code.LAMBDA_SELF_ACK);
            new LambdaDialogueDriver()
                    .hearLegal(of(LambdaEvent.HS).by("A"))
                    .rejects(says(AGREE).by("A"), Code.LAMBDA_SELF_ACK);
            new LambdaDialogueDriver()
                    .hearLegal(says(OFFER).by("A"))
                    .hearLegal(says(COUNTER).by("B"))
                    .rejects(says(AGREE).by("B"), Code.LAMBDA_SELF_ACK)
                    .hearLegal(says(AGREE).by("A"))
                    .standsIn(LambdaState.IDLE);
        }

        @Test
        void isNoErrorReport() {
            new LambdaDialogueDriver()
                    .hearLegal(says(ASSERT).by("A"))
                    .hearLegal(says(ERROR).by("A"));
        }

        @Test
        void needsBothSenders() {
            new LambdaDialogueDriver().hearLegal(says(ASSERT).by("A")).hearLegal(says(ACK));
            new LambdaDialogueDriver()
                    .hearLegal(says(ASSERT))
                    .hearLegal(says(ACK).by("A"));
            new LambdaDialogueDriver().hearLegal(says(ASSERT)).hearLegal(says(ACK));
        }

        @Test
        void looksAtTheLatestItemAlone() {
            new LambdaDialogueDriver()
                    .hearLegal(says(ASSERT).by("A"))
                    .hearLegal(says(ASSERT).by("B"))
                    .rejects(says(ACK).by("B"), Code.LAMBDA_SELF_ACK)
                    .hearLegal(says(ACK).by("A"))
                    .standsIn(LambdaState.IDLE);
        }

        @Test
        void aRequestForClarificationIsNoPendingItem() {
            new LambdaDialogueDriver()
                    .hearLegal(says(ASSERT).by("A"))
                    .hearLegal(says(CLARIFICATION).by("B"))
                    .rejects(says(ACK).by("A"), Code.LAMBDA_SELF_ACK)
                    .hearLegal(says(AGREE).by("B"))
                    .standsIn(LambdaState.IDLE);
        }

        @Test
        void anErrorIsNoneEitherAndTakesOffWhatFailed() {
            for (String agent : List.of("A", "B")) {
                new LambdaDialogueDriver()
                        .hearLegal(says(ASSERT).by("A"))
                        .hearLegal(says(ERROR).by("B"))
                        .hearLegal(says(ACK).by(agent))
                        .standsIn(LambdaState.IDLE);
            }
        }

        @Test
        void aRemarkBesideAnOpenOfferDoesNotBarItsAcceptance() {
            new LambdaDialogueDriver()
                    .hearLegal(says(OFFER).by("A"))
                    .hearLegal(says(ASSERT).by("B"))
                    .hearLegal(defines("co", "consciousness").by("B"))
                    .hearLegal(says(AGREE).by("B"))
                    .standsIn(LambdaState.IDLE);
        }

        @Test
        void holdsInsideOneMessageToo() {
            new LambdaDialogueDriver()
                    .hearLegal(says(ASSERT).by("A"))
                    .rejects(says(ASSERT, ACK).by("B"), Code.LAMBDA_SELF_ACK)
                    .hearLegal(says(ACK, ASSERT).by("B"))
                    .standsIn(LambdaState.SAID);
        }

        @Test
        void nothingIsPendingOnceTheTalkIsIdle() {
            new LambdaDialogueDriver()
                    .hearLegal(says(ASK).by("A"))
                    .hearLegal(says(ASSERT).by("B"))
                    .hearLegal(says(AGREE).by("A"))
                    .rejects(says(ACK).by("A"), Code.LAMBDA_ACK_WITHOUT_ANTECEDENT);
        }
    }

    @Nested
    class Pending {
        @Test
        void isOneItemForEachDirectionTheLatestLast() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .hearLegal(says(ASSERT).by("A").id("m1"))
                    .hearLegal(says(ASSERT).by("B").id("m2"))
                    .hearLegal(says(ASK).by("A").id("m3"));
            assertThat(talk.dialogue().getPending())
                    .containsExactly(
                            new LambdaPending("B", LambdaState.SAID, "m2", null),
                            new LambdaPending("A", LambdaState.Q_PEND, "m3", null));
        }

        @Test
        void unknownSendersAreOneDirection() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .hearLegal(says(ASSERT))
                    .hearLegal(says(ASSERT))
                    .hearLegal(says(ASK));
            assertThat(talk.dialogue().getPending())
                    .containsExactly(new LambdaPending(null, LambdaState.Q_PEND, null, null));
        }

        @Test
        void anAcknowledgementTakesOffWhatItNames() {
            LambdaDialogueDriver talk = threeSpeak().hear(says(ACK).by("X").replyTo("mB"));
            assertThat(talk.last().violation()).isNull();
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("A", "C");
        }

        @Test
        void anAcknowledgementWithoutANameTakesOffTheLatestOfTheOtherSide() {
            LambdaDialogueDriver talk = threeSpeak().hear(says(ACK).by("X"));
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("A", "B");
        }

        @Test
        void aNameThatIsNotPendingCountsAsNone() {
            LambdaDialogueDriver talk = threeSpeak().hear(says(ACK).by("X").replyTo("elsewhere"));
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("A", "B");
        }

        @Test
        void anAssertionAnswersAQuestion() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .hearLegal(says(ASK).by("A"))
                    .hearLegal(says(ASSERT).by("B"));
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("B");
        }

        @Test
        void anAssertionAnswersACommand() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .hearLegal(says(COMMAND).by("A"))
                    .warns(says(ASSERT).by("B"), Code.LAMBDA_RESULT_BEFORE_ACK);
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("B");
        }

        @Test
        void anAssertionAnswersNeitherAnAssertionNorItsSendersOwnQuestion() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .hearLegal(says(ASSERT).by("C"))
                    .hearLegal(says(ASK).by("A"))
                    .warns(says(OFFER).by("B"), Code.LAMBDA_UNEXPECTED)
                    .hearLegal(says(ASSERT).by("A"));
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("C", "A", "B");
        }

        @Test
        void aQuestionBackLeavesTheFirstOneOpen() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .hearLegal(says(ASK).by("A"))
                    .warns(says(ASK).by("B"), Code.LAMBDA_UNEXPECTED);
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("A", "B");
        }

        @Test
        void anErrorTakesOffWhatTheOtherSideSaidAndNotItsSendersOwn() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .hearLegal(says(ASSERT).by("B").id("mB"))
                    .hearLegal(says(ASSERT).by("A").id("mA"))
                    .hearLegal(says(ERROR).by("A").replyTo("mA"));
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("A");
        }

        @Test
        void whatAnUnknownSenderSaysReplacesNobodyElses() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .hearLegal(says(ASSERT).by("A"))
                    .hearLegal(says(ASSERT))
                    .hearLegal(says(ASSERT).by("B"))
                    .hearLegal(says(ASSERT));
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("A", "B", null);
        }

        @Test
        void directionsAreBounded() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver(settings(3));
            for (String agent : List.of("A", "B", "C", "D", "E")) {
                talk.hearLegal(says(ASSERT).by(agent));
            }
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("C", "D", "E");
        }

        /** A and B assert, C asks: an acknowledgement of the question leaves the talk in Q_PEND. */
        private LambdaDialogueDriver threeSpeak() {
            return new LambdaDialogueDriver()
                    .hearLegal(says(ASSERT).by("A").id("mA"))
                    .hearLegal(says(ASSERT).by("B").id("mB"))
                    .hearLegal(says(ASK).by("C").id("mC"));
        }
    }

    @Nested
    class Relay {
        @Test
        void theLegsOfARelayAreOneItemOfItsFirstSpeaker() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .hearLegal(says(ASSERT).by("A1").relay("A1", "A2", "A3").raw("@v0.6#id:m1 A1>A2>A3: !It>Ie"))
                    .hearLegal(says(ASSERT).by("A2").relay("A2", "A3").raw("A2>A3:!It>Ie\n"))
                    .hearLegal(says(ASSERT).by("A2").raw("!It>Ie"));
            assertThat(talk.dialogue().getPending())
                    .extracting(LambdaPending::getSender)
                    .containsExactly("A1");
            talk.hearLegal(says(ACK).by("A2")).standsIn(LambdaState.IDLE);
        }

        @Test
        void everyLegIsJudgedAsAMessageOfItsOwn() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver();
            talk.hearLegal(says(ASK).by("A1").relay("A1", "A2", "A3").raw("A1>A2>A3:?X"))
                    .warns(says(ASK).by("A2").relay("A2", "A3").raw("A2>A3:?X"), Code.LAMBDA_UNEXPECTED);
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
            LambdaSpeech speech = says(ASSERT).raw(raw);
            if (raw.indexOf('>') >= 0) {
                speech.relay("A1", "A2");
            }
            assertThat(LambdaRelay.hash(speech.build())).isEqualTo(sha256("!It"));
        }

        @Test
        void whiteSpaceAndSignsInsideCount() {
            assertThat(LambdaRelay.hash(says(ASSERT)
                            .relay("A", "B")
                            .raw("A>B:!I \t>e: \"x\"")
                            .build()))
                    .isEqualTo(sha256("!I \t>e: \"x\""));
            assertThat(LambdaRelay.hash(says(ASSERT).raw("{A>B: x}").build())).isEqualTo(sha256("{A>B: x}"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "!It", "A>B", "A>B:", "A>B: \n ", "A:B>"})
        void nothingIsHashedWhereNothingFollowsThePrefix(String raw) {
            assertThat(LambdaRelay.hash(says(ASSERT).relay("A", "B").raw(raw).build()))
                    .isEqualTo(sha256(""));
        }

        private static ByteBuffer sha256(String text) {
            return new AuditChain().payloadHash(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        }

        @Test
        void anotherStatementIsAnotherItem() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .hearLegal(says(ASSERT).by("A1").relay("A1", "A2", "A3").raw("A1>A2>A3:!It"))
                    .hearLegal(says(ASSERT).by("A2").relay("A2", "A3").raw("A2>A3:!Ie"));
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
                    .hearLegal(says(ASSERT).by("A"))
                    .hearLegal(says(ERROR).by("B"))
                    .warns(says(ERROR).by("A"), Code.LAMBDA_ERROR_LOOP);
            talk.rejects(says(ERROR).by("B"), Code.LAMBDA_ERROR_LOOP)
                    .rejects(says(ERROR).by("A"), Code.LAMBDA_ERROR_LOOP);
            assertThat(talk.last().rule()).hasToString("Λ 4.3: third error in a row → LAMBDA_ERROR_LOOP [I]");
            talk.standsIn(LambdaState.CLARIFY);
        }

        @Test
        void needsNoSender() {
            new LambdaDialogueDriver()
                    .hearLegal(says(ASSERT))
                    .warns(says(ERROR, ERROR), Code.LAMBDA_ERROR_LOOP)
                    .rejects(says(ERROR), Code.LAMBDA_ERROR_LOOP);
        }

        @Test
        void whatMovesTheMachineEndsTheRow() {
            for (LambdaEvent event : List.of(LambdaEvent.A, LambdaEvent.CTX, LambdaEvent.CLR)) {
                LambdaDialogueDriver talk = new LambdaDialogueDriver()
                        .hearLegal(says(ASSERT).by("A"))
                        .hearLegal(says(ERROR).by("B"))
                        .warns(says(ERROR).by("A"), Code.LAMBDA_ERROR_LOOP)
                        .hearLegal(of(event).by("A"))
                        .hear(says(ERROR).by("B"));
                assertThat(talk.last().violation()).isNull();
                assertThat(talk.dialogue().getErrors()).isEqualTo(1);
            }
        }

        @Test
        void whatMovesNothingAndWhatIsRejectedDoesNot() {
            new LambdaDialogueDriver()
                    .hearLegal(says(ASSERT).by("A"))
                    .hearLegal(says(ERROR).by("B"))
                    .warns(says(ERROR).by("A"), Code.LAMBDA_ERROR_LOOP)
                    .hearLegal(says(META).by("A"))
                    .rejects(says(COUNTER).by("A"), Code.LAMBDA_ACK_WITHOUT_ANTECEDENT)
                    .rejects(says(ERROR).by("B"), Code.LAMBDA_ERROR_LOOP);
        }
    }

    @Nested
    class Definitions {
        @Test
        void anotherValueIsAWarningAndItsCitationQuotesNeither() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .hearLegal(defines("ta", "build").by("A"))
                    .warns(defines("ta", "test").by("B"), Code.LAMBDA_DEF_CHANGED);
            assertThat(talk.last().rule())
                    .hasToString(
                            "Λ 4.3: CTX_PEND × CTX → CTX_PEND; definition 1 changes the value set at sequence 0 [I]");
            assertThat(talk.dialogue().getDefinitions()).containsExactly(new LambdaDefined("ta", "test", 0L));
        }

        @Test
        void theSameValueAgainIsNone() {
            new LambdaDialogueDriver().hearLegal(defines("ta", "build")).hearLegal(defines("ta", "build"));
        }

        @Test
        void oneMessageCanRedefineItsOwn() {
            new LambdaDialogueDriver().warns(defines("ta", "build").define("ta", "test"), Code.LAMBDA_DEF_CHANGED);
        }

        @Test
        void theyAreMadeBesideAStatementToo() {
            LambdaDialogueDriver talk =
                    new LambdaDialogueDriver().hearLegal(says(META).define("co", "consciousness"));
            assertThat(talk.dialogue().getDefinitions()).containsExactly(new LambdaDefined("co", "consciousness", 0L));
            talk.standsIn(LambdaState.IDLE);
        }

        @Test
        void aRejectedMessageMakesNoneButKeepsItsWarning() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .hearLegal(defines("ta", "build").by("A"))
                    .hearLegal(says(ACK).by("B"))
                    .rejects(says(DISAGREE).define("ta", "test").by("B"), Code.LAMBDA_ACK_WITHOUT_ANTECEDENT);
            assertThat(talk.last().warnings()).containsExactly(Code.LAMBDA_DEF_CHANGED);
            assertThat(talk.dialogue().getDefinitions()).containsExactly(new LambdaDefined("ta", "build", 0L));
        }

        @Test
        void theLeastRecentlyMadeGoFirstBeyondTheLimit() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver(settings(2))
                    .hearLegal(defines("a", "1").define("b", "2"))
                    .hearLegal(defines("a", "1"))
                    .hearLegal(defines("c", "3"));
            assertThat(talk.dialogue().getDefinitions())
                    .containsExactly(new LambdaDefined("a", "1", 0L), new LambdaDefined("c", "3", 0L));
        }

        @Test
        void anotherValueTakesNoRoom() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver(settings(2))
                    .hearLegal(defines("a", "1").define("b", "2"))
                    .warns(defines("b", "3"), Code.LAMBDA_DEF_CHANGED);
            assertThat(talk.dialogue().getDefinitions())
                    .containsExactly(new LambdaDefined("a", "1", 0L), new LambdaDefined("b", "3", 0L));
        }

        @ParameterizedTest
        @CsvSource({"1, ''", "2, ''", "8, ''", "9, '; and 1 more'", "10, '; and 2 more'"})
        void eightChangesAreNamedAndTheOthersCounted(int changes, String rest) {
            LambdaSpeech first = message(LambdaKind.CONTEXT_ONLY);
            LambdaSpeech second = message(LambdaKind.CONTEXT_ONLY);
            StringBuilder told = new StringBuilder("CTX_PEND × CTX → CTX_PEND");
            for (int i = 1; i <= changes; i++) {
                first.define("n" + i, "old");
                second.define("n" + i, "new");
                told.append(i > 8 ? "" : "; definition " + i + " changes the value set at sequence 0");
            }
            LambdaDialogueDriver talk =
                    new LambdaDialogueDriver().hearLegal(first).warns(second, Code.LAMBDA_DEF_CHANGED);
            assertThat(talk.last().rule().name()).isEqualTo(told + rest);
        }

        @Test
        void theCitationStaysShort() {
            LambdaSpeech first = defines("x", "😀".repeat(1_000));
            LambdaSpeech second = defines("x", "y".repeat(1_000));
            for (int i = 0; i < 50; i++) {
                first.define("n" + i, "old");
                second.define("n" + i, "new");
            }
            LambdaDialogueDriver talk =
                    new LambdaDialogueDriver().hearLegal(first).warns(second, Code.LAMBDA_DEF_CHANGED);
            assertThat(talk.last().rule().name())
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
                    .hearLegal(says(ASSERT)
                            .define("ta", "build")
                            .before(LambdaFloor.TAKE)
                            .by("A"))
                    .hearLegal(says(ERROR).by("B"));
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
                    new LambdaDialogueDriver().hearLegal(says(ASSERT).by("A"));
            assertThat(talk.rules().expire(talk.state(), 5, 5)).isSameAs(talk.state());
            assertThat(talk.rules().expire(talk.state(), 5, 6)).isNotSameAs(talk.state());
        }

        @Test
        void aHeldFloorAloneExpires() {
            LambdaDialogueDriver talk =
                    new LambdaDialogueDriver().hearLegal(floor(LambdaFloor.TAKE).by("A"));
            assertThat(talk.rules().expire(talk.state(), 0, 1).getFloorHeld()).isFalse();
        }

        @Test
        void aStateThatAwaitsSomethingExpiresThoughNothingIsPending() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .hearLegal(says(ASK).by("A"))
                    .hearLegal(says(ACK).by("B"));
            assertThat(talk.dialogue().getPending()).isEmpty();
            talk.standsIn(LambdaState.Q_PEND);
            assertThat(talk.rules().expire(talk.state(), 0, 1).getState()).isEqualTo(LambdaState.IDLE);
        }

        @Test
        void errorsAloneExpire() {
            LambdaDialogueDriver talk = new LambdaDialogueDriver()
                    .hearLegal(says(COMMAND).by("A"))
                    .hearLegal(says(ACK).by("B"))
                    .hearLegal(says(ERROR).by("B"))
                    .standsIn(LambdaState.IDLE);
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
            LambdaSpeech speech = of(events.get(random.nextInt(events.size())))
                    .by(agents[random.nextInt(agents.length)])
                    .before(marks.get(random.nextInt(marks.size())))
                    .after(marks.get(random.nextInt(marks.size())));
            if (random.nextInt(4) == 0) {
                speech.define("d" + random.nextInt(5), "v" + random.nextInt(2));
            }
            talk.hear(speech);
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
