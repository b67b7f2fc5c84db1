package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;
import io.torussm.testing.Conversation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The state machine of one SM, with port GUID 0x64, priority 5 and two retries of polls, in the words of a script.
 * Other SMs are written GUID/priority/state, as in {@code 7/6/MASTER}.
 */
final class MastershipScript implements Conversation.Subject {
    private static final long OWN_GUID = 0x64;
    private static final int OWN_PRIORITY = 5;
    private static final int RETRIES = 2;

    private static final Map<String, Integer> MODIFIERS = Map.of(
            "HANDOVER", MastershipRules.HANDOVER,
            "ACKNOWLEDGE", MastershipRules.ACKNOWLEDGE,
            "DISABLE", MastershipRules.DISABLE,
            "STANDBY", MastershipRules.TO_STANDBY,
            "DISCOVER", MastershipRules.DISCOVER);

    private Mastership current = Mastership.initial(OWN_GUID, OWN_PRIORITY);

    @Override
    public List<String> on(String command) {
        List<String> lines = new ArrayList<>();
        Mastership before = current;
        for (MastershipEvent event : events(command)) {
            MastershipRules.Step step = MastershipRules.step(current, event, RETRIES);
            current = step.next();
            step.actions().forEach(action -> lines.add(shortened(action.toString())));
        }
        if (command.startsWith("become ")) {
            lines.clear();
            before = Mastership.initial(0, 0);
        }
        lines.add(shortened(state(before)));
        return lines;
    }

    private String state(Mastership before) {
        StringBuilder line = new StringBuilder("= ").append(current.state());
        if (current.shownState() != current.state()) {
            line.append(", shown as ").append(current.shownState());
        }
        if (current.master() != null) {
            line.append(", master ").append(current.master());
        }
        return line.append(current.equals(before) ? ", nothing changed" : "").toString();
    }

    private static String shortened(String text) {
        return text.replaceAll("port GUID 0x0*([0-9a-f]+), priority (\\d+), ([A-Z-]+)", "$1/$2/$3")
                .replaceAll("^Log\\[isWarning=false, text=(.*)]$", "INFO $1")
                .replaceAll("^Log\\[isWarning=true, text=(.*)]$", "WARN $1")
                .replaceAll("^(\\w+)\\[]$", "$1")
                .replaceAll("^(\\w+)\\[(\\w+=[^,]*)]$", "$1 $2");
    }

    /**
     * Returns the events of a command. {@code become} is the events that lead a new SM to a state, without their
     * output.
     */
    private static List<MastershipEvent> events(String command) {
        String[] words = command.split(" ", -1);
        MastershipEvent started = new MastershipEvent.Started(false);
        return switch (command) {
            case "start" -> List.of(started);
            case "start inactive", "become NOT-ACTIVE" -> List.of(new MastershipEvent.Started(true));
            case "become DISCOVERING" -> List.of(started);
            case "become STANDBY" ->
                List.of(started, new MastershipEvent.Discovered(List.of(sm("7/6/MASTER")), List.of()));
            case "become MASTER" -> List.of(started, new MastershipEvent.Discovered(List.of(), List.of()));
            case "end" -> List.of(new MastershipEvent.EndRequested());
            case "port down" -> List.of(new MastershipEvent.PortDown("its port is down"));
            case "poll fails" -> List.of(new MastershipEvent.PollFailed(false));
            case "no SM runs there" -> List.of(new MastershipEvent.PollFailed(true));
            case "handover accepted" -> List.of(new MastershipEvent.HandoverAccepted());
            case "handover fails" -> List.of(new MastershipEvent.HandoverFailed("timeout"));
            default -> List.of(event(words));
        };
    }

    private static MastershipEvent event(String[] words) {
        String last = words[words.length - 1];
        return switch (words[0]) {
            case "found" ->
                new MastershipEvent.Discovered(
                        Arrays.stream(words)
                                .skip(1)
                                .filter(word -> word.contains("/"))
                                .map(MastershipScript::sm)
                                .toList(),
                        silent(last));
            case "seen" -> new MastershipEvent.SmFound(sm(last));
            case "poll" -> new MastershipEvent.PollAnswered(sm(last));
            case "timer" -> new MastershipEvent.TimedOut(MastershipTimer.valueOf(last));
            case "priority" -> new MastershipEvent.PriorityChanged(Integer.parseInt(last));
            default -> new MastershipEvent.SetReceived(modifier(words[0]), sm(last));
        };
    }

    private static List<SilentSm> silent(String word) {
        return switch (word) {
            case "silence" -> List.of(new SilentSm(0x5e, DrPath.of(1, 2), false));
            case "other-silence" -> List.of(new SilentSm(0x5f, DrPath.of(1, 3), false));
            case "hidden-master" -> List.of(new SilentSm(0x5e, DrPath.of(1, 2), true));
            default -> List.of();
        };
    }

    /** Returns the attribute modifier of a request, which is a name or a number. */
    static int modifier(String request) {
        Integer known = MODIFIERS.get(request);
        return known == null ? Integer.decode(request) : known;
    }

    private static RemoteSm sm(String text) {
        String[] parts = text.split("/", -1);
        return new RemoteSm(
                Long.parseLong(parts[0], 16),
                Integer.parseInt(parts[1]),
                SmState.valueOf(parts[2].replace('-', '_')),
                DrPath.of(1),
                SmHost.UNKNOWN,
                true);
    }
}
