package dev.parley.tap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A server of HTTP/1.1 that shows each byte it gets, and answers any bytes. */
final class RawServer implements AutoCloseable {
    private final ServerSocket server;
    /** Heads and bodies of requests, in ISO 8859-1. */
    final List<String> requests = new CopyOnWriteArrayList<>();
    /** Connections that the other side has ended. */
    final AtomicInteger left = new AtomicInteger();

    private final List<Socket> open = new CopyOnWriteArrayList<>();
    /** Whether it answers 100 to a request that expects it. */
    volatile boolean continues = true;
    /** Whether it reads bodies before it handles their requests. */
    volatile boolean takesBodies = true;

    volatile Handler handler = (request, socket) -> write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");

    /** Answers a request, and may close its connection. */
    interface Handler {
        void handle(String request, Socket socket) throws IOException;
    }

    RawServer() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        thread(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    static void write(Socket socket, String answer) throws IOException {
        socket.getOutputStream().write(answer.getBytes(ISO_8859_1));
    }

    private static void thread(Runnable work) {
        Thread thread = new Thread(work, "raw-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                open.add(socket);
                thread(() -> serve(socket));
            }
        } catch (IOException e) {
            if (!server.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            for (String request = request(socket); request != null; request = request(socket)) {
                requests.add(request);
                handler.handle(request, socket);
            }
        } catch (IOException e) {
            // The other side or the test has closed it.
        }
        left.incrementAndGet();
    }

    private String request(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (!bytes.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
            if (!next(in, bytes)) {
                return null;
            }
        }
        String head = bytes.toString(ISO_8859_1);
        if (continues && head.contains("Expect: 100-continue")) {
            write(socket, "HTTP/1.1 100 Continue\r\n\r\n");
        }
        if (!takesBodies) {
            return head;
        }
        if (head.contains("Transfer-Encoding: chunked")) {
            while (!bytes.toString(ISO_8859_1).endsWith("0\r\n\r\n")) {
                if (!next(in, bytes)) {
                    return null;
                }
            }
        }
        int length = head.indexOf("Content-Length: ");
        if (length >= 0) {
            int from = length + "Content-Length: ".length();
            int count = Integer.parseInt(head.substring(from, head.indexOf('\r', from)));
            bytes.writeBytes(in.readNBytes(count));
        }
        return bytes.toString(ISO_8859_1);
    }

    private static boolean next(InputStream in, ByteArrayOutputStream bytes) throws IOException {
        int b = in.read();
        if (b >= 0) {
            bytes.write(b);
        }
        return b >= 0;
    }

    /** Closes all connections. */
    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
