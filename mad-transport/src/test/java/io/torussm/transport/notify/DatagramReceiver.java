package io.torussm.transport.notify;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a service manager does with NOTIFY_SOCKET, in Python: binds a datagram socket and reads from it. */
public final class DatagramReceiver implements AutoCloseable {
    private static final String PROGRAM = """
            import socket, sys
            name = sys.argv[1]
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            s.bind('\\0' + name[1:] if name.startswith('@') else name)
            print('bound', flush=True)
            while True:
                for line in s.recv(65536).decode().split('\\n'):
                    print(line, flush=True)
                print('.', flush=True)
            """;

    private final Process process;
    private final BufferedReader lines;

    /**
     * Binds.
     *
     * @param name a path, or {@code @} and an abstract name
     */
    public DatagramReceiver(String name) throws IOException {
        process = new ProcessBuilder("python3", "-c", PROGRAM, name)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        if (!"bound".equals(lines.readLine())) {
            throw new IOException("python3 did not bind " + name);
        }
    }

    /** Whether there is a Python to run it. */
    public static boolean canRun() {
        try {
            return new ProcessBuilder("python3", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The lines of the next datagram; waits for it. */
    public List<String> next() throws IOException {
        List<String> message = new ArrayList<>();
        for (String line = lines.readLine(); line != null && !line.equals("."); line = lines.readLine()) {
            message.add(line);
        }
        return message;
    }

    /** The first datagram with such a line, those before it passed over. */
    public List<String> nextWith(String line) throws IOException {
        List<String> message = next();
        while (!message.contains(line) && !message.isEmpty()) {
            message = next();
        }
        return message;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
