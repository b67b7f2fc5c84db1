package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.daemon.http.server.HttpServer;
import io.torussm.daemon.json.Json;
import io.torussm.daemon.replay.Decision;
import io.torussm.daemon.replay.DecisionDiff;
import io.torussm.daemon.replay.Replay;
import io.torussm.daemon.replay.ReplayObserver;
import io.torussm.daemon.system.ExitCode;
import io.torussm.daemon.system.Version;
import io.torussm.recording.Recording;
import io.torussm.recording.RecordingFile;
import io.torussm.sim.VirtualLoop;
import io.torussm.transport.InputFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code torus-sm replay}: runs the SM against a recording, and shows its decisions. */
final class ReplayCommand implements Subcommand {
    private static final String FILE = "FILE";
    private static final String FROM = "--from";
    private static final String UNTIL = "--until";
    private static final String COMPARE = "--compare";
    private static final String RECORDED = "--recorded";
    private static final String LISTEN = "--listen";
    private static final String RECORDED_DECISIONS = "recorded";
    private static final double NS_PER_S = 1e9;

    /** Maximum size of the decisions to compare with, in bytes: those of 100,000 SMPs. */
    private static final int MAX_DECISIONS = 64 << 20;

    /** A step or a time. */
    private record Bound(long number, long atNs) {
        static final Bound FIRST = new Bound(0, Long.MIN_VALUE);
        static final Bound LAST = new Bound(Long.MAX_VALUE, Long.MAX_VALUE);

        static Bound of(String option, String text) throws ConfigurationException {
            if (text.matches("\\d{1,9}")) {
                return new Bound(Long.parseLong(text), option.equals(FROM) ? Long.MIN_VALUE : Long.MAX_VALUE);
            } else if (text.matches("\\d{1,7}(\\.\\d{1,9})?s")) {
                double seconds = Double.parseDouble(text.substring(0, text.length() - 1));
                return new Bound(option.equals(FROM) ? 0 : Long.MAX_VALUE, Math.round(seconds * NS_PER_S));
            }
            throw new ConfigurationException(List.of(
                    "option " + option + ": give the number of a decision, or seconds from the beginning, as 12.5s"));
        }
    }

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public String synopsis() {
        return "[OPTIONS] FILE";
    }

    @Override
    public void describe(CommandSpec spec) {
        spec.usageMessage()
                .description(
                        "Run the subnet manager against a recording of the flight recorder, in virtual time, and show"
                                + " its decisions: events, writes to devices, and results of sweeps.")
                .footer("Exit codes: 0 replayed, and with --compare: the same; 1 decisions differ; 2 bad file or"
                        + " usage.");
        CommandWords.addWord(
                spec, 0, FILE, "made by torus-smctl record, or found in the directory recordings of state_dir");
        CommandWords.addText(
                spec, "N|SECONDS", "show decisions from this number on, or from so many seconds, as 12.5s", FROM);
        CommandWords.addText(spec, "N|SECONDS", "stop after this decision, or after so many seconds, as 12.5s", UNTIL);
        CommandWords.addText(
                spec,
                "OTHER",
                "show differences from another recording, from decisions that --json printed, perhaps by another"
                        + " version, or from the recorded decisions: the word recorded",
                COMPARE);
        CommandWords.addFlag(spec, "show the decisions that were made when it was recorded; run nothing", RECORDED);
        CommandWords.addText(
                spec, "ADDRESS:PORT", "serve the page with the replayed history there, until interrupted", LISTEN);
        CommandWords.addJson(spec);
    }

    @Override
    public ExitCode run(ParseResult parsed, PrintStream out, PrintStream err) throws ConfigurationException {
        UnusedOptions.allowOnly(parsed, LISTEN);
        UnusedOptions.allowOnly(parsed, COMPARE, FROM, UNTIL, RECORDED);
        if (parsed.matchedOptionValue(COMPARE, "").equals(RECORDED_DECISIONS)) {
            UnusedOptions.refuse(parsed, COMPARE + " " + RECORDED_DECISIONS, List.of(RECORDED));
        }
        Path file = Path.of(parsed.matchedPositionalValue(0, ""));
        Bound from = parsed.hasMatchedOption(FROM) ? Bound.of(FROM, parsed.matchedOptionValue(FROM, "")) : Bound.FIRST;
        Bound until =
                parsed.hasMatchedOption(UNTIL) ? Bound.of(UNTIL, parsed.matchedOptionValue(UNTIL, "")) : Bound.LAST;
        try {
            Recording recording = read(file);
            if (parsed.hasMatchedOption(LISTEN)) {
                return serve(recording, file, parsed.matchedOptionValue(LISTEN, ""), err);
            }
            List<Decision> decisions = new ArrayList<>();
            for (Decision decision : decisions(recording, file, parsed.hasMatchedOption(RECORDED), until, err)) {
                boolean isShown = decision.number() >= from.number()
                        && decision.atNs() >= from.atNs()
                        && decision.number() <= until.number();
                if (isShown) {
                    decisions.add(decision);
                }
            }
            if (parsed.hasMatchedOption(COMPARE)) {
                return compare(recording, file, decisions, parsed.matchedOptionValue(COMPARE, ""), until, out, err);
            } else if (CommandWords.isJson(parsed)) {
                out.println(Json.line(decisions));
            } else {
                decisions.forEach(decision -> out.println(decision.line()));
            }
            return ExitCode.OK;
        } catch (IOException e) {
            throw new ConfigurationException(List.of(String.valueOf(e.getMessage())));
        }
    }

    private static Recording read(Path file) throws IOException {
        try (InputStream in = open(file)) {
            return RecordingFile.read(in, file.toString());
        }
    }

    private static InputStream open(Path file) throws IOException {
        try {
            return InputFile.open(file);
        } catch (IOException e) {
            throw new IOException("cannot read " + file + ": " + FileErrors.describe(e), e);
        }
    }

    private static List<Decision> decisions(
            Recording recording, Path file, boolean areRecorded, Bound until, PrintStream err)
            throws IOException, ConfigurationException {
        Replay replay = new Replay(recording, file.toString());
        if (areRecorded) {
            return replay.recordedDecisions().stream()
                    .filter(decision -> decision.atNs() <= until.atNs())
                    .toList();
        }
        List<Decision> decisions = new ArrayList<>();
        Replay.Outcome outcome;
        try (ProgressLine progress = ProgressLine.on(err)) {
            progress.begin("replaying");
            long allMs = TimeUnit.NANOSECONDS.toMillis(Math.min(until.atNs(), recording.endNs() - recording.beginNs()));
            outcome = replay.run(until.atNs(), decision -> {
                decisions.add(decision);
                progress.count("millisecond", TimeUnit.NANOSECONDS.toMillis(decision.atNs()), allMs);
            });
        }
        err.println("torus-sm: recorded by " + outcome.version() + (outcome.isFromStart() ? ", from its start on" : "")
                + "; of " + (outcome.recorded() + outcome.byTwin()) + " requests " + outcome.recorded()
                + " were answered as recorded, " + outcome.byTwin() + " by the twin");
        return decisions;
    }

    private static ExitCode compare(
            Recording recording,
            Path file,
            List<Decision> decisions,
            String other,
            Bound until,
            PrintStream out,
            PrintStream err)
            throws IOException, ConfigurationException {
        List<Decision> expected;
        List<Decision> replayed = decisions;
        if (other.equals(RECORDED_DECISIONS)) { // of events there are more than an SM alone has
            expected = sortForComparison(decisions(recording, file, true, until, err));
            replayed = sortForComparison(decisions);
        } else {
            expected = readOther(Path.of(other), until, err);
        }
        List<String> differences = DecisionDiff.of(expected, replayed);
        differences.forEach(out::println);
        err.println("torus-sm: " + expected.size() + " decisions there, " + replayed.size() + " here, "
                + (differences.isEmpty() ? "the same" : differences.size() + " differ"));
        return differences.isEmpty() ? ExitCode.OK : ExitCode.CHECK_FAILED;
    }

    /**
     * Returns the decisions without events, and with the writes between two sweeps sorted: real threads change places
     * in a moment.
     */
    private static List<Decision> sortForComparison(List<Decision> decisions) {
        List<Decision> sorted = new ArrayList<>();
        List<Decision> writes = new ArrayList<>();
        for (Decision decision : decisions) {
            if (decision.kind() == Decision.DecisionType.WRITE) {
                writes.add(decision);
            } else if (decision.kind() == Decision.DecisionType.SWEEP) {
                writes.sort(Comparator.comparing(Decision::text));
                sorted.addAll(writes);
                sorted.add(decision);
                writes.clear();
            }
        }
        writes.sort(Comparator.comparing(Decision::text));
        sorted.addAll(writes);
        return sorted;
    }

    private static List<Decision> readOther(Path other, Bound until, PrintStream err)
            throws IOException, ConfigurationException {
        try (InputStream in = open(other)) {
            int first = in.read();
            if (first != '[') {
                return decisions(read(other), other, false, until, err);
            }
        }
        try (InputStream in = open(other)) {
            byte[] text = in.readNBytes(MAX_DECISIONS + 1);
            if (text.length > MAX_DECISIONS) {
                throw new IOException(
                        other + ": more than " + MAX_DECISIONS + " bytes; name what torus-sm replay --json printed");
            }
            return List.of(Json.read(text, Decision[].class));
        } catch (IllegalArgumentException e) {
            throw new IOException(other + " is neither a recording nor what --json printed: " + e.getMessage(), e);
        }
    }

    /** Runs all of it first: the page then goes forwards and backwards in it. */
    private static ExitCode serve(Recording recording, Path file, String listen, PrintStream err)
            throws IOException, ConfigurationException {
        int colon = listen.lastIndexOf(':');
        if (colon < 1 || !listen.substring(colon + 1).matches("\\d{1,5}")) {
            throw new ConfigurationException(List.of("option --listen: give ADDRESS:PORT, as 127.0.0.1:8080"));
        }
        VirtualLoop loop = new VirtualLoop();
        Replay replay = new Replay(recording, file.toString());
        ReplayObserver observer = new ReplayObserver(replay::options, loop, Version.TEXT);
        replay.setFabricListener(observer::recordFabric);
        replay.run(
                Long.MAX_VALUE,
                decision -> observer.recordDecision(
                        decision, Instant.ofEpochSecond(0, recording.beginNs() + decision.atNs())));
        loop.runFor(0);
        InetSocketAddress address =
                new InetSocketAddress(listen.substring(0, colon), Integer.parseInt(listen.substring(colon + 1)));
        try (HttpServer server = HttpServer.open(address, Set.of(), observer)) {
            err.println("torus-sm: the page with the replayed history is at port "
                    + server.address().getPort() + " of " + address.getHostString() + " until interrupted");
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ExitCode.OK;
    }
}
