package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFilesTest {
    @TempDir
    private Path directory;

    @Test
    void aPairIsReadAsItWasWritten() throws Exception {
        KeyPair pair = KeyFiles.newPair();
        KeyPair read = KeyFiles.readPair(file(KeyFiles.privatePem(pair)));
        assertThat(read.getPrivate()).isEqualTo(pair.getPrivate());
        assertThat(read.getPublic()).isEqualTo(pair.getPublic());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\u00e9\u0000",
                "-----BEGIN PRIVATE KEY-----",
                "-----END PRIVATE KEY-----\n-----BEGIN PRIVATE KEY-----\n",
                "-----BEGIN PRIVATE KEY-----END PRIVATE KEY-----\n",
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
                "-----BEGIN PRIVATE KEY-----\nA\n-----END PRIVATE KEY-----\n"
                        + "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
                        + "-----BEGIN PUBLIC KEY-----\nA=A=\n-----END PUBLIC KEY-----\n"
            })
    void theErrorForAnyOtherTextNamesTheFileAndWhatItMustContain(String text) throws Exception {
        Path file = file(text);
        assertThatThrownBy(() -> KeyFiles.readPair(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(file + " must contain ");
    }

    private Path file(String text) throws Exception {
        return Files.writeString(directory.resolve("key.pem"), text, StandardCharsets.UTF_8);
    }
}
