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
 * The switches and cables that an operator has drained, and the cables that this program has isolated. Routes bypass
 * these parts until they are undrained or released.
 *
 * <p>The file {@code drained} of the state directory has a line for each: {@code 0x<node GUID> <port>|switch <time>
 * <name>}. An isolated cable has {@code isolated:<port>}.
 *
 * <p>Owner thread: the loop of the SM; any thread may read.
 */
public final class Drains {
    /** The file of the state directory. */
    public static final StateFile FILE =
            StateFile.of("drained", 1, 1L << 20, "drained switches and cables are used again");

    /** The port number of a drain of a whole switch. */
    public static final int WHOLE_SWITCH = -1;

    /** The max number of drains. */
    public static final int MAX_DRAINS = 1000;

    private static final String SWITCH = "switch";
    private static final String ISOLATED = "isolated:";
    private static final int MAX_NAME = 200;

    private final StateDirectory directory;
    private volatile List<Drain> all;
    private Runnable whenAdopted = () -> {};

    /** The places that were drained or undrained here after the list was read or replaced. */
    private final Set<NodePort> changed = new HashSet<>();

    /** The cause of a drain. */
    public enum Cause {
        /** Work on the device by an operator, who also ends the drain. */
        OPERATOR,
        /** Isolation by this program of a cable that goes down repeatedly or loses packets; never of a whole switch. */
        ISOLATION
    }

    /**
     * A drained switch or cable.
     *
     * @param nodeGuid NodeGUID of the switch, or of the device at one end of the cable
     * @param portNum port number of the cable at this device; {@link #WHOLE_SWITCH} for a switch with all its cables
     * @param name names of device, place and port at that time; at most {@value #MAX_NAME} characters, without control
     *     characters
     * @param since time of the drain
     * @param cause reason of the drain
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

        /** Checks whether this program isolated the cable. */
        public boolean isIsolation() {
            return cause == Cause.ISOLATION;
        }

        /** Returns the drained device as events name it. */
        public DeviceText device() {
            return isSwitch()
                    ? DeviceText.ofDevice(name, EventField.GUID.of(nodeGuid))
                    : DeviceText.ofDevice(name, EventField.GUID.of(nodeGuid), EventField.PORT.of(portNum));
        }

        /** Checks whether a whole switch is drained. */
        public boolean isSwitch() {
            return portNum == WHOLE_SWITCH;
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
        directory.register(FILE, DrainLines::new, new DrainSuccessor());
    }

    /**
     * Sets the listener that is called if this SM, as master, receives drains of another SM which it lacks. The
     * listener causes routes that bypass them.
     */
    public void whenAdopted(Runnable listener) {
        whenAdopted = listener;
    }

    /** Returns all drains in order of time. */
    public List<Drain> all() {
        return all;
    }

    /** Returns the isolated cables in order of time. */
    public List<Drain> isolations() {
        return all.stream().filter(Drain::isIsolation).toList();
    }

    /** Checks whether the cable of a port (at this end) or the whole switch is drained. */
    public boolean has(long nodeGuid, int portNum) {
        return all.stream()
                .anyMatch(drain -> drain.nodeGuid() == nodeGuid && (drain.isSwitch() || drain.portNum() == portNum));
    }

    /**
     * Drains a part, unless it is already drained or the number of drains is {@link #MAX_DRAINS}. A drain by an
     * operator replaces an isolation.
     */
    public void drain(Drain drain) {
        if (all.size() < MAX_DRAINS && all.stream().noneMatch(each -> each.isSame(drain) && !each.isIsolation())) {
            List<Drain> next = new ArrayList<>(all);
            next.removeIf(drain::isSame);
            next.add(drain);
            changed.add(drain.place());
            write(next);
        }
    }

    /** Ends a drain or an isolation. */
    public void undrain(Drain drain) {
        changed.add(drain.place());
        write(all.stream().filter(each -> !each.isSame(drain)).toList());
    }

    private void write(List<Drain> next) {
        List<Drain> kept = List.copyOf(next);
        all = kept;
        directory.write(FILE, () -> kept.stream().map(Drain::line));
    }

    /** A receiver of the drains of another SM. */
    private final class DrainSuccessor implements StateSuccessor<List<Drain>> {
        @Override
        public void replace(List<Drain> adopted) {
            changed.clear();
            all = adopted;
        }

        /** Adopts the list of the other SM, which is newer, except for places that were drained or undrained here. */
        @Override
        public void complete(List<Drain> adopted) {
            List<Drain> next = new ArrayList<>(all.stream()
                    .filter(drain -> changed.contains(drain.place()))
                    .toList());
            adopted.stream()
                    .filter(drain -> !changed.contains(drain.place()) && next.size() < MAX_DRAINS)
                    .forEach(next::add);
            if (!next.equals(all)) {
                write(next);
                whenAdopted.run();
            }
        }
    }

    /** The reader of the file. */
    private static final class DrainLines implements StateFile.Parser<List<Drain>> {
        private final List<Drain> drains = new ArrayList<>();

        @Override
        public String parseLine(String line) {
            String[] words = line.split(" ", 4);
            if (words.length < 4
                    || !words[1].matches(SWITCH + "|(" + ISOLATED + ")?[1-9]\\d{0,2}")
                    || drains.size() == MAX_DRAINS) {
                return "expected a node GUID, a port, \"" + ISOLATED
                        + "\" and a port, or \"switch\", a time and a name, in " + MAX_DRAINS + " lines at most";
            }
            try {
                Cause cause = words[1].startsWith(ISOLATED) ? Cause.ISOLATION : Cause.OPERATOR;
                String port = cause == Cause.ISOLATION ? words[1].substring(ISOLATED.length()) : words[1];
                int portNum = port.equals(SWITCH) ? WHOLE_SWITCH : Integer.parseInt(port);
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
