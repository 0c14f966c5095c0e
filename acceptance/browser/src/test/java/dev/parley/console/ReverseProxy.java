package dev.parley.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The nginx of Debian's package, with the location of docs/security.md, on a free port of the loopback address. */
final class ReverseProxy implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/sbin/nginx");
    private static final Pattern LOCATION = Pattern.compile("```nginx\n(.*?)```", Pattern.DOTALL);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Process process;
    private final int port;

    private ReverseProxy(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts nginx.
     *
     * @param directory an empty directory
     * @param upstream address of Parley
     */
    static ReverseProxy start(Path directory, URI upstream) throws IOException {
        assertThat(PROGRAM)
                .as("Debian's package nginx-light, which .ci/clients installs")
                .isExecutable();
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Path log = Files.createFile(directory.resolve("log"));
        Path configuration =
                Files.writeString(directory.resolve("nginx.conf"), """
                daemon off;
                master_process off;
                pid pid;
                events {}
                http {
                  access_log off;
                  client_body_temp_path body;
                  proxy_temp_path proxy;
                  fastcgi_temp_path fastcgi;
                  uwsgi_temp_path uwsgi;
                  scgi_temp_path scgi;
                  server {
                    listen 127.0.0.1:%d;
                    %s
                  }
                }
                """.formatted(port, location(upstream)));
        Process process = new ProcessBuilder(
                        PROGRAM.toString(),
                        "-p",
                        directory.toString(),
                        "-e",
                        log.toString(),
                        "-c",
                        configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        ReverseProxy proxy = new ReverseProxy(process, port);
        try {
            await().atMost(TIMEOUT)
                    .failFast(() -> assertThat(process.isAlive())
                            .as(Files.readString(log))
                            .isTrue())
                    .until(proxy::accepts);
            return proxy;
        } catch (RuntimeException | AssertionError e) {
            proxy.close();
            throw e;
        }
    }

    /** The documented location, for another address of Parley. */
    private static String location(URI upstream) throws IOException {
        Matcher page = LOCATION.matcher(Files.readString(Path.of("docs", "security.md")));
        assertThat(page.find()).isTrue();
        String documented = "http://127.0.0.1:8080;";
        assertThat(page.group(1)).contains(documented);
        return page.group(1).replace(documented, "http://" + upstream.getAuthority() + ";");
    }

    private boolean accepts() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** Address of the console, with a slash at the end. */
    URI uri() {
        return URI.create("http://127.0.0.1:" + port + DemoServer.PREFIX + "/");
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
