package dev.parley.access;

/** What a token says about who bears it. */
public sealed interface Identification {

    /**
     * The token is good.
     *
     * @param caller who bears it
     */
    record Known(Caller caller) implements Identification {}

    /**
     * The token is not good, and will not be.
     *
     * @param reason why
     */
    record Refused(Reason reason) implements Identification {}

    /**
     * Whether the token is good cannot be told now.
     *
     * @param detail what is missing, in a sentence
     */
    record Unavailable(String detail) implements Identification {}

    /** Why a token is not good. Nothing here repeats what stands in a token. */
    enum Reason {
        /** No file and no provider knows it. */
        UNKNOWN("it is not known here"),
        /** Its time is over. */
        EXPIRED("it has expired"),
        /** It is signed by an unknown key, not at all, or by an algorithm that is not allowed. */
        SIGNATURE("it is not signed by a key and an algorithm that are allowed here"),
        /** It is signed, but says another issuer or audience, or lacks what it must say. */
        CLAIMS("its issuer, audience or times do not fit");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        /** Half a sentence about the token. */
        public String text() {
            return text;
        }
    }
}
