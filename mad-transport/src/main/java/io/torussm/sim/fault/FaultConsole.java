package io.torussm.sim.fault;

import io.torussm.sim.SimTraffic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The console of an embedded fabric, with the commands of ibsim and others, and its running scripts. Commands must be
 * complete; case is ignored, as in ibsim.
 *
 * <p>Owner thread: the loop of the fabric.
 */
public final class FaultConsole {
    /** A line that ends with {@code for TIME}: group 1 is the line before, groups 2 and 3 are number and unit. */
    private static final Pattern FOR = Pattern.compile("(?s)(.*\\S)\\s+for\\s+" + TimeSpans.PATTERN + "\\s*");

    /** Max lines of scripts that {@code Coming} shows. */
    private static final int MAX_SHOWN_LINES = 20;

    private final Faults faults;
    private final SimTraffic traffic;
    private final Schedule schedule;
    private final Map<String, ConsoleWord> words = new LinkedHashMap<>();

    /**
     * Creates a console without a running script.
     *
     * @param clients programs that use ports of the fabric
     * @param traffic traffic that the console starts and stops
     * @param done receiver of each line that changed something or failed, from a client or a script
     */
    public FaultConsole(Faults faults, Clients clients, SimTraffic traffic, Consumer<ExecutedLine> done) {
        this.faults = faults;
        this.traffic = traffic;
        schedule = new Schedule(this, faults, done);
        List<ConsoleWord> all = new ArrayList<>(new IbSimWords(faults, clients).all());
        all.addAll(new LabWords(faults).all());
        all.addAll(new CounterWords(faults).all());
        all.addAll(new VPortWords(faults).all());
        all.addAll(List.of(
                new ConsoleWord("Broken", "Broken", "list of the present faults", line -> this::broken),
                new ConsoleWord("Coming", "Coming", "what scripts will do next", line -> this::coming),
                new ConsoleWord("Log", "Log", "the last lines that were carried out", line -> this::log),
                new ConsoleWord(
                        "Heal", "Heal", "repair all faults", line -> ConsoleWord.silentAction(faults::repairAll)),
                new ConsoleWord("Stop", "Stop", "end all scripts", line -> ConsoleWord.silentAction(schedule::stop)),
                new ConsoleWord(
                        "Traffic",
                        TrafficWord.USAGE,
                        "packets of all hosts to all",
                        new TrafficWord(faults, traffic)::parse),
                new ConsoleWord("Help", "Help or ?", "this", line -> () -> ConsoleReply.success(help()))));
        all.forEach(word -> words.put(word.name().toLowerCase(Locale.ROOT), word));
    }

    /**
     * An executed or failed line.
     *
     * @param atNs time of the loop
     * @param client client, or file and line of the script
     * @param line line of the console
     * @param reply response to the line
     */
    public record ExecutedLine(long atNs, String client, String line, ConsoleReply reply) {}

    /** Returns the present faults. */
    public Faults faults() {
        return faults;
    }

    /** Returns the traffic between all hosts. */
    public SimTraffic traffic() {
        return traffic;
    }

    /** Returns the running scripts and the last lines. */
    public Schedule schedule() {
        return schedule;
    }

    /**
     * Checks a line, independently of the state of the fabric.
     *
     * @throws BadLineException with reason and remedy
     */
    public void check(String line) throws BadLineException {
        parse(line);
    }

    /**
     * Executes a line.
     *
     * @param client name of the client for the log, or file and line of the script
     */
    public ConsoleReply run(String line, String client) {
        faults.loop().requireInLoop();
        ConsoleReply answer = answer(line);
        schedule.log(new ExecutedLine(faults.loop().nowNs(), client, line.strip(), answer));
        return answer;
    }

    private ConsoleReply answer(String line) {
        try {
            return parse(line).run();
        } catch (BadLineException | IllegalArgumentException | IllegalStateException e) {
            return ConsoleReply.failure(String.valueOf(e.getMessage()));
        }
    }

    private ConsoleWord.Action parse(String line) throws BadLineException {
        String text = line.strip();
        if (text.isEmpty()) {
            return () -> ConsoleReply.DONE;
        } else if (text.startsWith("#")) {
            return () -> ConsoleReply.success(text);
        }
        Matcher timed = FOR.matcher(text);
        if (text.length() <= ConsoleLine.MAX_LENGTH && timed.matches()) {
            long ns = TimeSpans.ns(timed.group(2), timed.group(3));
            return withRepairAfter(ns, parse(timed.group(1)));
        }
        ConsoleLine parts = ConsoleLine.of(text).withNames(faults.nodes()::isName);
        String name = parts.word().equals("?") ? "help" : parts.word().toLowerCase(Locale.ROOT);
        ConsoleWord word = words.get(name);
        if (word == null) {
            throw new BadLineException("command '" + parts.word() + "' unknown - skipped; Help lists all words");
        }
        return word.parser().parse(parts);
    }

    /** Returns an action whose faults are repaired after a time. */
    private ConsoleWord.Action withRepairAfter(long ns, ConsoleWord.Action action) {
        return () -> {
            ConsoleReply[] answer = {ConsoleReply.DONE};
            List<Faults.Broken> newFaults = faults.collectFaults(() -> answer[0] = action.run());
            if (newFaults.isEmpty() && answer[0].isSuccess()) {
                return ConsoleReply.failure("done, but there is nothing to mend after a time");
            }
            faults.loop().schedule(ns, () -> faults.repair(newFaults));
            return answer[0];
        };
    }

    private ConsoleReply broken() {
        List<Faults.Broken> faultList = faults.activeFaults();
        StringBuilder text = new StringBuilder();
        faultList.forEach(fault -> text.append(fault)
                .append(", for ")
                .append(TimeSpans.text(faults.loop().nowNs() - fault.sinceNs()))
                .append('\n'));
        return ConsoleReply.success(faultList.isEmpty() ? "nothing is broken" : text.toString());
    }

    private ConsoleReply coming() {
        List<Schedule.Coming> nextLines = schedule.scheduledLines(MAX_SHOWN_LINES);
        StringBuilder text = new StringBuilder();
        nextLines.forEach(next -> text.append("in ")
                .append(TimeSpans.text(next.atNs() - faults.loop().nowNs()))
                .append(": ")
                .append(next.line())
                .append("  (")
                .append(next.location())
                .append(")\n"));
        return ConsoleReply.success(nextLines.isEmpty() ? "no script will do anything" : text.toString());
    }

    private ConsoleReply log() {
        StringBuilder text = new StringBuilder();
        for (ExecutedLine happening : schedule.lastLines()) {
            long agoNs = faults.loop().nowNs() - happening.atNs();
            text.append(TimeSpans.text(agoNs))
                    .append(" ago, ")
                    .append(happening.client())
                    .append(": ")
                    .append(happening.line());
            text.append(
                            happening.reply().isSuccess()
                                    ? ""
                                    : "  " + happening.reply().text().strip())
                    .append('\n');
        }
        return ConsoleReply.success(text.isEmpty() ? "nothing was done yet" : text.toString());
    }

    private String help() {
        StringBuilder text = new StringBuilder("sim> Commands:\n\t!filename : run commands from the file\n");
        words.values().forEach(word -> text.append('\t')
                .append(word.usage())
                .append(" : ")
                .append(word.meaning())
                .append('\n'));
        return text.append(
                        "\t... for TIME : at the end of a line that breaks something: mended after it, such as 10 s, 500 ms, 2 m\n")
                .append("\t#... : comment line (for scripts) - ignored\n")
                .toString();
    }

    /** Checks whether a line only shows state or waits. Such lines are not logged. */
    public static boolean isQuery(String line) {
        String[] parts = line.strip().split("\\s+", 2);
        return switch (parts[0].toLowerCase(Locale.ROOT)) {
            case "", "dump", "route", "attached", "counters", "broken", "coming", "log", "help", "?", "wait" -> true;
            case "traffic", "verbose" -> parts.length == 1;
            default -> parts[0].startsWith("#");
        };
    }
}
