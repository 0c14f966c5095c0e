package dev.parley.log.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.log.Trail;
import dev.parley.log.export.ExportFormat;
import dev.parley.log.export.ExportWriter;
import dev.parley.log.export.Exporter;
import dev.parley.log.tlog.NoteSigner;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the example of docs/audit.md for auditors who embed the verifier. */
class EmbeddedVerificationTest {
    private static final Path PAGE = Path.of("docs", "audit.md");
    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final NoteSigner KEY = Trail.key();

    @TempDir
    private Path directory;

    @Test
    void theExampleVerifiesAnExportWithItsKey() throws Exception {
        Method verify = example().getDeclaredMethod("verify", Path.class, String.class);
        verify.setAccessible(true);
        Trail trail = Trail.of(KEY, Map.of("default|SLIP|1", 0), 3);
        Path export = write("sound", trail.notes(), trail.records);
        assertThat(verify.invoke(null, export, KEY.verifierKey().toString())).isEqualTo(true);
        assertThat(verify.invoke(null, export, Trail.key().verifierKey().toString()))
                .isEqualTo(false);
        Path cut = write("cut", trail.notes(), trail.records.subList(0, 2));
        assertThat(verify.invoke(null, cut, KEY.verifierKey().toString())).isEqualTo(false);
    }

    private Class<?> example() throws IOException, ClassNotFoundException {
        Matcher example = EXAMPLE.matcher(Files.readString(PAGE));
        assertThat(example.find()).as("an example in %s", PAGE).isTrue();
        Path source = Files.writeString(directory.resolve("VerifyExport.java"), example.group(1));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter errors = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of("-d", directory.toString(), "-proc:none", "-cp", System.getProperty("java.class.path"));
            assertThat(compiler.getTask(errors, files, null, options, null, files.getJavaFileObjects(source))
                            .call())
                    .as(errors::toString)
                    .isTrue();
        }
        return new URLClassLoader(
                        new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())
                .loadClass("VerifyExport");
    }

    private Path write(String name, List<AuditHead> notes, List<AuditRecord> records) throws IOException {
        Path file = directory.resolve(name);
        try (ExportWriter writer = ExportFormat.JSONL.to(Files.newOutputStream(file))) {
            Exporter exporter = new Exporter(writer);
            exporter.begin(new ExportStart(Exporter.VERSION, Instant.EPOCH, ExportScope.EVERYTHING, null, null, null));
            for (AuditHead note : notes) {
                exporter.note(note);
            }
            for (AuditRecord record : records) {
                exporter.record(record);
            }
            exporter.end();
        }
        return file;
    }
}
