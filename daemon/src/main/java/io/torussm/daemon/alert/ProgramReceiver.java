package io.torussm.daemon.alert;

import io.torussm.daemon.config.files.ProgramFile;
import io.torussm.daemon.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A program that is started for each alert, without a shell. The alert is JSON on its standard input, and in
 * environment variables. Its output is discarded. Exit status 0: accepted; 75 ({@code EX_TEMPFAIL} of
 * sysexits.h): try again; any other: refused.
 */
final class ProgramReceiver implements Receiver {
    private static final int EX_TEMPFAIL = 75;

    /**
     * The variables of the daemon's environment that the program inherits. Those for sockets of systemd are left out.
     */
    private static final Set<String> INHERITED = Set.of("PATH", "LANG", "LC_ALL", "TZ", "HOME");

    private final Path program;

    ProgramReceiver(Path program) {
        this.program = program;
    }

    @Override
    public String name() {
        return program.toString();
    }

    @Override
    public void deliver(Alert alert) throws Unavailable, Refused, InterruptedException {
        String problem = ProgramFile.problem(program);
        if (!problem.isEmpty()) {
            throw new Unavailable("it " + problem);
        }
        ProcessBuilder builder = new ProcessBuilder(program.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().retainAll(INHERITED);
        builder.environment().putAll(variables(alert));
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new Unavailable(String.valueOf(e.getMessage()));
        }
        try {
            write(alert, process);
            checkExitStatus(process);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Map<String, String> variables(Alert alert) {
        return Map.of(
                "TSM_TIME", alert.time().toString(),
                "TSM_LEVEL", alert.level(),
                "TSM_CODE", alert.code(),
                "TSM_CONDITION", alert.condition(),
                "TSM_TEXT", alert.text().replace('\0', '?'));
    }

    private static void write(Alert alert, Process process) {
        try (OutputStream in = process.getOutputStream()) {
            in.write(Json.bytes(alert));
        } catch (IOException e) {
            // a program need not read its input; its exit status decides
        }
    }

    private static void checkExitStatus(Process process) throws Unavailable, Refused, InterruptedException {
        if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
            throw new Refused("it took longer than " + TIMEOUT_S + " s and was killed");
        }
        int status = process.exitValue();
        if (status == EX_TEMPFAIL) {
            throw new Unavailable("it ended with exit status " + EX_TEMPFAIL);
        } else if (status != 0) {
            throw new Refused("it ended with exit status " + status);
        }
    }
}
