package io.torussm.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running ibsim. */
public final class IbSim implements Simulation {
    private static final String READY = "Network simulator ready";
    private static final String PROMPT = "sim> ";
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int TRIES = 5;
    private static final int SEGMENTATION_FAULT = 128 + 11;

    private final Process process;
    private final String socketName;
    private final Thread killer;
    private final StringBuilder output = new StringBuilder();
    private boolean hasEnded;

    private IbSim(Process process, String socketName) {
        this.process = process;
        this.socketName = socketName;
        killer = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(killer);
        Thread reader = new Thread(this::readOutput, "ibsim-output");
        reader.setDaemon(true);
        reader.start();
    }

    /** Skips the test, visibly, where ibsim or its preload library is not installed. */
    public static void assumeInstalled() {
        Programs.requireProgram("ibsim");
        UmadClients.preloadLibrary();
    }

    /** Starts ibsim on a fabric in ibnetdiscover's format and waits until it is ready. */
    public static IbSim start(Path topology) throws IOException {
        assumeInstalled();
        String socketName = UmadClients.newSocketName();
        // Its input stays open as long as this object: ibsim spins at the end of its input.
        ProcessBuilder builder = new ProcessBuilder(
                Programs.requireProgram("ibsim"),
                "-s",
                "-N",
                "20000",
                "-S",
                "9000",
                "-P",
                "200000",
                "-L",
                "49152",
                topology.toString());
        builder.redirectErrorStream(true).environment().put("IBSIM_SOCKNAME", socketName);
        IbSim sim = new IbSim(builder.start(), socketName);
        String greeting = "";
        try {
            greeting = sim.awaitPrompt();
        } finally {
            if (!greeting.contains(READY)) {
                sim.close();
            }
        }
        if (!greeting.contains(READY)) {
            throw new IOException("ibsim did not start: " + greeting);
        }
        return sim;
    }

    @Override
    public synchronized String command(String line) throws IOException {
        output.setLength(0);
        process.getOutputStream().write((line + "\n").getBytes(UTF_8));
        process.getOutputStream().flush();
        return awaitPrompt();
    }

    @Override
    public ProcessBuilder client(String simHost, List<String> command, Path cwd) {
        return UmadClients.client(socketName, simHost, command, cwd);
    }

    /**
     * The end of a program.
     *
     * @param text its whole output
     */
    public record ProgramResult(String text, int status) {}

    /**
     * Runs a client to its end. A client that umad2sim crashes is run again: on a busy machine its receiving thread
     * may outlive the data that it uses, at the end of a program.
     */
    public static ProgramResult run(ProcessBuilder client) throws IOException, InterruptedException {
        ProgramResult ended = runOnce(client);
        for (int i = 1; i < TRIES && ended.status() == SEGMENTATION_FAULT; i++) {
            ended = runOnce(client);
        }
        return ended;
    }

    private static ProgramResult runOnce(ProcessBuilder client) throws IOException, InterruptedException {
        Process process = client.redirectErrorStream(true).start();
        try {
            String text = new String(process.getInputStream().readAllBytes(), UTF_8);
            return new ProgramResult(text, process.waitFor());
        } finally {
            process.destroyForcibly();
        }
    }

    /**
     * Returns the command line of another JVM with the class path of this one. It has the option of the launcher of
     * torus-sm that prevents warnings of newer JVMs, and options for a cheap process of a few seconds.
     *
     * @param arguments options and the class
     */
    public static List<String> java(String... arguments) {
        List<String> command = new ArrayList<>(StartedJvm.command());
        command.addAll(List.of(arguments));
        return command;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            Runtime.getRuntime().removeShutdownHook(killer);
        } catch (IllegalStateException e) {
            // The JVM is going down already, and the hook does the same as we did.
            return;
        }
        process.onExit().join();
    }

    private void readOutput() {
        byte[] buffer = new byte[8192];
        try (InputStream in = process.getInputStream()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                append(new String(buffer, 0, count, UTF_8));
            }
        } catch (IOException e) {
            append(e.toString());
        } finally {
            end();
        }
    }

    private synchronized void append(String text) {
        output.append(text);
        notifyAll();
    }

    private synchronized void end() {
        hasEnded = true;
        notifyAll();
    }

    private synchronized String awaitPrompt() throws IOException {
        long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (output.lastIndexOf(PROMPT) < 0 && !hasEnded) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            if (leftMs <= 0) {
                throw new IOException("ibsim does not come back to its prompt; it said: " + output);
            }
            try {
                wait(leftMs);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while waiting for ibsim", e);
            }
        }
        return output.toString();
    }
}
