package io.torussm.daemon.console.fabric;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.TextTable;
import io.torussm.daemon.control.SmControl;
import io.torussm.mad.Guid;
import io.torussm.names.Names;
import io.torussm.view.Absences;
import io.torussm.view.FabricState;
import io.torussm.view.LostCable;
import io.torussm.view.NodeSearch;
import io.torussm.view.PlacedSubnet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The command that lists hosts, switches and cables that were part of the fabric and are absent.
 */
public final class AbsentCommand {
    private static final int MAX_NAME = 64;
    private static final String BEFORE_MASTERSHIP = "before this SM was master";

    private final SmControl control;

    /**
     * An absent device.
     *
     * @param name node description; empty if unknown
     * @param portGuid PortGUID, as text
     * @param place coordinates of a switch; empty if unknown
     * @param lid LID that the device will have when it returns; 0 if unknown
     * @param lastSeen last time at which it was present; null if it was absent before this SM became master
     * @param cabledTo other end of its cable: name, coordinates and port
     */
    private record Device(
            String name,
            String portGuid,
            String place,
            int lid,
            @Nullable Instant lastSeen,
            String cabledTo) {
        static Device of(Absences.Device absent, Names names) {
            LostCable.LostEnd end = absent.end().withName(names);
            return new Device(
                    Printable.text(end.name(), MAX_NAME),
                    Guid.format(end.port().portGuid()),
                    end.place(),
                    end.lid(),
                    absent.since(),
                    Printable.text(absent.peerEnd().withName(names).text(), 2 * MAX_NAME));
        }
    }

    /**
     * An absent cable between two present devices.
     *
     * @param lostSince time of the loss; null if the cable was lost before this SM became master
     */
    private record Cable(String from, String to, @Nullable Instant lostSince) {
        static Cable of(LostCable lost, Names names) {
            return new Cable(
                    Printable.text(lost.near().withName(names).text(), 2 * MAX_NAME),
                    Printable.text(lost.far().withName(names).text(), 2 * MAX_NAME),
                    lost.since());
        }
    }

    private record Absent(List<Device> hosts, List<Device> switches, List<Cable> cables) implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            table("host", hosts, lines);
            table("switch", switches, lines);
            if (!cables.isEmpty()) {
                TextTable table = new TextTable("cable from", "to", "lost since");
                cables.forEach(cable -> table.row(cable.from(), cable.to(), time(cable.lostSince())));
                lines.addAll(table.lines());
            }
            return lines.isEmpty() ? List.of("nothing is absent that was there before") : lines;
        }

        private static void table(String label, List<Device> devices, List<String> lines) {
            if (!devices.isEmpty()) {
                TextTable table = new TextTable(label, "port GUID", "place", "LID", "last seen", "was cabled to");
                devices.forEach(each -> table.row(
                        each.name(),
                        each.portGuid(),
                        each.place(),
                        each.lid(),
                        time(each.lastSeen()),
                        each.cabledTo()));
                lines.addAll(table.lines());
            }
        }
    }

    public AbsentCommand(SmControl control) {
        this.control = control;
    }

    public Command command() {
        return Command.query(
                "absent",
                "hosts, switches and cables that were there and are not: last seen, where cabled",
                Command.withoutArguments(this::absent),
                "A device is forgotten when it is back, or when another is cabled in its place.");
    }

    private Answer absent() {
        FabricState state = control.state();
        return Answer.ofDiscoveredSubnet(state, placed -> {
            Names names = placed.fabric().names();
            List<Device> hosts = new ArrayList<>();
            List<Device> switches = new ArrayList<>();
            state.absences()
                    .devices(placed.fabric())
                    .forEach(each -> (each.end().isSwitch() ? switches : hosts).add(Device.of(each, names)));
            List<Cable> cables = state.absences().cables().stream()
                    .filter(cable -> isPresent(placed, cable.near()) && isPresent(placed, cable.far()))
                    .map(cable -> Cable.of(cable, names))
                    .toList();
            return Answer.of(new Absent(hosts, switches, cables));
        });
    }

    private static boolean isPresent(PlacedSubnet placed, LostCable.LostEnd end) {
        return end.nodeGuid() != 0 && placed.fabric().nodeByGuid(end.nodeGuid()) >= 0;
    }

    private static String time(@Nullable Instant since) {
        return since == null ? BEFORE_MASTERSHIP : since.toString();
    }

    /** Returns the facts about an absent device by its name, GUID or coordinates; empty if no device matches. */
    static Optional<String> find(FabricState state, String name) {
        PlacedSubnet seen = state.visibleSubnet();
        if (seen == null) {
            return Optional.empty();
        }
        Names names = seen.fabric().names();
        return state.absences().devices(seen.fabric()).stream()
                .filter(each -> isNamed(each.end().withName(names), name))
                .map(each -> text(each, names))
                .findFirst();
    }

    /** Returns a sentence: the device, the time at which it was last seen, and the other end of its cable. */
    static String text(Absences.Device absent, Names names) {
        return Printable.text(
                absent.end().withName(names).text().replaceAll(" port \\d+$", "") + " is absent, last seen "
                        + time(absent.since()) + "; it was cabled to "
                        + absent.peerEnd().withName(names).text(),
                4 * MAX_NAME);
    }

    private static boolean isNamed(LostCable.LostEnd end, String name) {
        return end.name().equals(name)
                || (NodeSearch.number(name) != 0
                        && (end.port().portGuid() == NodeSearch.number(name)
                                || end.nodeGuid() == NodeSearch.number(name)))
                || (!end.place().isEmpty()
                        && (end.place().equals(name) || end.place().equals("(" + name + ")")));
    }
}
