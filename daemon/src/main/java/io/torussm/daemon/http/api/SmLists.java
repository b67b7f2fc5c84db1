package io.torussm.daemon.http.api;

import io.torussm.daemon.control.FirmwareKind;
import io.torussm.daemon.control.SmObserver;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.control.SubnetStatus;
import io.torussm.daemon.journal.Journal;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.sa.Rates;
import io.torussm.mad.smp.PortInfo;
import io.torussm.partition.PKeys;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.WellKnownGroup;
import io.torussm.subnet.Drains;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The lists under {@link Resources#ROOT} on the SM itself: events, active routes, partitions, drains. Any thread. */
public final class SmLists {
    private final SmObserver observer;

    /**
     * An event of the journal.
     *
     * @param number position in the journal, from 1 at each start
     * @param time time of the event
     * @param level {@code error}, {@code warn} or {@code info}
     * @param code event code, such as {@code TSM-4010}
     * @param text text without the code
     * @param fields fields by key
     */
    public record Event(long number, Instant time, String level, String code, String text, Map<String, String> fields) {
        public static Event of(Journal.Entry entry) {
            return new Event(entry.number(), entry.time(), entry.level(), entry.code(), entry.text(), entry.fields());
        }
    }

    /**
     * The active routes.
     *
     * @param sweep number of the sweep that published them
     * @param since time of activation; null if unknown
     * @param certificate certificate of freedom from credit loops; null if there is none
     * @param slVerdicts verdicts on hosts that choose SLs themselves; null until computed
     */
    record RoutesInForce(
            String engine,
            long sweep,
            @Nullable Instant since,
            SubnetStatus.Routing routing,
            SweepCounts.@Nullable Proof certificate,
            @Nullable SlVerdicts slVerdicts,
            long slChanges) {}

    /**
     * A partition as file and run time give it.
     *
     * @param mtu MTU of its broadcast group, in bytes; 0 without one
     * @param rate rate of its broadcast group; empty without one
     * @param fullPorts end ports that have its full P_Key now
     * @param limitedPorts end ports that have its limited P_Key now
     * @param members listed one by one
     */
    record Partition(
            String pKey,
            String name,
            int sl,
            boolean ipoib,
            int mtu,
            String rate,
            int fullPorts,
            int limitedPorts,
            List<Member> members) {}

    /**
     * A member of a partition that is named by its port GUID.
     *
     * @param portGuid PortGUID
     * @param membership {@code full}, {@code limited} or {@code both}
     * @param index0 whether the P_Key is to be at index 0
     * @param addedAtRunTime whether it was added at run time
     */
    record Member(String portGuid, String membership, boolean index0, boolean addedAtRunTime) {}

    /**
     * A drained switch or port.
     *
     * @param name description of the device
     * @param guid NodeGUID
     * @param port port number, 0 for a whole switch
     * @param since begin of the drain
     * @param cause reason for the drain
     */
    record Drained(String name, String guid, int port, Instant since, Drains.Cause cause) {}

    /**
     * The firmware of a device.
     *
     * @param name description of the device
     * @param guid NodeGUID
     * @param deviceId NodeInfo.DeviceID
     * @param psid kind of board; empty if it reports none
     * @param version version of the firmware
     */
    record Firmware(String name, String guid, String deviceId, String psid, String version) {}

    /**
     * The arrivals and departures of a virtual port.
     *
     * @param first time of the first change
     * @param last time of the last change
     * @param isArrival whether the last change was its arrival
     * @param changes number of changes
     * @param portGuid GUID of the physical port
     * @param index VPortIndex
     * @param guid GUID of the virtual port
     * @param description last VNodeDescription; empty if it is unknown
     */
    record VPortChange(
            Instant first,
            Instant last,
            boolean isArrival,
            int changes,
            String portGuid,
            int index,
            String guid,
            String description) {}

    SmLists(SmObserver observer) {
        this.observer = observer;
    }

    List<Event> events() {
        return observer.journal().after(Long.MIN_VALUE).stream().map(Event::of).toList();
    }

    /** Returns the active routes; null if there are none. */
    @Nullable
    RoutesInForce plan(FabricState state) {
        PublishedView view = state.view();
        SmStatistics statistics = observer.statistics();
        if (view == null || statistics == null) {
            return null;
        }
        return new RoutesInForce(
                view.plan().engine(),
                view.sweep(),
                state.routesActiveSince(),
                SubnetStatus.Routing.of(state),
                statistics.sweeps().counts().proof(),
                observer.slVerdicts(0),
                statistics.sweeps().slChanges());
    }

    List<VPortChange> vportChanges() {
        return observer.vports().changes().stream()
                .map(entry -> new VPortChange(
                        entry.first(),
                        entry.last(),
                        entry.isArrival(),
                        entry.changes(),
                        Guid.format(entry.portGuid()),
                        entry.index(),
                        Guid.format(entry.guid()),
                        entry.name()))
                .toList();
    }

    List<Firmware> firmware(FabricState state) {
        PlacedSubnet seen = state.visibleSubnet();
        Fabric fabric = seen == null ? null : seen.fabric();
        return observer.firmware().devices().stream()
                .map(device -> new Firmware(
                        FirmwareKind.name(fabric, device.nodeGuid()),
                        Guid.format(device.nodeGuid()),
                        String.format("0x%04x", device.deviceId()),
                        device.psid(),
                        device.version()))
                .toList();
    }

    List<Partition> partitions(FabricState state) {
        PartitionConf conf = observer.partitions();
        int[] full = new int[PKeys.BASE + 1];
        int[] limited = new int[PKeys.BASE + 1];
        PublishedView view = state.view();
        if (view != null) {
            IntStream.range(0, view.subnet().fabric().portCount()).forEach(port -> view.partitions().keys(port).stream()
                    .forEach(pKey -> (PKeys.isFull(pKey) ? full : limited)[PKeys.base(pKey)]++));
        }
        return conf.partitions().stream()
                .map(each -> partition(conf, each, full[each.pKey()], limited[each.pKey()]))
                .toList();
    }

    private static Partition partition(PartitionConf conf, PartitionConf.Partition each, int full, int limited) {
        WellKnownGroup broadcast = conf.broadcast(each.pKey());
        return new Partition(
                PKeys.format(each.pKey()),
                each.name(),
                each.sl(),
                broadcast != null,
                broadcast == null ? 0 : PortInfo.mtuBytes(broadcast.mtu()),
                broadcast == null ? "" : Rates.name(broadcast.rate()),
                full,
                limited,
                each.namedMembers().stream()
                        .map(member -> new Member(
                                Guid.format(member.guid()),
                                member.membership().word(),
                                member.isAtIndex0(),
                                member.isOfRunTime()))
                        .toList());
    }

    List<Drained> drained() {
        return observer.drains().stream()
                .map(each -> new Drained(
                        each.name(),
                        Guid.format(each.nodeGuid()),
                        each.isSwitch() ? 0 : each.portNum(),
                        each.since(),
                        each.cause()))
                .toList();
    }
}
