package dev.parley.log.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The lines of an export. */
class ExportFormatTest {

    @Test
    void noCharacterInATextEndsALine() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = ExportFormat.generator(out)) {
            json.writeString("a\u0085b\u2028c\u2029d\n");
        }
        assertThat(out.toString(UTF_8)).isEqualTo("\"a\\u0085b\\u2028c\\u2029d\\n\"");
    }
}
