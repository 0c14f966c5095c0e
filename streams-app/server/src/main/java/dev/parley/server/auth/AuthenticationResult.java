package dev.parley.server.auth;

/** The result of verifying a token. */
public sealed interface AuthenticationResult {

    /** The token is valid. */
    record Known(Caller caller) implements AuthenticationResult {}

    /** The token is invalid, permanently. */
    record Refused(Reason reason) implements AuthenticationResult {}

    /**
     * The token cannot be verified now.
     *
     * @param detail the missing prerequisite, as a sentence
     */
    record Unavailable(String detail) implements AuthenticationResult {}

    /** The reason why a token is invalid. No text repeats content of a token. */
    enum Reason {
        /** Neither the tokens file nor the OpenID provider contains it. */
        UNKNOWN("it is unknown"),
        /** The token has expired. */
        EXPIRED("it has expired"),
        /** The token has no signature, an unknown key, or an algorithm that is not allowed. */
        SIGNATURE("its signature, key or algorithm is not accepted"),
        /** The signature is valid, but the issuer, audience or times are wrong or missing. */
        CLAIMS("its issuer, audience or times are not accepted");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        /** A clause about the token, for error messages. */
        public String text() {
            return text;
        }
    }
}
