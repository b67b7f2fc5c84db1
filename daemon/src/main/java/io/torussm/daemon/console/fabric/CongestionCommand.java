package io.torussm.daemon.console.fabric;

import io.torussm.congestion.CongestedPort;
import io.torussm.congestion.CongestionStatistics;
import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.TextTable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.mad.Guid;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The command that shows which switches mark packets, and which channel adapters are slowed down. */
public final class CongestionCommand {
    private static final String READ = "read";

    private final SmControl control;

    /**
     * A device with congestion events.
     *
     * @param port number of the port; 0 for a switch
     * @param latest events in the last log with any
     * @param ports ports of the switch that marked packets
     * @param sls SLs that reached Trigger_Threshold
     */
    public record Congested(
            String guid, String name, int port, long events, long latest, List<Integer> ports, List<Integer> sls) {
        public Congested {
            ports = List.copyOf(ports);
            sls = List.copyOf(sls);
        }

        static Congested of(CongestedPort port) {
            return new Congested(
                    Guid.format(port.nodeGuid()),
                    port.name().text(),
                    port.portNum(),
                    port.events(),
                    port.latest(),
                    numbers(port.ports()),
                    numbers(port.sls()));
        }

        private static List<Integer> numbers(BitSet set) {
            return set.stream().boxed().toList();
        }

        private String where() {
            return (port == 0 ? "ports " : "SLs ")
                    + (port == 0 ? ports : sls).stream().map(String::valueOf).collect(Collectors.joining(", "));
        }
    }

    /**
     * The state of congestion control.
     *
     * @param marks events of switches
     * @param triggers events of channel adapters
     */
    public record Congestion(
            boolean isOn,
            int devices,
            int set,
            int failed,
            long sets,
            long marks,
            long triggers,
            List<Congested> congested)
            implements Facts {
        public Congestion {
            congested = List.copyOf(congested);
        }

        /**
         * Returns the state.
         *
         * @param statistics null before the SM has begun
         */
        public static Congestion of(@Nullable SmStatistics statistics) {
            CongestionStatistics each = statistics == null ? CongestionStatistics.NONE : statistics.congestion();
            return new Congestion(
                    each.isOn(),
                    each.devices(),
                    each.set(),
                    each.failed(),
                    each.sets(),
                    each.marks(),
                    each.triggers(),
                    each.congested().stream().map(Congested::of).toList());
        }

        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            if (!isOn) {
                lines.add("no devices: congestion control is off (congestion_control), this SM is not master, or the"
                        + " first check has not ended");
                return lines;
            }
            lines.add(
                    "devices: " + devices + ", with all settings: " + set + ", failed: " + failed + ", Sets: " + sets);
            lines.add("events in logs of switches: " + marks + ", of channel adapters: " + triggers);
            if (!congested.isEmpty()) {
                TextTable table = new TextTable("GUID", "name", "port", "events", "latest", "at");
                congested.forEach(each -> table.row(
                        each.guid(),
                        Printable.text(each.name(), Integer.MAX_VALUE),
                        each.port(),
                        each.events(),
                        each.latest(),
                        each.where()));
                lines.addAll(table.lines());
            }
            return lines;
        }
    }

    /** Makes the command on this control. */
    public CongestionCommand(SmControl control) {
        this.control = control;
    }

    /** Returns the command. */
    public Command command() {
        return Command.setting(
                "congestion [read]",
                "congestion control: devices that are set, switches that mark packets, hosts that are slowed down",
                this::congestion,
                "The logs of devices are read every five minutes, and with read immediately. A log begins again then,"
                        + " also for other programs such as ibccquery.",
                "The " + CongestionStatistics.MAX_CONGESTED + " devices with most events are listed.");
    }

    private Answer congestion(List<String> words) {
        if (words.equals(List.of(READ))) {
            control.readCongestion();
            return Answer.done("the logs are read; congestion shows them");
        } else if (!words.isEmpty()) {
            throw new UsageException();
        }
        return Answer.of(Congestion.of(control.statistics()));
    }
}
