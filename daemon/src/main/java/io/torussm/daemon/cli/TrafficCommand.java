package io.torussm.daemon.cli;

import io.torussm.daemon.ExitCode;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.planning.PlannedFabric;
import io.torussm.daemon.traffic.DumpedFabric;
import io.torussm.daemon.traffic.JobReport;
import io.torussm.daemon.traffic.TraceFile;
import io.torussm.daemon.traffic.TrafficOrder;
import io.torussm.daemon.traffic.TrafficPage;
import io.torussm.daemon.traffic.TrafficPattern;
import io.torussm.daemon.traffic.TrafficReport;
import io.torussm.daemon.traffic.TrafficReport.Run;
import io.torussm.daemon.traffic.TrafficStudy;
import io.torussm.dataplane.DataPlaneSettings;
import io.torussm.dataplane.Trace;
import io.torussm.deadlock.RoutingChain.ChainResult;
import io.torussm.routing.Plan;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code torus-sm traffic}: sends packets over a topology on paper, credit by credit. */
final class TrafficCommand implements Subcommand {
    private static final String PATTERN = "--pattern";
    private static final String LOADS = "--load";
    private static final String SL = "--sl";
    private static final String UPPER = "--upper-share";
    private static final String GROUPS = "--group-share";
    private static final String MESSAGE = "--message";
    private static final String PACKET = "--packet";
    private static final String BUFFER = "--buffer";
    private static final String LENGTH = "--length";
    private static final String HOQ = "--hoq";
    private static final String SEED = "--seed";
    private static final String HTML = "--html";
    private static final String ALL_REDUCE = "--all-reduce";
    private static final String TRACE = "--trace";
    private static final String DUMP = "--dump";
    private static final String PATH_RECORDS = "path";
    private static final List<Double> CURVE =
            IntStream.rangeClosed(1, 10).mapToObj(tenth -> tenth / 10.0).toList();
    private static final int MAX_LENGTH = 1_000_000;
    private static final int MAX_MESSAGE = 1 << 30;
    private static final int MAX_BUFFER = 1 << 24;
    private static final int MAX_PACKET = 4_096 + 128;
    private static final int LAST_SL = 15;
    private static final int NS_PER_US = 1_000;

    @Override
    public String name() {
        return "traffic";
    }

    @Override
    public String words() {
        return "[OPTIONS] TOPOLOGY";
    }

    @Override
    public void describe(CommandSpec spec) {
        DataPlaneSettings settings = DataPlaneSettings.DEFAULT;
        PlanningWords.describeRouting(
                spec,
                "Send packets over a topology as it would be routed, with buffers, credits and VL arbitration: what it"
                        + " carries, how long packets take, and whether they ever wait for each other for ever. Tables"
                        + " with credit loops are taken, too.",
                "Exit codes: 0 all of it flows, 1 deadlock or messages lost, 2 bad configuration or usage, 3 routing"
                        + " refused.");
        CommandWords.addText(
                spec,
                "WORD",
                "who sends to whom: " + String.join(", ", TrafficPattern.words()) + "; else uniform",
                PATTERN);
        CommandWords.addText(
                spec,
                "BYTES",
                "instead of loads: time to add up a vector of so many bytes over rings of hosts, by pattern ring,"
                        + " ring-x, ring-y or ring-z",
                ALL_REDUCE);
        CommandWords.addText(
                spec,
                "FILE",
                "instead of loads: messages, a line each: source, destination (LID or description), bytes, nanoseconds",
                TRACE);
        CommandWords.addText(
                spec,
                "DIR",
                "send over the tables that OpenSM or torus-sm dumped in DIR instead: opensm-lfts.dump, and if they are"
                        + " there opensm-sl2vl.dump, opensm.mcfdbs and opensm-path-sl.dump; what is not there comes from"
                        + " the engine",
                DUMP);
        CommandWords.addText(
                spec, "LOAD[,..]", "shares of what hosts can send, above 0 to 1, a run each; else 0.1 to 1", LOADS);
        CommandWords.addText(
                spec,
                "path|SL",
                "SLs of path records, or this one for all, as jobs have it that ignore them; else path",
                SL);
        CommandWords.addText(spec, "SHARE", "share of messages of the upper QoS level, 0 to 1; else 0", UPPER);
        CommandWords.addText(spec, "SHARE", "share of messages to a group of all hosts, 0 to 1; else 0", GROUPS);
        CommandWords.addText(spec, "BYTES", "size of messages; else that of a packet", MESSAGE);
        CommandWords.addText(spec, "BYTES", "largest packet; else " + settings.packetBytes(), PACKET);
        CommandWords.addText(
                spec, "BYTES", "buffer of an input port for each VL; else " + settings.bufferBytes(), BUFFER);
        CommandWords.addText(
                spec,
                "PACKETS",
                "how long is measured, in packets of a host; half of it goes before; else 1000",
                LENGTH);
        CommandWords.addText(spec, "US", "HOQLife in microseconds; else nothing is ever dropped", HOQ);
        CommandWords.addText(spec, "N", "seed of all that is drawn by lot; else 1", SEED);
        CommandWords.addText(spec, "FILE", "write a page with plots for browsers; nothing is overwritten", HTML);
        CommandWords.addJson(spec);
    }

    @Override
    public ExitCode run(ParseResult parsed, PrintStream out, PrintStream err) throws ConfigurationException {
        TrafficOrder order = order(parsed);
        Path page = CommandWords.path(parsed, HTML);
        PlannedFabric fabric = PlanningWords.fabric(parsed).takingLoops();
        ChainResult result =
                fabric.chain(Runtime.getRuntime().availableProcessors()).route(fabric.subnet(), fabric.wanted());
        PlanningWords.report(fabric, result.findings(), err);
        Plan plan = result.plan();
        if (plan == null) {
            err.println("torus-sm: routing refused; there is nothing to send over");
            return ExitCode.ROUTING_REFUSED;
        }
        try {
            Path dump = CommandWords.path(parsed, DUMP);
            TrafficStudy study = new TrafficStudy(
                    plan,
                    result.multicast(),
                    fabric.wanted(),
                    fabric.arbitration(plan),
                    order,
                    dump == null ? null : new DumpedFabric(dump, plan.subnet()));
            return parsed.hasMatchedOption(ALL_REDUCE) || parsed.hasMatchedOption(TRACE)
                    ? job(parsed, study, out)
                    : loads(parsed, study, page, out, err);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of(String.valueOf(e.getMessage())));
        }
    }

    private static ExitCode loads(
            ParseResult parsed, TrafficStudy study, @Nullable Path page, PrintStream out, PrintStream err)
            throws ConfigurationException {
        TrafficReport report = study.report(run -> progress(run, err));
        if (CommandWords.wantsJson(parsed)) {
            CommandWords.printJson(report, out);
        } else {
            report.lines().forEach(out::println);
        }
        if (page != null) {
            NewFile.create(page, TrafficPage.of(report), NewFile.READABLE);
        }
        return report.isHung() ? ExitCode.INTERNAL_ERROR : ExitCode.OK;
    }

    private static ExitCode job(ParseResult parsed, TrafficStudy study, PrintStream out) throws ConfigurationException {
        Path trace = CommandWords.path(parsed, TRACE);
        JobReport report = trace == null
                ? study.allReduce(number(parsed, ALL_REDUCE, 1, 1, MAX_MESSAGE))
                : study.job(
                        "messages of " + trace, new Trace(study.hosts().count(), TraceFile.read(trace, study.hosts())));
        if (CommandWords.wantsJson(parsed)) {
            CommandWords.printJson(report, out);
        } else {
            report.lines().forEach(out::println);
        }
        return report.isHung() || report.left() > 0 ? ExitCode.INTERNAL_ERROR : ExitCode.OK;
    }

    private static void progress(Run run, PrintStream err) {
        err.println(String.format(
                Locale.ROOT,
                "torus-sm: load %.3f: %s",
                run.load(),
                run.isHung() ? "hangs" : String.format(Locale.ROOT, "%.3f accepted", run.accepted())));
    }

    private static TrafficOrder order(ParseResult parsed) throws ConfigurationException {
        String word = parsed.matchedOptionValue(PATTERN, TrafficPattern.UNIFORM.word());
        TrafficPattern pattern = TrafficPattern.of(word)
                .orElseThrow(() -> bad(PATTERN, word, "one of " + String.join(", ", TrafficPattern.words())));
        DataPlaneSettings usual = DataPlaneSettings.DEFAULT;
        int packet = number(parsed, PACKET, usual.packetBytes(), 1, MAX_PACKET);
        int hoq = number(parsed, HOQ, 0, 1, Integer.MAX_VALUE);
        DataPlaneSettings settings = usual.withBuffers(number(parsed, BUFFER, usual.bufferBytes(), packet, MAX_BUFFER))
                .withPackets(packet)
                .withLifetimes(
                        hoq == 0 ? DataPlaneSettings.FOREVER : (long) hoq * NS_PER_US, DataPlaneSettings.FOREVER);
        String sl = parsed.matchedOptionValue(SL, PATH_RECORDS);
        return new TrafficOrder(
                pattern,
                loads(parsed),
                sl.equals(PATH_RECORDS) ? -1 : number(parsed, SL, 0, 0, LAST_SL),
                share(parsed, UPPER),
                share(parsed, GROUPS),
                number(parsed, MESSAGE, packet, 1, MAX_MESSAGE),
                number(parsed, LENGTH, 1_000, 1, MAX_LENGTH),
                number(parsed, SEED, 1, 0, Integer.MAX_VALUE),
                settings);
    }

    private static List<Double> loads(ParseResult parsed) throws ConfigurationException {
        String text = parsed.matchedOptionValue(LOADS, "");
        if (text.isEmpty()) {
            return CURVE;
        }
        List<Double> loads = Stream.of(text.split(",", -1))
                .map(word -> real(word.strip()))
                .sorted()
                .toList();
        if (loads.stream().anyMatch(load -> !(load > 0 && load <= 1))) {
            throw bad(LOADS, text, "numbers above 0 to 1, with commas between them, such as 0.2,0.5,0.8");
        }
        return loads;
    }

    private static double share(ParseResult parsed, String option) throws ConfigurationException {
        String text = parsed.matchedOptionValue(option, "0");
        double share = real(text);
        if (!(share >= 0 && share <= 1)) {
            throw bad(option, text, "a number from 0 to 1");
        }
        return share;
    }

    private static int number(ParseResult parsed, String option, int otherwise, int least, int most)
            throws ConfigurationException {
        String text = parsed.matchedOptionValue(option, "");
        if (text.isEmpty()) {
            return otherwise;
        }
        double value = real(text);
        if (!(value >= least && value <= most && value == Math.rint(value))) {
            throw bad(option, text, "a whole number from " + least + " to " + most);
        }
        return (int) value;
    }

    /** Not a number if it is none, so that no bound is kept. */
    private static double real(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    private static ConfigurationException bad(String option, String text, String wanted) {
        return new ConfigurationException(List.of(option + " \"" + text + "\": give " + wanted));
    }
}
