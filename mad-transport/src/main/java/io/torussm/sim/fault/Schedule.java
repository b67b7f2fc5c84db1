package io.torussm.sim.fault;

import io.torussm.sim.topology.Topology;
import io.torussm.transport.Loop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** The running scripts, and the last executed lines. Owner thread: the loop of the fabric. */
public final class Schedule {
    private static final int MAX_SCRIPTS = 16;

    /** Max number of executed lines that are kept. */
    private static final int MAX_LAST_LINES = 200;

    private final FaultConsole console;
    private final Faults faults;
    private final Loop loop;
    private final Consumer<FaultConsole.ExecutedLine> listener;
    private final List<RunningScript> running = new ArrayList<>();
    private final ArrayDeque<FaultConsole.ExecutedLine> lastLines = new ArrayDeque<>();

    /**
     * The next execution of a line of a script.
     *
     * @param atNs time of the loop
     * @param line line for display
     * @param location file and line of the script
     */
    public record Coming(long atNs, String line, String location) {}

    Schedule(FaultConsole console, Faults faults, Consumer<FaultConsole.ExecutedLine> done) {
        this.console = console;
        this.faults = faults;
        this.listener = done;
        loop = faults.loop();
    }

    /**
     * Begins a script.
     *
     * @throws IllegalStateException if 16 scripts run already
     */
    public void start(FaultScript script) {
        loop.requireInLoop();
        if (running.size() >= MAX_SCRIPTS) {
            throw new IllegalStateException(MAX_SCRIPTS + " scripts run already; Stop ends all of them");
        }
        RunningScript started = new RunningScript(script);
        running.add(started);
        started.begin();
    }

    /**
     * Begins a script, and notes its user.
     *
     * @param user user for display
     * @throws IllegalStateException if 16 scripts run already
     */
    public void start(FaultScript script, String user) {
        start(script);
        log(new FaultConsole.ExecutedLine(loop.nowNs(), user, "script " + script.name(), ConsoleReply.DONE));
    }

    /** Ends all scripts. Temporary faults are still repaired at their time; other faults remain. */
    public void stop() {
        loop.requireInLoop();
        running.forEach(RunningScript::cancel);
        running.clear();
    }

    /**
     * Returns the next executions of lines of scripts, the soonest first.
     *
     * @param max max number of executions
     */
    public List<Coming> scheduledLines(int max) {
        loop.requireInLoop();
        return running.stream()
                .flatMap(script -> script.pending.stream())
                .map(Pending::scheduledLine)
                .sorted(Comparator.comparingLong(Coming::atNs))
                .limit(max)
                .toList();
    }

    /** Returns the last lines that changed something or failed, the newest last. */
    public List<FaultConsole.ExecutedLine> lastLines() {
        return List.copyOf(lastLines);
    }

    /** Logs a line, unless it only showed state. */
    void log(FaultConsole.ExecutedLine happening) {
        if (FaultConsole.isQuery(happening.line()) && happening.reply().isSuccess()) {
            return;
        }
        if (lastLines.size() == MAX_LAST_LINES) {
            lastLines.remove();
        }
        lastLines.add(happening);
        listener.accept(happening);
    }

    /**
     * Returns the devices or cables of a kind that can have a fault, in the order of the topology, as lines of the
     * console name them.
     */
    private List<String> possibleSubjects(FaultScript.RandomSubject kind) {
        Nodes nodes = faults.nodes();
        return switch (kind) {
            case CABLE -> faults.cables(true).stream().map(nodes::text).toList();
            case LEAF -> faults.cables(false).stream().map(nodes::text).toList();
            case SWITCH, HOST ->
                nodes.all().stream()
                        .filter(node -> node.isSwitch() == (kind == FaultScript.RandomSubject.SWITCH))
                        .map(Topology.Node::nodeGuid)
                        .filter(guid -> faults.fabric().interventions().isPowered(guid))
                        .map(nodes::text)
                        .toList();
        };
    }

    /**
     * Returns any subject of a kind, with which a line can be checked.
     *
     * @throws BadLineException if the fabric has no such subject
     */
    String anySubject(FaultScript.RandomSubject kind) throws BadLineException {
        boolean isNode = kind == FaultScript.RandomSubject.SWITCH || kind == FaultScript.RandomSubject.HOST;
        return faults.nodes().all().stream()
                .filter(node -> node.isSwitch() == (kind != FaultScript.RandomSubject.HOST))
                .map(node -> faults.nodes().text(node.nodeGuid()) + (isNode ? "" : "[1]"))
                .findFirst()
                .orElseThrow(() ->
                        new BadLineException("the fabric has no " + kind.name().toLowerCase(Locale.ROOT)));
    }

    /** A running script. */
    private final class RunningScript {
        private final FaultScript script;
        private final List<Pending> pending = new ArrayList<>();

        RunningScript(FaultScript script) {
            this.script = script;
        }

        void begin() {
            SplittableRandom random = new SplittableRandom(script.seed());
            long startNs = loop.nowNs();
            for (FaultScript.Entry entry : script.entries()) {
                new Pending(this, entry, startNs, random.split()).waitUntil(entry.firstNs());
            }
        }

        void cancel() {
            pending.forEach(Pending::cancel);
            pending.clear();
        }
    }

    /** A line of a running script that waits for its next execution. */
    private final class Pending {
        /** The script. */
        private final RunningScript owner;

        private final FaultScript.Entry entry;
        private final long startNs;
        private final SplittableRandom random;

        /** Time of the next execution, from the beginning of the script. */
        private long dueNs;

        private Loop.Timer timer = () -> {};

        Pending(RunningScript of, FaultScript.Entry entry, long startNs, SplittableRandom random) {
            this.owner = of;
            this.entry = entry;
            this.startNs = startNs;
            this.random = random;
        }

        /**
         * Schedules the next execution, or ends this line if the time is after its last execution.
         *
         * @param scriptNs time from the beginning of the script
         */
        void waitUntil(long scriptNs) {
            owner.pending.remove(this);
            if (scriptNs > entry.untilNs()) {
                end();
                return;
            }
            dueNs = scriptNs;
            owner.pending.add(this);
            timer = loop.schedule(Math.max(0, startNs + scriptNs - loop.nowNs()), this::execute);
        }

        /** Ends the script if no line waits. */
        private void end() {
            if (owner.pending.isEmpty()) {
                running.remove(owner);
            }
        }

        /**
         * Executes the line, with its probability. The next execution is scheduled before, so that a failure does not
         * end the script.
         */
        private void execute() {
            long currentNs = dueNs;
            if (entry.everyNs() > 0) {
                waitUntil(currentNs + entry.everyNs());
            } else {
                owner.pending.remove(this);
                end();
            }
            if (entry.probability() >= 1 || random.nextDouble() < entry.probability()) {
                run();
            }
        }

        private void run() {
            FaultScript.RandomSubject kind = entry.randomSubject();
            String line = entry.line();
            if (kind != null) {
                List<String> all = possibleSubjects(kind);
                if (all.isEmpty()) {
                    log(new FaultConsole.ExecutedLine(
                            loop.nowNs(),
                            location(),
                            entry.displayText(),
                            ConsoleReply.failure("no device is left for a fault")));
                    return;
                }
                line = entry.withSubject(all.get(random.nextInt(all.size())));
            }
            console.run(line, location());
        }

        /** Returns file and line of the script. */
        private String location() {
            return owner.script.name() + ":" + entry.number();
        }

        void cancel() {
            timer.cancel();
        }

        Coming scheduledLine() {
            return new Coming(startNs + dueNs, entry.displayText(), location());
        }
    }
}
