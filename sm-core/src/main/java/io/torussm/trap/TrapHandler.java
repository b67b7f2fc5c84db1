package io.torussm.trap;

import io.torussm.discovery.DeviceRefresher;
import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.event.log.LogRateLimiter;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.vport.VPortNotice;
import io.torussm.names.SiteMap;
import io.torussm.subnet.Neighbors;
import io.torussm.subnet.Subnet;
import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import io.torussm.trap.TrapCounts.Disposition;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decision on the action for a trap, and its rate. Each source is throttled separately. A trap in the
 * name of another device is ignored. The memory is bounded for any input. Owner thread: the loop, except for
 * the counters.
 */
final class TrapHandler {
    private static final Logger LOG = LoggerFactory.getLogger(TrapHandler.class);
    /**
     * The time between two visits of a port because of traps of its virtual ports. A visit concerns this port only, and
     * pods come and go on a busy host all the time.
     */
    private static final long VPORTS_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final EventLog EVENTS = EventLog.of(TrapHandler.class);

    /** The issuer of traps from unassigned LIDs: they are throttled together. */
    private static final int UNKNOWN_LID = 0;

    private final MKeyMonitor keys;
    private final DeviceRefresher refresher;
    private final BabblingPorts babblers;
    private final TrapCounts counts = new TrapCounts();
    private final LinkComplaints complaints;
    private final LogRateLimiter badKeys;
    private final TrapThrottle links;
    private final TrapThrottle devices;
    private final TrapThrottle vports;
    private final VPortConsumers vportConsumers;

    /** The throttle of vendors' notices and unknown ones, which limits what subscribers receive. */
    private final TrapThrottle otherNotices;

    private final FlappingLinks flapping;

    private final Traps.Effects effects;
    private final Consumer<Notice> forward;

    /** By LID, the attributes to read again from an end port, from its trap to the time of the read. */
    private final Map<Integer, DeviceRefresher.AttributeChoice> dueReads = new HashMap<>();

    /**
     * The receivers of traps about virtual ports.
     *
     * @param names receives each trap 1144
     * @param ports receives the LID of a port whose virtual ports changed, but not for each of many traps
     */
    record VPortConsumers(Traps.VPortNameListener names, IntConsumer ports) {}

    /**
     * Creates a handler without remembered traps.
     *
     * @param neighbors the last known cables
     * @param forward receives every trap that was acted on
     */
    TrapHandler(
            Loop loop,
            MKeyMonitor keys,
            Neighbors neighbors,
            DeviceRefresher refresher,
            BabblingPorts babblers,
            Traps.Effects effects,
            Consumer<Notice> forward,
            VPortConsumers vportConsumers) {
        this.keys = keys;
        this.refresher = refresher;
        this.babblers = babblers;
        this.effects = effects;
        this.forward = forward;
        this.complaints = new LinkComplaints(loop::nowNs);
        this.badKeys = new LogRateLimiter(loop::nowNs);
        this.flapping = new FlappingLinks(effects, neighbors, this::device);
        this.links =
                new TrapThrottle(loop, lid -> effects.onLinkChange((int) lid), this::reportFlapping, flapping::onQuiet);
        this.devices = new TrapThrottle(loop, lid -> read((int) lid), (lid, count, ns) -> {}, (lid, count, ns) -> {});
        this.vportConsumers = vportConsumers;
        this.vports = new TrapThrottle(
                loop, VPORTS_PAUSE_NS, lid -> vportConsumers.ports().accept((int) lid));
        this.otherNotices = new TrapThrottle(loop, lid -> {}, (lid, count, ns) -> {}, (lid, count, ns) -> {});
    }

    /** Returns the counters of all traps; from any thread. */
    TrapCounts counts() {
        return counts;
    }

    /** Returns the counters of link errors; from any thread. */
    LinkComplaints complaints() {
        return complaints;
    }

    /** Handles a trap. */
    void handle(MadFrame frame, Notice notice) {
        if (!notice.isWellFormed()) {
            counts.countMalformed();
            return;
        }
        Disposition disposition = isForged(frame, notice) ? Disposition.IGNORED : decide(frame, notice);
        counts.count(notice, disposition);
        if (disposition == Disposition.ACTED_ON) {
            report(notice);
            forward.accept(notice);
        } else {
            LOG.debug("trap {} from LID {}: {}", notice.trapNumber(), notice.issuerLid(), disposition);
        }
    }

    private void report(Notice notice) {
        if (notice.isGeneric() && notice.trapNumber() == Notice.TRAP_LINK_STATE_CHANGE) {
            // Both ends of a cable send this trap, without a port. The sweep that follows reports the change once.
            LOG.debug("{} reports a change of its links", device(notice.issuerLid()));
        } else if (VPortNotice.isVPortTrap(notice)) {
            LOG.debug("{} reports a change of its virtual ports", device(notice.issuerLid()));
        } else if (notice.isGeneric()) {
            EVENTS.report(
                    SmEvent.TRAP_RECEIVED,
                    EventField.NAME.of(device(notice.issuerLid())),
                    EventField.TEXT.of(meaning(notice)),
                    EventField.TRAP.of(notice.trapNumber()));
        } else {
            EVENTS.report(
                    SmEvent.VENDOR_NOTICE_RECEIVED,
                    EventField.NAME.of(device(notice.issuerLid())),
                    EventField.TRAP.of(notice.vendorTrapNumber()),
                    EventField.TEXT.of(String.format("0x%06x", notice.vendorId())));
        }
    }

    private static String meaning(Notice notice) {
        return switch (notice.trapNumber()) {
            case Notice.TRAP_LINK_INTEGRITY, Notice.TRAP_BUFFER_OVERRUN, Notice.TRAP_FLOW_CONTROL -> "errors on a link";
            case Notice.TRAP_LOCAL_CHANGES -> changes(notice);
            case Notice.TRAP_SYSTEM_IMAGE_GUID -> "that it belongs to another system now";
            case Notice.TRAP_BAD_M_KEY -> "a wrong M_Key";
            case Notice.TRAP_BAD_P_KEY, Notice.TRAP_BAD_P_KEY_AT_SWITCH -> "a wrong P_Key";
            case Notice.TRAP_BAD_Q_KEY -> "a wrong Q_Key";
            default -> "something that concerns its subscribers only";
        };
    }

    private static String changes(Notice notice) {
        return notice.hasNewDescription()
                ? "a new NodeDescription"
                : notice.hasNewSmPriority() ? "another priority of its SM" : "other capabilities";
    }

    /** Checks whether a device sends a trap in the name of another one. */
    private boolean isForged(MadFrame frame, Notice notice) {
        Subnet subnet = effects.addressed();
        return subnet != null && TrapSource.of(subnet, frame) != nodeOf(subnet, notice.issuerLid());
    }

    static int nodeOf(Subnet subnet, int lid) {
        int port = subnet.portOfLid(lid);
        return port == Fabric.NONE ? Fabric.NONE : subnet.fabric().nodeOf(port);
    }

    private Disposition decide(MadFrame frame, Notice notice) {
        if (!notice.isGeneric()) {
            return VPortNotice.isVPortTrap(notice) ? onVPortChange(notice) : forwardOnly(notice);
        }
        return switch (notice.trapNumber()) {
            case Notice.TRAP_LINK_STATE_CHANGE -> onLinkChange(notice.issuerLid());
            case Notice.TRAP_LINK_INTEGRITY, Notice.TRAP_BUFFER_OVERRUN, Notice.TRAP_FLOW_CONTROL ->
                onLinkComplaint(notice);
            case Notice.TRAP_LOCAL_CHANGES -> onDeviceChange(notice, DeviceRefresher.AttributeChoice.of(notice));
            case Notice.TRAP_SYSTEM_IMAGE_GUID -> onDeviceChange(notice, DeviceRefresher.AttributeChoice.SYSTEM_IMAGE);
            case Notice.TRAP_BAD_M_KEY -> keys.onBadKey(frame.mad());
            case Notice.TRAP_BAD_P_KEY, Notice.TRAP_BAD_Q_KEY, Notice.TRAP_BAD_P_KEY_AT_SWITCH -> onBadKey(notice);
            default -> isOfDevices(notice) ? forwardOnly(notice) : Disposition.IGNORED;
        };
    }

    /**
     * Checks whether devices send this trap. Lower numbers are those of managers; a device may not report
     * those events.
     */
    private static boolean isOfDevices(Notice notice) {
        return notice.trapNumber() >= Notice.TRAP_LINK_STATE_CHANGE;
    }

    /**
     * Handles a trap that is irrelevant for an SM, but not for subscribers; of a source that sends many, only
     * some are forwarded.
     */
    private Disposition forwardOnly(Notice notice) {
        Subnet subnet = effects.addressed();
        boolean isKnown = subnet != null && nodeOf(subnet, notice.issuerLid()) != Fabric.NONE;
        return isKnown ? disposition(otherNotices.onEvent(baseLid(notice.issuerLid()))) : Disposition.IGNORED;
    }

    /** Handles a change of vports: the SM acts on it soon, but only some of many are forwarded. */
    private Disposition onVPortChange(Notice notice) {
        Disposition forwarding = forwardOnly(notice);
        if (forwarding != Disposition.IGNORED) {
            if (notice.vendorTrapNumber() == VPortNotice.TRAP_VPORT_CHANGE) {
                vportConsumers.names().onNameTrap(baseLid(notice.issuerLid()), VPortNotice.vport(notice));
            }
            vports.onEvent(baseLid(notice.issuerLid()));
        }
        return forwarding;
    }

    /** Returns the base LID of the port with a LID, so that a port with many LIDs has the share of one. */
    private int baseLid(int lid) {
        Subnet subnet = effects.addressed();
        int port = subnet == null ? Fabric.NONE : subnet.portOfLid(lid);
        return subnet == null || port == Fabric.NONE ? lid : subnet.lid(port);
    }

    private static Disposition disposition(boolean isActedOn) {
        return isActedOn ? Disposition.ACTED_ON : Disposition.DAMPED;
    }

    /** Handles a link change; only links of a switch are relevant for other devices. */
    private Disposition onLinkChange(int lid) {
        Subnet subnet = effects.addressed();
        int node = subnet == null ? Fabric.NONE : nodeOf(subnet, lid);
        if (subnet != null && node != Fabric.NONE && !subnet.fabric().isSwitch(node)) {
            return Disposition.IGNORED;
        }
        return disposition(links.onEvent(subnet != null && node == Fabric.NONE ? UNKNOWN_LID : baseLid(lid)));
    }

    /** Reports flapping. Devices without a known LID are counted together, so that no device can be named. */
    private void reportFlapping(long lid, int count, long durationNs) {
        if (lid != UNKNOWN_LID) {
            flapping.onFlapping(lid, count, durationNs, links.active());
        }
    }

    /** Checks whether a switch is an end of a link with a report of flapping that has not ended. */
    boolean isFlapping(long nodeGuid) {
        return flapping.hasEnd(nodeGuid);
    }

    /** Forgets the reports of this mastership: their conditions ended with it. */
    void onMastershipEnd() {
        flapping.forget();
        links.forgetReports();
    }

    // --- devices that changed ---

    private Disposition onDeviceChange(Notice notice, DeviceRefresher.AttributeChoice question) {
        Subnet subnet = effects.addressed();
        int lid = baseLid(notice.issuerLid());
        if (subnet == null || nodeOf(subnet, lid) == Fabric.NONE) {
            return disposition(links.onEvent(UNKNOWN_LID));
        }
        dueReads.merge(lid, question, DeviceRefresher.AttributeChoice::union);
        return disposition(devices.onEvent(lid));
    }

    private void read(int lid) {
        DeviceRefresher.AttributeChoice question = dueReads.remove(lid);
        Subnet subnet = effects.addressed();
        int port = subnet == null ? Fabric.NONE : subnet.portOfLid(lid);
        if (question != null && subnet != null && port != Fabric.NONE) {
            refresher.read(subnet.fabric(), port, question);
        }
    }

    // --- link errors ---

    private Disposition onLinkComplaint(Notice notice) {
        Subnet subnet = effects.addressed();
        int port = subnet == null ? Fabric.NONE : complainingPort(subnet, notice);
        if (subnet == null || port == Fabric.NONE) {
            return Disposition.IGNORED;
        }
        switch (complaints.onTrap(subnet.fabric().nodePort(port), notice.trapNumber())) {
            case FIRST ->
                EVENTS.report(
                        SmEvent.LINK_ERRORS,
                        EventField.NAME.of(located(portText(subnet, port), subnet, port)),
                        EventField.TEXT.of(errorText(notice)),
                        EventField.TRAP.of(notice.trapNumber()));
            case UNHEALTHY ->
                EVENTS.report(
                        SmEvent.PORT_UNHEALTHY,
                        EventField.NAME.of(located(portText(subnet, port), subnet, port)),
                        EventField.TEXT.of(errorText(notice)),
                        EventField.TRAP.of(notice.trapNumber()));
            case BABBLING -> babblers.onBabblingPort(subnet, port);
            case MORE, STILL -> {
                return Disposition.DAMPED;
            }
        }
        return Disposition.ACTED_ON;
    }

    /** Returns the port of a trap; none if the issuer has no such port. */
    private static int complainingPort(Subnet subnet, Notice notice) {
        int node = nodeOf(subnet, notice.lidAddress());
        boolean isItsOwn = node != Fabric.NONE && node == nodeOf(subnet, notice.issuerLid());
        boolean isThere = isItsOwn
                && notice.portNum() > 0
                && notice.portNum() <= subnet.fabric().numPorts(node);
        return isThere ? subnet.fabric().port(node, notice.portNum()) : Fabric.NONE;
    }

    private static String errorText(Notice notice) {
        return switch (notice.trapNumber()) {
            case Notice.TRAP_LINK_INTEGRITY -> "symbol errors on its link";
            case Notice.TRAP_BUFFER_OVERRUN -> "overruns of its buffers";
            default -> "flow control that is overdue from the other end";
        };
    }

    /** Returns the text of a port and its cable. */
    static DeviceText portText(Subnet subnet, int port) {
        Fabric fabric = subnet.fabric();
        int far = fabric.peer(port);
        return far == Fabric.NONE
                ? subnet.devicePort(port)
                : subnet.devicePort(port).withText(fabric.portName(port) + ", cabled to " + fabric.portName(far));
    }

    /** Adds the coordinates of the node, if the active routes have any. */
    private DeviceText located(DeviceText device, Subnet subnet, int port) {
        long guid = subnet.fabric().nodeGuid(subnet.fabric().nodeOf(port));
        String coordinates = place(guid);
        if (coordinates.isEmpty()) {
            return device;
        }
        SiteMap.Site site = subnet.fabric().names().sites().site(guid, coordinates);
        DeviceText placed = device.withText(coordinates + " " + device).with(EventField.COORDINATES.of(coordinates));
        return site.isUnknown() ? placed : placed.with(EventField.SITE.of(site));
    }

    /** Returns the place of a switch as the last read has it, else as the published view; empty if it has none. */
    private String place(long nodeGuid) {
        PlacedSubnet found = effects.state().found();
        PublishedView view = effects.view();
        String place = found == null ? "" : place(found, nodeGuid);
        return place.isEmpty() && view != null ? place(view.placed(), nodeGuid) : place;
    }

    private static String place(PlacedSubnet placed, long nodeGuid) {
        int node = placed.fabric().nodeByGuid(nodeGuid);
        return node == Fabric.NONE ? "" : placed.place(node);
    }

    // --- keys of packets ---

    private Disposition onBadKey(Notice notice) {
        boolean isQKey = notice.trapNumber() == Notice.TRAP_BAD_Q_KEY;
        LogRateLimiter.Line line = badKeys.recordEvent(device(notice.sourceLid()));
        if (line.isDue()) {
            EVENTS.report(
                    isQKey ? SmEvent.Q_KEY_VIOLATION : SmEvent.P_KEY_VIOLATION,
                    EventField.NAME.of(line.source()),
                    EventField.COUNT.of(line.count()),
                    EventField.REPORTER.of(device(notice.issuerLid())),
                    EventField.KEY.of(String.format(isQKey ? "0x%08x" : "0x%04x", notice.key())),
                    EventField.DESTINATION.of(device(notice.destinationLid())));
        }
        return disposition(line.isDue());
    }

    private DeviceText device(int lid) {
        Subnet subnet = effects.addressed();
        int port = subnet == null ? Fabric.NONE : subnet.portOfLid(lid);
        if (subnet == null || port == Fabric.NONE) {
            return DeviceText.ofDevice("LID " + lid, EventField.LID.of(lid));
        }
        DeviceText device = subnet.deviceOf(port);
        return located(device.withText(device + " (LID " + lid + ")"), subnet, port);
    }
}
