package io.torussm.daemon.console;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.console.fabric.AbsentCommand;
import io.torussm.daemon.console.fabric.BounceCommand;
import io.torussm.daemon.console.fabric.ChangeCommands;
import io.torussm.daemon.console.fabric.CongestionCommand;
import io.torussm.daemon.console.fabric.CounterCommands;
import io.torussm.daemon.console.fabric.DrainCommands;
import io.torussm.daemon.console.fabric.DriftCommand;
import io.torussm.daemon.console.fabric.ExportCommand;
import io.torussm.daemon.console.fabric.FabricCommands;
import io.torussm.daemon.console.fabric.HostCommand;
import io.torussm.daemon.console.fabric.InventoryCommand;
import io.torussm.daemon.console.fabric.TorusCommand;
import io.torussm.daemon.console.fabric.TreeCommand;
import io.torussm.daemon.console.fabric.VPortsCommand;
import io.torussm.daemon.console.sm.AdoptionCommands;
import io.torussm.daemon.console.sm.ConditionsCommand;
import io.torussm.daemon.console.sm.HealthCommand;
import io.torussm.daemon.console.sm.HistoryCommand;
import io.torussm.daemon.console.sm.OpenSmCommands;
import io.torussm.daemon.console.sm.PartitionCommand;
import io.torussm.daemon.console.sm.RecordCommands;
import io.torussm.daemon.console.sm.RoutingCommands;
import io.torussm.daemon.console.sm.ServiceCommands;
import io.torussm.daemon.console.sm.ShadowCommand;
import io.torussm.daemon.console.sm.SmCommands;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.json.Json;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.Spelling;
import io.torussm.event.log.EventLog;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SmState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The table of all commands. It finds and runs the command of a request line. Any thread. */
public final class Commands implements CommandSet {
    /** The command that ends the connection. The session executes it; this class only has its help. */
    public static final String QUIT = "quit";

    private static final int MAX_SHOWN = 200;
    private static final EventLog EVENTS = EventLog.of(Commands.class);
    private static final String JSON = "--json";
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");
    /** Max number of words of a line, besides {@code --json}. */
    private static final int MAX_WORDS = 40;

    private static final int MAX_SUGGESTIONS = 3;

    /** Number of columns of a terminal. */
    private static final int WIDTH = 80;

    private static final int INDENT = 2;
    private static final int MEANING_COLUMN = 26;

    /** Commands that need the master SM. */
    private static final Set<String> MASTER_COMMANDS =
            Set.of("sweep", "reroute", "bounce", "drain", "undrain", "drift", "partition");

    /** Commands that only change this process. */
    private static final Set<String> SHADOW_COMMANDS = Set.of("loglevel", "capture", "takeover");

    private static final String SHADOW_REFUSAL =
            "this process only looks at a fabric that another SM rules (--shadow); see the command shadow";

    private final Map<String, Command> table = new LinkedHashMap<>();
    private final SmControl control;

    private record Line(String name, String usage, String meaning, Command.Effect effect, List<String> details) {
        /** Returns the lines of a command in the list: its usage, and its meaning in a column of its own. */
        private List<String> listed() {
            List<String> meanings = wrapped(meaning, WIDTH - MEANING_COLUMN);
            boolean isShort = usage.length() + INDENT + 1 < MEANING_COLUMN;
            List<String> lines = new ArrayList<>();
            if (!isShort) {
                lines.addAll(wrapped(usage, WIDTH - 2 * INDENT).stream()
                        .map(text -> " ".repeat(INDENT) + text)
                        .toList());
            }
            for (int i = 0; i < meanings.size(); i++) {
                String head = isShort && i == 0 ? " ".repeat(INDENT) + usage : "";
                lines.add(head + " ".repeat(MEANING_COLUMN - head.length()) + meanings.get(i));
            }
            return lines;
        }

        private static List<String> wrapped(String text, int width) {
            List<String> lines = new ArrayList<>();
            StringBuilder line = new StringBuilder();
            for (String word : text.split(" ", -1)) {
                if (line.length() > 0 && line.length() + 1 + word.length() > width) {
                    lines.add(line.toString());
                    line.setLength(0);
                }
                line.append(line.length() == 0 ? "" : " ").append(word);
            }
            lines.add(line.toString());
            return lines;
        }
    }

    /** The help on all commands, for the manual and for completion. */
    private record Help(List<Line> commands, Map<String, String> oldNames) implements Facts {
        @Override
        public List<String> lines() {
            Map<String, Line> byName = commands.stream().collect(Collectors.toMap(Line::name, Function.identity()));
            List<String> lines = new ArrayList<>();
            for (CommandGroup group : CommandGroup.values()) {
                lines.add(group.title());
                group.names().stream()
                        .map(byName::get)
                        .filter(Objects::nonNull)
                        .forEach(each -> lines.addAll(each.listed()));
            }
            lines.add("Each with --json: one JSON document. help COMMAND says more of one.");
            return lines;
        }
    }

    private record HelpOfOne(Line command) implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>(List.of("usage: " + command.usage(), command.meaning()));
            lines.addAll(command.details());
            return lines.stream()
                    .flatMap(line -> Line.wrapped(line, WIDTH).stream())
                    .toList();
        }
    }

    /**
     * A response to send.
     *
     * @param lines lines without line ends
     * @param isGood true if the command succeeded
     * @param isMisused true if the request is invalid
     * @param follows form of the events that follow the response
     * @param last number of the event before the first event that follows
     * @param later response that replaces this response later; null if this response is final
     */
    public record Reply(
            List<String> lines,
            boolean isGood,
            boolean isMisused,
            Follow follows,
            long last,
            @Nullable CompletableFuture<Supplier<Reply>> later) {
        /** Creates a response that no events follow. */
        public Reply(List<String> lines, boolean isGood, boolean isMisused) {
            this(lines, isGood, isMisused, Follow.NOTHING, 0, null);
        }

        /** Creates a response to a valid request that no events follow. */
        public static Reply of(List<String> lines, boolean isGood) {
            return new Reply(lines, isGood, false);
        }

        /** Creates a response that a valid request was refused. */
        public static Reply refusal(String reason) {
            return of(List.of(reason), false);
        }
    }

    /**
     * The author of a request.
     *
     * @param user name of the user on this host
     * @param address connection, in words
     * @param mayChange true if changes are permitted
     */
    public record Requester(String user, String address, boolean mayChange) {}

    /** The form of the events that follow a response. */
    public enum Follow {
        NOTHING,
        LINES,
        JSON
    }

    /** Returns the commands of an SM. */
    public Commands(SmControl control) {
        this.control = control;
        Stream.of(
                        new SmCommands(control).commands(),
                        new RoutingCommands(control).commands(),
                        new ChangeCommands(control, Instant::now).commands(),
                        List.of(
                                new HealthCommand(control).command(),
                                new ConditionsCommand(control).command(),
                                new ShadowCommand(control).command(),
                                new AdoptionCommands(control).takeover(),
                                new AdoptionCommands(control).release(),
                                new AbsentCommand(control).command(),
                                new HistoryCommand(control).command(),
                                new ExportCommand(control).command(),
                                new DriftCommand(control).command(),
                                new VPortsCommand(control, Instant::now).command(),
                                new CongestionCommand(control).command(),
                                new InventoryCommand(control).command(),
                                new TorusCommand(control).command(),
                                new TreeCommand(control).command(),
                                new HostCommand(control).command()),
                        new FabricCommands(control).commands(),
                        new BounceCommand(control).commands(),
                        new DrainCommands(control).commands(),
                        new CounterCommands(control).commands(),
                        new ServiceCommands(control).commands(),
                        List.of(new PartitionCommand(control).command()),
                        new RecordCommands(control).commands(),
                        List.of(
                                Command.query(
                                        "watch [-n SECONDS] COMMAND...",
                                        "repeat a command that changes nothing, every 2 s or SECONDS, until Ctrl-C",
                                        Commands::watch,
                                        "On a terminal each answer takes the place of the one before."),
                                Command.query("help [COMMAND]", "this list, or more of one command", this::help),
                                Command.query(QUIT, "close this connection", arguments -> Answer.done(""))))
                .flatMap(List::stream)
                .forEach(command -> table.put(command.name(), command));
    }

    /**
     * Executes a line. The response to an unknown or malformed line contains the correct form.
     *
     * @param mayChange true if changes are permitted
     */
    public Reply run(String line, boolean mayChange) {
        return run(line, new Requester("somebody", "the console", mayChange));
    }

    /** Executes a line. A change becomes an event with its outcome. */
    @Override
    public Reply run(String line, Requester asker) {
        List<String> words = words(line);
        boolean isJson = words.remove(JSON);
        if (words.size() > MAX_WORDS) {
            return reply(Answer.refusal("a command has at most " + MAX_WORDS + " words"), isJson);
        }
        Answer answer = words.isEmpty() ? run(List.of("help"), asker) : run(words, asker);
        boolean isFollowed = answer.isGood()
                && words.size() > 1
                && words.get(0).equals("events")
                && words.contains(RecordCommands.FOLLOW);
        Facts facts = answer.facts();
        if (isFollowed && facts instanceof RecordCommands.Events events) {
            return isJson
                    ? new Reply(
                            events.events().stream().map(Json::line).toList(),
                            true,
                            false,
                            Follow.JSON,
                            events.last(),
                            null)
                    : new Reply(facts.lines(), true, false, Follow.LINES, events.last(), null);
        }
        return facts instanceof Answer.Later pending
                ? new Reply(
                        List.of(),
                        true,
                        false,
                        Follow.NOTHING,
                        0,
                        Answer.Later.after(pending.answer(), late -> () -> reply(late, isJson)))
                : reply(answer, isJson);
    }

    private static void logChange(Requester asker, List<String> words, Answer answer) {
        EVENTS.report(
                SmEvent.CHANGE_ASKED,
                EventField.USER.of(asker.user()),
                EventField.ADDRESS.of(asker.address()),
                EventField.ACTION.of(Printable.text(String.join(" ", words), MAX_SHOWN)),
                EventField.TEXT.of(
                        answer.facts() instanceof Answer.Later ? "begun" : answer.isGood() ? "done" : "refused"));
    }

    private static Reply reply(Answer answer, boolean isJson) {
        Facts facts = answer.facts();
        boolean isMisused = facts instanceof Answer.Trouble trouble && trouble.usage() != null;
        return new Reply(isJson ? Json.lines(facts) : facts.lines(), answer.isGood(), isMisused);
    }

    private Answer run(List<String> given, Requester asker) {
        List<String> words = OpenSmCommands.resolveAlias(given);
        Command command = table.get(words.get(0));
        String instead = OpenSmCommands.substitute(words);
        if (!instead.isEmpty()) {
            return Answer.refusal(String.join(" ", words) + " is a command of OpenSM; " + instead);
        }
        if (command == null) {
            return unknown(words.get(0));
        }
        List<String> arguments = words.subList(1, words.size());
        if (!asker.mayChange() && command.isChange(arguments)) {
            return Answer.refusal(
                    command.name() + " changes something, and nothing can be changed over TCP; use the socket");
        }
        if (command.isChange(arguments) && !SHADOW_COMMANDS.contains(command.name()) && control.isShadow()) {
            return Answer.refusal(SHADOW_REFUSAL);
        }
        if (MASTER_COMMANDS.contains(command.name()) && !otherMasterText().isEmpty()) {
            return Answer.refusal(otherMasterText());
        }
        try {
            refuseOptions(command.usage(), arguments);
            Answer answer = command.action().run(arguments);
            if (command.isChange(arguments)) {
                logChange(asker, words, answer);
            }
            String master = answer.isWithoutSubnet() ? otherMasterText() : "";
            return master.isEmpty() ? answer : Answer.refusal(master);
        } catch (UsageException e) {
            return new Answer(new Answer.Trouble(String.valueOf(e.getMessage()), command.usage()), false);
        }
    }

    /** Refuses options that a usage lacks, also where a command takes any word. */
    private static void refuseOptions(String usage, List<String> arguments) {
        for (String word : arguments) {
            if (word.startsWith("--") && !usage.contains(word.replaceFirst("=.*", ""))) {
                throw new UsageException("there is no option " + Printable.text(word, 40));
            }
        }
    }

    private Answer unknown(String name) {
        List<String> similar = Spelling.suggestions(name, table.keySet());
        String suggestion = similar.stream()
                .limit(MAX_SUGGESTIONS)
                .map(each -> '"' + each + '"')
                .collect(Collectors.joining(" or "));
        return new Answer(
                new Answer.Trouble(
                        "there is no command \"" + Printable.text(name, 40) + "\""
                                + (suggestion.isEmpty() ? "" : "; did you mean " + suggestion + "?"),
                        "help"),
                false);
    }

    /** Returns a text with the master SM; empty if this SM is master, or no master is known. */
    private String otherMasterText() {
        if (control.isShadow()) {
            return SHADOW_REFUSAL;
        }
        SmStatistics current = control.statistics();
        RemoteSm master = current == null ? null : current.mastership().master();
        boolean isStandby = current != null && current.mastership().shownState() == SmState.STANDBY;
        return isStandby && master != null
                ? "this SM stands by; ask the master, " + Printable.text(master.toString(), Integer.MAX_VALUE)
                : "";
    }

    /** Returns the line of an event in the form of the command {@code events}. */
    public static String line(Journal.Entry entry) {
        return RecordCommands.line(entry);
    }

    private static Answer watch(List<String> arguments) {
        if (arguments.isEmpty()) {
            throw new UsageException();
        }
        return Answer.refusal("only torus-smctl repeats commands");
    }

    private Answer help(List<String> arguments) {
        if (arguments.size() > 1) {
            throw new UsageException();
        }
        if (arguments.isEmpty()) {
            return Answer.of(
                    new Help(table.values().stream().map(Commands::line).toList(), OpenSmCommands.all()));
        }
        Command command = table.get(OpenSmCommands.resolveAlias(arguments).get(0));
        String instead = OpenSmCommands.substitute(arguments);
        if (command == null) {
            return instead.isEmpty()
                    ? unknown(arguments.get(0))
                    : Answer.refusal(arguments.get(0) + " is a command of OpenSM; " + instead);
        }
        return Answer.of(new HelpOfOne(line(command)));
    }

    private static Line line(Command command) {
        return new Line(command.name(), command.usage(), command.meaning(), command.effect(), command.details());
    }

    /** Returns the words of a line; of a line with too many, enough to detect that. */
    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find() && words.size() <= MAX_WORDS + 1) {
            String quoted = matcher.group(1);
            words.add(quoted == null ? matcher.group() : quoted);
        }
        return words;
    }
}
