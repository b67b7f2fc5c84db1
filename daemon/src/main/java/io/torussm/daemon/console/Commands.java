package io.torussm.daemon.console;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands of the console: a request line in, an answer out. */
final class Commands {
    private static final String NO_VIEW = "no subnet is up yet; see status";
    private static final List<String> HELP = List.of(
            "help                     this list",
            "status                   state of the SM and counters",
            "sweep [heavy|light]      look at the whole fabric, or for changes only; heavy if nothing is said",
            "reroute                  compute routes anew, configuration files read again",
            "path SRC DST [LEVEL]     the path between two end ports, hop by hop; LEVEL: wanted SL, 0 to 15, or both",
            "                         SRC and DST: node description (in quotes if it has blanks), GUID, LID, or",
            "                         place of a switch, x,y,z",
            "switches                 LID, GUID, place and name of each switch",
            "partitions [PARTITION]    P_Key, members and name of each; or the members of one, by name or P_Key",
            "version                  version of the program",
            "quit                     close this connection");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");
    private static final int MAX_WORDS = 8;

    private final ConsoleControl control;

    Commands(ConsoleControl control) {
        this.control = control;
    }

    /** Does what a line says; unknown and malformed lines are answered with what would be right. */
    Answer run(String line) {
        List<String> words = words(line);
        String command = words.isEmpty() ? "help" : words.get(0);
        List<String> arguments = words.isEmpty() ? List.of() : words.subList(1, words.size());
        return switch (command) {
            case "path" -> path(arguments);
            case "sweep" -> sweep(arguments);
            case "partitions" -> partitions(arguments);
            case "help", "status", "reroute", "switches", "version" ->
                arguments.isEmpty() ? plain(command) : Answer.bad(command + " takes no arguments");
            default -> Answer.bad("there is no command \"" + Printable.text(command, 40) + "\"; try help");
        };
    }

    private Answer plain(String command) {
        return switch (command) {
            case "status" -> new Answer(control.statusLines(), true);
            case "reroute" -> {
                control.requestReroute();
                yield Answer.good("reroute requested");
            }
            case "switches" -> switches();
            case "version" -> Answer.good(control.version());
            default -> new Answer(HELP, true);
        };
    }

    private Answer sweep(List<String> arguments) {
        String kind = arguments.isEmpty() ? "heavy" : arguments.get(0);
        if (arguments.size() > 1 || !kind.equals("heavy") && !kind.equals("light")) {
            return Answer.bad("usage: sweep [heavy|light]");
        }
        control.requestSweep(kind.equals("heavy"));
        return Answer.good(kind + " sweep requested");
    }

    private Answer path(List<String> arguments) {
        int[] levels = ExplainPath.levels(arguments.size() == 3 ? arguments.get(2) : "0");
        if (arguments.size() < 2 || arguments.size() > 3 || levels.length == 0) {
            return Answer.bad("usage: path SRC DST [LEVEL], with LEVEL from 0 to 15, or both");
        }
        PublishedView view = control.view();
        if (view == null) {
            return Answer.bad(NO_VIEW);
        }
        ExplainPath.Explanation explanation = new ExplainPath(view).explain(arguments.get(0), arguments.get(1), levels);
        return new Answer(explanation.lines(), explanation.isGood());
    }

    private Answer partitions(List<String> arguments) {
        PublishedView view = control.view();
        if (view == null) {
            return Answer.bad(NO_VIEW);
        }
        return switch (arguments.size()) {
            case 0 -> new Answer(new PartitionList(view).all(), true);
            case 1 -> new PartitionList(view).members(arguments.get(0));
            default -> Answer.bad("usage: partitions [NAME|P_KEY]");
        };
    }

    private Answer switches() {
        PublishedView view = control.view();
        if (view == null) {
            return Answer.bad(NO_VIEW);
        }
        Fabric fabric = view.subnet().fabric();
        List<String> lines = new ArrayList<>(fabric.switchCount() + 1);
        lines.add("LID    GUID                place        name");
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            lines.add(String.format(
                    "%-6d %s  %-12s %s",
                    view.subnet().lid(fabric.port(sw, 0)),
                    Guid.format(fabric.nodeGuid(sw)),
                    view.plan().place(sw),
                    Printable.text(fabric.node(sw).description(), 64)));
        }
        return new Answer(lines, true);
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find() && words.size() < MAX_WORDS) {
            String quoted = matcher.group(1);
            words.add(quoted == null ? matcher.group() : quoted);
        }
        return words;
    }
}
