package dev.parley.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A TCP proxy between an instance and one broker, whose network can become slow, lossy or one-way. */
final class TcpLink implements AutoCloseable {
    /** State of the network. */
    enum Mode {
        /** Passes everything on. */
        OPEN,
        /** Delays every piece of data. */
        SLOW,
        /** Breaks connections at random, as a network does that loses too many packets. */
        LOSSY,
        /** Breaks every connection that is in use. */
        BROKEN,
        /** Passes on requests, and withholds responses. */
        ONE_WAY
    }

    private static final int PIECE_BYTES = 16 << 10;
    private static final int LOST_OF = 40;
    private static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(60);

    private final ServerSocket server;
    private final int target;
    private Mode mode = Mode.OPEN;

    /** Listens on a free port of the loopback address, and connects to a target port there. */
    TcpLink(int target) throws IOException {
        this.target = target;
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    synchronized void set(Mode next) {
        mode = next;
        notifyAll();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket instance = server.accept();
                try {
                    Socket broker = new Socket(InetAddress.getLoopbackAddress(), target);
                    start(() -> copy(instance, broker, false));
                    start(() -> copy(broker, instance, true));
                } catch (IOException e) {
                    // No broker listens.
                    instance.close();
                }
            } catch (IOException e) {
                // Closed, or the instance hung up; the loop decides.
            }
        }
    }

    /** Copies until one side closes, and then closes the other. */
    private void copy(Socket from, Socket to, boolean isResponse) {
        byte[] piece = new byte[PIECE_BYTES];
        try (from;
                to) {
            for (int size = from.getInputStream().read(piece);
                    size >= 0;
                    size = from.getInputStream().read(piece)) {
                impair(isResponse);
                to.getOutputStream().write(piece, 0, size);
            }
        } catch (IOException e) {
            // A broken connection ends both directions.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void impair(boolean isResponse) throws IOException, InterruptedException {
        Mode now;
        synchronized (this) {
            while (mode == Mode.ONE_WAY && isResponse) {
                wait();
            }
            now = mode;
        }
        if (now == Mode.SLOW) {
            LockSupport.parkNanos(DELAY_NANOS);
        } else if (now == Mode.BROKEN
                || now == Mode.LOSSY && ThreadLocalRandom.current().nextInt(LOST_OF) == 0) {
            throw new IOException("lost");
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "tcp-link");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        set(Mode.OPEN);
        server.close();
    }
}
