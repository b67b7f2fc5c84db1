package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Engines;
import io.torussm.daemon.planning.PlannedFabric;
import io.torussm.daemon.system.ExitCode;
import io.torussm.daemon.traffic.CongestionComparison;
import io.torussm.daemon.traffic.DumpedFabric;
import io.torussm.daemon.traffic.HostOrder;
import io.torussm.daemon.traffic.LossReport;
import io.torussm.daemon.traffic.RoutedFabric;
import io.torussm.daemon.traffic.TraceFile;
import io.torussm.daemon.traffic.TrafficComparison;
import io.torussm.daemon.traffic.TrafficComparison.Row;
import io.torussm.daemon.traffic.TrafficLosses;
import io.torussm.daemon.traffic.TrafficOrder;
import io.torussm.daemon.traffic.TrafficPage;
import io.torussm.daemon.traffic.TrafficPattern;
import io.torussm.daemon.traffic.TrafficReport;
import io.torussm.daemon.traffic.TrafficReport.LoadResult;
import io.torussm.daemon.traffic.TrafficResult;
import io.torussm.daemon.traffic.TrafficStudy;
import io.torussm.dataplane.DataPlaneSettings;
import io.torussm.dataplane.Trace;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.routing.Engine;
import io.torussm.routing.Plan;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
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
    private static final String SHIFT = "--shift";
    private static final String SHIFTS = "--shifts";
    private static final String COMPARE = "--compare";
    private static final String LOSE = "--lose";
    private static final String FAIL = "--fail";
    private static final String PATH_RECORDS = "path";
    private static final DataPlaneSettings DEFAULTS = DataPlaneSettings.DEFAULT;
    private static final List<Double> DEFAULT_LOADS =
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
    public String synopsis() {
        return "[OPTIONS] TOPOLOGY";
    }

    @Override
    public void describe(CommandSpec spec) {
        PlanningWords.describeRouting(
                spec,
                "Send packets over a topology as it would be routed, with buffers, credits and VL arbitration, and"
                        + " report throughput, latency and deadlocks. Tables with credit loops are accepted, too.",
                "Exit codes: 0 all of it flows, 1 deadlock or messages lost, 2 bad configuration or usage, 7 routing"
                        + " refused.");
        CommandWords.addChoice(
                spec,
                "WORD",
                "sources and destinations: " + String.join(", ", TrafficPattern.words())
                        + "; else uniform. shift, ring and"
                        + " all-to-all count hosts from leaf to leaf of a tree, else by GUID",
                TrafficPattern.words(),
                PATTERN);
        CommandWords.addText(
                spec, "N", "with pattern shift: by so many hosts in their order; else by half of them", SHIFT);
        CommandWords.addFlag(
                spec,
                "instead of loads: for each shift the number of hosts that send over the busiest cable between"
                        + " switches",
                SHIFTS);
        CommandWords.addText(
                spec,
                "ENGINE[,..]",
                "print several engines side by side: shifts, loads, latency; each routes alone, or with the last"
                        + " resort",
                COMPARE);
        CommandWords.addText(
                spec, "N", "do the same without so many cables between switches, drawn by --seed, as well", LOSE);
        CommandWords.addList(
                spec,
                "SPEC",
                "do the same without a switch or link as well, named as for what-if; may be given more than once",
                FAIL);
        describeJobs(spec);
        CommandWords.addText(
                spec,
                "LOAD[,..]",
                "loads as shares of the rate of a host, above 0 to 1, a run each; else 0.1 to 1",
                LOADS);
        CommandWords.addText(
                spec, "path|SL", "SLs of path records, or this one for all, for jobs that ignore them; else path", SL);
        CommandWords.addText(spec, "SHARE", "share of messages of the upper QoS level, 0 to 1; else 0", UPPER);
        CommandWords.addText(spec, "SHARE", "share of messages to a group of all hosts, 0 to 1; else 0", GROUPS);
        CommandWords.addText(spec, "BYTES", "size of messages; else that of a packet", MESSAGE);
        CommandWords.addText(spec, "BYTES", "largest packet; else " + DEFAULTS.packetBytes(), PACKET);
        CommandWords.addText(
                spec, "BYTES", "buffer of an input port for each VL; else " + DEFAULTS.bufferBytes(), BUFFER);
        CommandWords.addText(
                spec,
                "PACKETS",
                "how long is measured, in packets of a host; half of it goes before; else 1000",
                LENGTH);
        CommandWords.addText(spec, "US", "HOQLife in microseconds; else nothing is ever dropped", HOQ);
        CommandWords.addText(spec, "N", "seed of all random choices; else 1", SEED);
        CongestionWords.describe(spec);
        CommandWords.addText(
                spec,
                "FILE",
                "write a page with plots for browsers, after a loss of the rest; no file is overwritten",
                HTML);
        CommandWords.addJson(spec);
    }

    private static void describeJobs(CommandSpec spec) {
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
        CommandWords.addList(
                spec,
                "DIR",
                "send over the tables that OpenSM or torus-sm dumped in DIR instead: opensm-lfts.dump, and if they are"
                        + " there opensm-sl2vl.dump, opensm.mcfdbs and opensm-path-sl.dump; missing files come from"
                        + " the engine; with --compare a row more, and may be given more than once",
                DUMP);
    }

    @Override
    public ExitCode run(ParseResult parsed, PrintStream out, PrintStream err) throws ConfigurationException {
        try (ProgressLine progress = ProgressLine.on(err)) {
            return run(parsed, progress, out, err);
        }
    }

    private static ExitCode run(ParseResult parsed, ProgressLine progress, PrintStream out, PrintStream err)
            throws ConfigurationException {
        TrafficOrder order = order(parsed);
        List<Engine> engines = engines(parsed);
        checkOptions(parsed, engines);
        Path page = CommandWords.newFile(parsed, HTML);
        Path congestionConf = CommandWords.newFile(parsed, CongestionWords.CONF);
        progress.begin("routing");
        PlannedFabric fabric = PlanningWords.fabric(parsed).withLoopsAccepted();
        TrafficLosses losses = new TrafficLosses(
                parsed.matchedOptionValue(FAIL, List.of()),
                CommandWords.number(parsed, LOSE, 0, 1, MAX_LENGTH),
                order.seed());
        HostOrder hostOrder = HostOrder.of(fabric.subnet().fabric());
        TrafficResult result;
        try {
            if (!engines.isEmpty()) {
                progress.end();
                PlanningWords.report(fabric, List.of(), err);
                result = comparison(parsed, fabric, engines, order, losses, hostOrder, progress);
            } else {
                RoutedFabric routed = RoutedFabric.of(fabric, losses, false);
                progress.end();
                PlanningWords.report(fabric, routed.findings(), err);
                if (!routed.isRouted()) {
                    err.println("torus-sm: routing refused" + (routed.states().size() > 1 ? " after the loss" : "")
                            + "; there is nothing to send over");
                    return ExitCode.ROUTING_REFUSED;
                }
                result = results(parsed, routed, order, hostOrder, progress);
            }
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of(String.valueOf(e.getMessage())));
        }
        progress.end();
        if (CommandWords.isJson(parsed)) {
            CommandWords.printJson(result, out);
        } else {
            result.lines().forEach(out::println);
        }
        TrafficResult last = result instanceof LossReport loss ? loss.left() : result;
        if (page != null) {
            NewFile.create(page, TrafficPage.of((TrafficReport) last), NewFile.PUBLIC_MODE);
        }
        if (congestionConf != null) {
            NewFile.create(congestionConf, ((CongestionComparison) last).configuration(), NewFile.PUBLIC_MODE);
        }
        if (result.isRefused()) {
            return ExitCode.ROUTING_REFUSED;
        }
        return result.isFailed() ? ExitCode.CHECK_FAILED : ExitCode.OK;
    }

    private static TrafficResult results(
            ParseResult parsed, RoutedFabric routed, TrafficOrder order, HostOrder hostOrder, ProgressLine progress)
            throws ConfigurationException {
        List<Path> dumps = dumps(parsed);
        List<TrafficResult> results = new ArrayList<>();
        for (ChainResult state : routed.states()) {
            Path dump = dumps.isEmpty() ? null : dumps.get(0);
            results.add(runStudy(parsed, study(routed.fabric(), state, order, hostOrder, dump), order, progress));
        }
        return results.size() == 1 ? results.get(0) : new LossReport(results.get(0), results.get(1), routed.lost());
    }

    private static TrafficStudy study(
            PlannedFabric fabric, ChainResult state, TrafficOrder order, HostOrder hostOrder, @Nullable Path dump)
            throws ConfigurationException {
        Plan plan = Objects.requireNonNull(state.plan());
        return new TrafficStudy(
                plan,
                state.multicast(),
                fabric.routingOptions(),
                fabric.arbitration(plan),
                order,
                hostOrder,
                dump == null ? null : new DumpedFabric(dump, plan.subnet()));
    }

    private static TrafficResult runStudy(
            ParseResult parsed, TrafficStudy study, TrafficOrder order, ProgressLine progress)
            throws ConfigurationException {
        Path trace = CommandWords.path(parsed, TRACE);
        progress.begin("sending");
        if (CongestionWords.hasCongestionOption(parsed)) {
            return CongestionWords.compare(parsed, study, order, progress);
        }
        if (parsed.hasMatchedOption(SHIFTS)) {
            return study.shifts();
        }
        if (parsed.hasMatchedOption(ALL_REDUCE)) {
            return study.allReduce(CommandWords.number(parsed, ALL_REDUCE, 1, 1, MAX_MESSAGE));
        }
        return trace == null
                ? study.report(run -> printLoadResult("", run, progress))
                : study.job(
                        "messages of " + trace, new Trace(study.hosts().count(), TraceFile.read(trace, study.hosts())));
    }

    /** Returns a row for each engine, then one for each dump, whose SLs are those used by the first engine. */
    private static TrafficResult comparison(
            ParseResult parsed,
            PlannedFabric fabric,
            List<Engine> engines,
            TrafficOrder order,
            TrafficLosses losses,
            HostOrder hostOrder,
            ProgressLine progress)
            throws ConfigurationException {
        List<List<Row>> rows = List.of(new ArrayList<>(), new ArrayList<>());
        List<Path> dumps = dumps(parsed);
        List<String> lost = List.of();
        for (Engine engine : engines) {
            RoutedFabric routed;
            progress.begin("routing with " + engine.name());
            try {
                routed = RoutedFabric.of(fabric.withEngine(engine), losses, true);
            } catch (ConfigurationException e) {
                // a file that this engine needs; others may do without
                rows.forEach(each -> each.add(Row.refused(engine.name(), String.join("; ", e.problems()))));
                continue;
            }
            for (int i = 0; i < routed.states().size(); i++) {
                rows.get(i).add(row(engine.name(), routed, i, order, hostOrder, null, progress));
            }
            lost = routed.lost().isEmpty() ? lost : routed.lost();
            if (routed.isRouted()) {
                for (Path dump : dumps) {
                    rows.get(0).add(row(dump.toString(), routed, 0, order, hostOrder, dump, progress));
                }
                dumps = List.of();
            }
        }
        TrafficComparison wholeComparison =
                new TrafficComparison(order.pattern().word(), rows.get(0));
        return losses.isEmpty()
                ? wholeComparison
                : new LossReport(
                        wholeComparison, new TrafficComparison(order.pattern().word(), rows.get(1)), lost);
    }

    private static Row row(
            String name,
            RoutedFabric routed,
            int state,
            TrafficOrder order,
            HostOrder hostOrder,
            @Nullable Path dump,
            ProgressLine progress)
            throws ConfigurationException {
        ChainResult result = routed.states().get(state);
        progress.begin("sending with " + name);
        return result.plan() == null
                ? Row.refused(name, RoutedFabric.refusal(result))
                : study(routed.fabric(), result, order, hostOrder, dump)
                        .row(name, run -> printLoadResult(name + ", ", run, progress));
    }

    private static List<Path> dumps(ParseResult parsed) throws ConfigurationException {
        List<Path> dumps = new ArrayList<>();
        for (String dump : parsed.matchedOptionValue(DUMP, List.<String>of())) {
            dumps.add(CommandWords.path(dump));
        }
        return dumps;
    }

    private static List<Engine> engines(ParseResult parsed) throws ConfigurationException {
        String text = parsed.matchedOptionValue(COMPARE, "");
        List<Engine> engines = new ArrayList<>();
        for (String word : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            engines.add(Engines.ALL.stream()
                    .filter(engine -> engine.name().equalsIgnoreCase(word.strip()))
                    .findFirst()
                    .orElseThrow(() -> CommandWords.invalidValue(
                            COMPARE,
                            text,
                            "engines with commas between them, such as ftree,updn,minhop; engines are "
                                    + Engines.ALL.stream().map(Engine::name).collect(Collectors.joining(", ")))));
        }
        return engines;
    }

    private static void checkOptions(ParseResult parsed, List<Engine> engines) throws ConfigurationException {
        List<String> jobs = Stream.of(SHIFTS, ALL_REDUCE, TRACE, CongestionWords.CONGESTION)
                .filter(parsed::hasMatchedOption)
                .toList();
        boolean isLossy = parsed.hasMatchedOption(LOSE) || parsed.hasMatchedOption(FAIL);
        String problem = CongestionWords.problem(parsed, GROUPS, LOADS);
        if (!problem.isEmpty()) {
            throw new ConfigurationException(List.of(problem));
        } else if (jobs.size() > 1 || !engines.isEmpty() && !jobs.isEmpty()) {
            problem =
                    "give one of " + String.join(", ", SHIFTS, ALL_REDUCE, TRACE, CongestionWords.CONGESTION, COMPARE);
        } else if (parsed.hasMatchedOption(HTML) && (!jobs.isEmpty() || !engines.isEmpty())) {
            problem = HTML + " writes the runs of one engine; leave out " + (jobs.isEmpty() ? COMPARE : jobs.get(0));
        } else if (isLossy && parsed.hasMatchedOption(DUMP)) {
            problem =
                    DUMP + " has tables of one fabric; for another give its topology and a dump of its own instead of "
                            + LOSE + " or " + FAIL;
        } else if (engines.isEmpty() && dumps(parsed).size() > 1) {
            problem = "several " + DUMP + " go with " + COMPARE + " alone";
        } else if (parsed.hasMatchedOption(SHIFT)
                && !TrafficPattern.SHIFT.word().equals(parsed.matchedOptionValue(PATTERN, ""))) {
            problem = SHIFT + " goes with " + PATTERN + " " + TrafficPattern.SHIFT.word();
        }
        if (!problem.isEmpty()) {
            throw new ConfigurationException(List.of(problem));
        }
        String[] ofTables = Stream.of(LOSE, FAIL, DUMP, CommandWords.JSON, parsed.hasMatchedOption(LOSE) ? SEED : LOSE)
                .toArray(String[]::new);
        String[] ofJobs = Stream.concat(Stream.of(ofTables), Stream.of(SL, PACKET, BUFFER, HOQ))
                .toArray(String[]::new);
        UnusedOptions.allowOnly(parsed, SHIFTS, ofTables);
        UnusedOptions.allowOnly(parsed, TRACE, ofJobs);
        UnusedOptions.allowOnly(
                parsed,
                ALL_REDUCE,
                Stream.concat(Stream.of(ofJobs), Stream.of(PATTERN)).toArray(String[]::new));
        PlanningWords.refuseEngines(parsed, COMPARE);
    }

    private static void printLoadResult(String head, LoadResult run, ProgressLine progress) {
        progress.printMessage(String.format(
                Locale.ROOT,
                "torus-sm: %sload %.3f: %s",
                head,
                run.load(),
                run.isHung() ? "hangs" : String.format(Locale.ROOT, "%.3f accepted", run.accepted())));
    }

    private static TrafficOrder order(ParseResult parsed) throws ConfigurationException {
        String word = parsed.matchedOptionValue(PATTERN, TrafficPattern.UNIFORM.word());
        TrafficPattern pattern = TrafficPattern.of(word)
                .orElseThrow(() -> CommandWords.invalidValue(
                        PATTERN, word, "one of " + String.join(", ", TrafficPattern.words())));
        DataPlaneSettings defaults = DataPlaneSettings.DEFAULT;
        int packet = CommandWords.number(parsed, PACKET, defaults.packetBytes(), 1, MAX_PACKET);
        int hoq = CommandWords.number(parsed, HOQ, 0, 1, Integer.MAX_VALUE);
        DataPlaneSettings settings = defaults.withBuffers(
                        CommandWords.number(parsed, BUFFER, defaults.bufferBytes(), packet, MAX_BUFFER))
                .withPackets(packet)
                .withLifetimes(
                        hoq == 0 ? DataPlaneSettings.FOREVER : (long) hoq * NS_PER_US, DataPlaneSettings.FOREVER);
        String sl = parsed.matchedOptionValue(SL, PATH_RECORDS);
        return new TrafficOrder(
                pattern,
                CommandWords.number(parsed, SHIFT, 0, 1, MAX_LENGTH),
                loads(parsed),
                sl.equals(PATH_RECORDS) ? -1 : CommandWords.number(parsed, SL, 0, 0, LAST_SL),
                CommandWords.share(parsed, UPPER),
                CommandWords.share(parsed, GROUPS),
                CommandWords.number(parsed, MESSAGE, packet, 1, MAX_MESSAGE),
                CommandWords.number(parsed, LENGTH, 1_000, 1, MAX_LENGTH),
                CommandWords.number(parsed, SEED, 1, 0, Integer.MAX_VALUE),
                settings);
    }

    private static List<Double> loads(ParseResult parsed) throws ConfigurationException {
        String text = parsed.matchedOptionValue(LOADS, "");
        if (text.isEmpty()) {
            return DEFAULT_LOADS;
        }
        List<Double> loads = Stream.of(text.split(",", -1))
                .map(word -> CommandWords.parseNumber(word.strip()))
                .sorted()
                .toList();
        if (loads.stream().anyMatch(load -> !(load > 0 && load <= 1))) {
            throw CommandWords.invalidValue(
                    LOADS, text, "numbers above 0 to 1, with commas between them, such as 0.2,0.5,0.8");
        }
        return loads;
    }
}
