package io.torussm.subnet;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.fabric.NodePort;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.state.StateSuccessor;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The switches and cables that an operator has drained, and the cables that are isolated: routes lead around them until they are undrained,
 * or released. In the file {@code drained} of the state directory, one line {@code 0x<node GUID> <port>|switch <time> <name>} each, with
 * {@code isolated:<port>} for a cable that is isolated.
 *
 * <p>Owner thread: the loop of the SM; any thread may read.
 */
public final class Drains {
    /** Its file. */
    public static final StateFile FILE =
            new StateFile("drained", 1, 1L << 20, false, false, "drained switches and cables are used again");

    /** In the place of a port number: the whole switch. */
    public static final int WHOLE = -1;

    /** More cannot be drained at once. */
    public static final int MAX = 1000;

    private static final String SWITCH = "switch";
    private static final String ISOLATED = "isolated:";
    private static final int MAX_NAME = 200;

    private final StateDirectory directory;
    private volatile List<Drain> all;

    /** Where something was drained or undrained since this SM began with the list of a file. */
    private final Set<NodePort> changed = new HashSet<>();

    private Runnable whenAdopted = () -> {};

    /** The cause of a drain. */
    public enum Cause {
        /** An operator who works on the device, and will undrain it. */
        OPERATOR,
        /** This program, since the cable goes down again and again or loses packets; only cables are. */
        ISOLATION
    }

    /**
     * Something that is drained.
     *
     * @param portNum of the switch, at either end of a cable; {@link #WHOLE} for the switch with all its cables
     * @param name device, place and port, as they were then
     * @param since when
     * @param cause who drained it
     */
    public record Drain(long nodeGuid, int portNum, String name, Instant since, Cause cause) {
        public Drain {
            String shown = name.replaceAll("\\p{Cntrl}", " ").strip();
            name = shown.substring(0, Math.min(MAX_NAME, shown.length()));
        }

        /** Creates a drain by an operator. */
        public Drain(long nodeGuid, int portNum, String name, Instant since) {
            this(nodeGuid, portNum, name, since, Cause.OPERATOR);
        }

        /** Checks whether this program drained it. */
        public boolean isIsolation() {
            return cause == Cause.ISOLATION;
        }

        /** Returns the part for events. */
        public DeviceText device() {
            return isSwitch()
                    ? DeviceText.named(name, EventField.GUID.of(nodeGuid))
                    : DeviceText.named(name, EventField.GUID.of(nodeGuid), EventField.PORT.of(portNum));
        }

        /** Checks whether it is a whole switch. */
        public boolean isSwitch() {
            return portNum == WHOLE;
        }

        private boolean isSame(Drain other) {
            return place().equals(other.place());
        }

        private NodePort place() {
            return new NodePort(nodeGuid, portNum);
        }

        private String line() {
            return String.join(
                    " ",
                    Guid.format(nodeGuid),
                    isSwitch() ? SWITCH : (isIsolation() ? ISOLATED : "") + portNum,
                    since.toString(),
                    name);
        }
    }

    Drains(StateDirectory directory) {
        this.directory = directory;
        all = directory.read(FILE, new DrainLines()).orElse(List.of());
        directory.follow(FILE, DrainLines::new, new Inheriting());
    }

    /** The takeover of the drains of another SM. */
    private final class Inheriting implements StateSuccessor<List<Drain>> {
        @Override
        public void replace(List<Drain> adopted) {
            changed.clear();
            all = adopted;
        }

        /** The other one's is newer, but where something was drained or undrained here. */
        @Override
        public void complete(List<Drain> adopted) {
            List<Drain> next = new ArrayList<>(all.stream()
                    .filter(drain -> changed.contains(drain.place()))
                    .toList());
            adopted.stream()
                    .filter(drain -> !changed.contains(drain.place()) && next.size() < MAX)
                    .forEach(next::add);
            if (!next.equals(all)) {
                write(next);
                whenAdopted.run();
            }
        }
    }

    /**
     * Sets the listener that bypasses the drains of another SM, if this SM is already master when it receives
     * them.
     */
    public void whenAdopted(Runnable listener) {
        whenAdopted = listener;
    }

    /** Returns all drains in order of time. */
    public List<Drain> all() {
        return all;
    }

    /** Returns the cables that are isolated, in the order in which they were. */
    public List<Drain> isolations() {
        return all.stream().filter(Drain::isIsolation).toList();
    }

    /** Checks whether a port is drained, or its switch is. */
    public boolean has(long nodeGuid, int portNum) {
        return all.stream()
                .anyMatch(drain -> drain.nodeGuid() == nodeGuid && (drain.isSwitch() || drain.portNum() == portNum));
    }

    /**
     * Drains a part, unless it is drained already, or there are too many drains. A drain by an operator ends
     * its isolation.
     */
    public void drain(Drain drain) {
        if (all.size() < MAX && all.stream().noneMatch(each -> each.isSame(drain) && !each.isIsolation())) {
            List<Drain> next = new ArrayList<>(all);
            next.removeIf(drain::isSame);
            next.add(drain);
            changed.add(drain.place());
            write(next);
        }
    }

    /** Ends that. */
    public void undrain(Drain drain) {
        changed.add(drain.place());
        write(all.stream().filter(each -> !each.isSame(drain)).toList());
    }

    private void write(List<Drain> next) {
        List<Drain> kept = List.copyOf(next);
        all = kept;
        directory.write(FILE, () -> kept.stream().map(Drain::line));
    }

    /** Reads the file. */
    private static final class DrainLines implements StateFile.Parser<List<Drain>> {
        private final List<Drain> drains = new ArrayList<>();

        @Override
        public String take(String line) {
            String[] words = line.split(" ", 4);
            if (words.length < 4
                    || !words[1].matches(SWITCH + "|(" + ISOLATED + ")?[1-9]\\d{0,2}")
                    || drains.size() == MAX) {
                return "expected a node GUID, a port, \"" + ISOLATED
                        + "\" and a port, or \"switch\", a time and a name, in " + MAX + " lines at most";
            }
            try {
                Cause cause = words[1].startsWith(ISOLATED) ? Cause.ISOLATION : Cause.OPERATOR;
                String port = cause == Cause.ISOLATION ? words[1].substring(ISOLATED.length()) : words[1];
                int portNum = port.equals(SWITCH) ? WHOLE : Integer.parseInt(port);
                if (portNum > NodeInfo.MAX_PORT_NUM) {
                    return "no switch has port " + portNum;
                }
                drains.add(new Drain(Guid.parse(words[0]), portNum, words[3], Instant.parse(words[2]), cause));
                return "";
            } catch (DateTimeException | IllegalArgumentException e) {
                return String.valueOf(e.getMessage());
            }
        }

        @Override
        public List<Drain> value() {
            return List.copyOf(drains);
        }
    }
}
