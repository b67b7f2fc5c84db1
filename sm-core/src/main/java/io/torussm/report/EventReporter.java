package io.torussm.report;

import io.torussm.alias.VPortGuids;
import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.mad.sa.ReportedNotice;
import io.torussm.mad.smp.Notice;
import io.torussm.multicast.MulticastGroup;
import io.torussm.multicast.MulticastView;
import io.torussm.partition.PartitionSet;
import io.torussm.partition.PortKeys;
import io.torussm.report.Subscription.Subscriber;
import io.torussm.subnet.Subnet;
import io.torussm.transport.GlobalRoute;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.view.PublishedView;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The reporting of events in the subnet to subscribers (IBA 13.4.11, 14.2.5.1): ports that appear and vanish (traps 64,
 * 65), multicast groups that are created and deleted (66, 67), and received traps on which the SM acted.
 *
 * <p>The ports and groups of the first published subnet of a mastership are not reported, as in OpenSM: after a restart
 * or a takeover, subscribers would treat every port as new. No events are reported before that subnet either.
 *
 * <p>Events wait in a queue, and are matched with a limited number of subscriptions in one turn of the loop. Otherwise
 * the loss of half a fabric, with thousands of subscriptions, would keep the loop busy for seconds.
 *
 * <p>Owner thread: the loop, except for {@link #received} and {@link #stats}, which any thread may call.
 */
public final class EventReporter {
    private static final EventLog EVENTS = EventLog.of(EventReporter.class);

    /**
     * Max number of waiting events: the number of end ports of the largest subnet. If there are more, the oldest event
     * is dropped.
     */
    private static final int MAX_EVENTS = 1 << 16;

    /** Max number of subscriptions that are matched in one turn of the loop. */
    private static final int MATCHES_PER_TURN = 4096;

    private static final int NO_P_KEY = 0;

    /** A sender of Reports. */
    public interface Wire {
        /** Sends a MAD with a time-out for the response, in milliseconds. Returns false if it could not be sent. */
        boolean send(MadFrame frame, int responseTimeoutMs);
    }

    /**
     * The settings of the operator.
     *
     * @param timeoutMs min time-out of a response, in milliseconds
     * @param retries max number of repetitions of a Report
     * @param smSl SL of Reports, 0 to 15, as the plan permits
     * @param dropsSubscriptions whether subscriptions end when their port vanishes
     */
    public record Settings(int timeoutMs, int retries, int smSl, boolean dropsSubscriptions) {}

    /**
     * An event.
     *
     * @param notice the notice to report
     * @param subject GUID of the port that the event concerns; 0 without one
     * @param keys P_Keys of this port
     * @param pKey P_Key of the multicast group that the event concerns; 0 without one
     */
    private record Event(ReportedNotice notice, long subject, PortKeys keys, int pKey) {
        /**
         * Checks whether a port, or one of its virtual ports, shares a partition with the subject of the event, or is
         * the subject. The same applies to trusted subscribers.
         *
         * @param portGuid GUID of the subscriber's port
         * @param others P_Keys of this port
         * @param ofVPorts P_Keys of its virtual ports
         */
        boolean isVisibleTo(long portGuid, PortKeys others, PartitionSet ofVPorts) {
            if (pKey != NO_P_KEY) {
                return others.isIn(pKey) || ofVPorts.isIn(pKey);
            }
            return subject == portGuid || keys.length() == 0 || others.sharesWith(keys) || ofVPorts.sharesWith(keys);
        }
    }

    /** The addresses and names of subscribers, from the current subnet. */
    private final class SubnetDirectory implements Reports.Directory {
        @Override
        public @Nullable MadAddress address(Subscriber subscriber) {
            PortsInService current = ports;
            int port = current == null ? Fabric.NONE : current.port(subscriber.portGuid());
            return current == null || port == Fabric.NONE || !subscriptions.hasSubscription(subscriber)
                    ? null
                    : address(current.view(), port, subscriber);
        }

        private @Nullable MadAddress address(PublishedView view, int port, Subscriber to) {
            Subnet subnet = view.subnet();
            int own = subnet.fabric().localPort();
            int sl = own == port
                    ? settings.get().smSl()
                    : view.plan()
                            .pathSl(
                                    subnet.lid(own),
                                    subnet.lid(port),
                                    settings.get().smSl());
            PortKeys keys = view.partitions().keys(own);
            GlobalRoute grh = to.grh();
            PortKeys ofVPort =
                    grh == null ? null : vports.get().keysOf(grh.gid().guid());
            PortKeys others = ofVPort == null ? view.partitions().keys(port) : ofVPort;
            int index = keys.indexOf(keys.sharedWith(others));
            int ownLid = grh == null ? 0 : vports.get().lidOf(grh.gid().guid());
            int lid = subnet.isVPortLidOf(port, ownLid) ? ownLid : subnet.lid(port);
            return sl < 0 ? null : new MadAddress(lid, to.qpn(), sl, Math.max(0, index), 0, to.grh());
        }

        @Override
        public DeviceText name(Subscriber subscriber) {
            PortsInService current = ports;
            int port = current == null ? Fabric.NONE : current.port(subscriber.portGuid());
            if (current == null || port == Fabric.NONE) {
                return DeviceText.ofDevice(subscriber.toString(), EventField.GUID.of(subscriber.portGuid()));
            }
            DeviceText device = current.view().subnet().devicePort(port);
            return device.withText(device + ", " + subscriber);
        }
    }

    private final Loop loop;
    private final Subscriptions subscriptions;
    private final Supplier<Settings> settings;
    private final Supplier<VPortGuids> vports;
    private final Reports reports;
    private final ArrayDeque<Event> events = new ArrayDeque<>();

    /** Subscriptions that are not yet matched with the first event. */
    private List<Subscription> remainingSubscriptions = List.of();

    /** True if {@link #matchNext} is scheduled. */
    private boolean isMatchScheduled;

    /** The ports of the last published subnet; null while no event may be reported. */
    private @Nullable PortsInService ports;

    private MulticastView groups = MulticastView.EMPTY;

    /**
     * Creates a reporter, which reports from the second published subnet on.
     *
     * @param seed start of the transaction IDs, random in production
     * @param settings supplier of the current settings
     * @param vports supplier of the current virtual ports, whose subscriptions have the LID of their port
     */
    public EventReporter(
            Loop loop,
            Wire wire,
            int seed,
            Supplier<Settings> settings,
            Subscriptions subscriptions,
            Supplier<VPortGuids> vports) {
        this.loop = loop;
        this.settings = settings;
        this.vports = vports;
        this.subscriptions = subscriptions;
        this.reports = new Reports(
                loop,
                wire::send,
                seed,
                () -> new Reports.RetryPolicy(
                        settings.get().timeoutMs(), settings.get().retries()),
                subscriptions,
                new SubnetDirectory());
    }

    /** Returns the counters. Any thread. */
    public ReportStats stats() {
        return reports.stats();
    }

    /**
     * Receives responses to Reports, and Reports that the port returns as undeliverable. Any thread; does not block.
     *
     * @return false for any other frame
     */
    public boolean received(MadFrame frame) {
        return reports.received(frame);
    }

    /**
     * Reports the changes of a published subnet.
     *
     * @param nowGroups the current groups
     */
    public void published(PublishedView view, MulticastView nowGroups) {
        loop.requireInLoop();
        PortsInService previous = ports;
        PortsInService current = new PortsInService(view);
        ports = current;
        if (settings.get().dropsSubscriptions()) {
            int dropped = subscriptions.dropWhere(guid -> current.port(guid) == Fabric.NONE);
            if (dropped > 0) {
                EVENTS.report(SmEvent.SUBSCRIPTIONS_DROPPED, EventField.COUNT.of(dropped));
            }
        }
        if (previous == null) {
            groups = nowGroups;
            return;
        }
        previous.missingIn(current).forEach(guid -> reportPort(Notice.TRAP_GID_OUT_OF_SERVICE, guid, previous));
        current.missingIn(previous).forEach(guid -> reportPort(Notice.TRAP_GID_IN_SERVICE, guid, current));
        published(nowGroups);
    }

    /** Reports that a port appeared or vanished, with its P_Keys in a subnet that has the port. */
    private void reportPort(int trapNumber, long guid, PortsInService known) {
        PublishedView view = known.view();
        Gid gid = new Gid(view.subnet().gidPrefix(), guid);
        PortKeys keys = view.partitions().keys(known.port(guid));
        report(new Event(ownNotice(trapNumber, gid), guid, keys, NO_P_KEY));
    }

    /** Reports the changes of multicast groups. */
    public void published(MulticastView nowGroups) {
        loop.requireInLoop();
        if (ports == null) {
            return;
        }
        MulticastView previous = groups;
        groups = nowGroups;
        missing(previous, nowGroups).forEach(group -> reportGroup(Notice.TRAP_GROUP_DELETED, group));
        missing(nowGroups, previous).forEach(group -> reportGroup(Notice.TRAP_GROUP_CREATED, group));
    }

    /** Returns the groups of {@code from} that {@code current} lacks. */
    private static List<MulticastGroup> missing(MulticastView from, MulticastView current) {
        Set<Gid> presentMgids =
                current.groups().stream().map(MulticastGroup::mgid).collect(Collectors.toSet());
        return from.groups().stream()
                .filter(group -> !presentMgids.contains(group.mgid()))
                .toList();
    }

    private void reportGroup(int trapNumber, MulticastGroup group) {
        report(new Event(
                ownNotice(trapNumber, group.mgid()),
                0,
                PortKeys.NONE,
                group.record().pKey()));
    }

    /** Returns a notice of this SM. */
    private ReportedNotice ownNotice(int trapNumber, Gid gid) {
        PortsInService current = Objects.requireNonNull(ports);
        Subnet subnet = current.view().subnet();
        return ReportedNotice.of(
                Notice.ofSubnet(trapNumber, subnet.smLid(), gid),
                new Gid(subnet.gidPrefix(), current.view().smPortGuid()));
    }

    /**
     * Forwards a trap on which the SM acted. Traps of links with errors are not forwarded, because there can be
     * thousands and the SM logs them. Traps from an unassigned LID are not forwarded, because a subscriber could not
     * identify the port.
     */
    public void forward(Notice notice) {
        loop.requireInLoop();
        PortsInService current = ports;
        int port = current == null ? Fabric.NONE : current.view().subnet().portOfLid(notice.issuerLid());
        if (current == null || port == Fabric.NONE || notice.isAboutLink()) {
            return;
        }
        Subnet subnet = current.view().subnet();
        long guid = subnet.fabric().portGuid(port);
        report(new Event(
                ReportedNotice.of(notice, new Gid(subnet.gidPrefix(), guid)),
                guid,
                current.view().partitions().keys(port),
                NO_P_KEY));
    }

    /** Queues an event to be matched. */
    private void report(Event event) {
        if (subscriptions.view().isEmpty()) {
            return;
        }
        if (events.size() >= MAX_EVENTS) {
            events.remove();
            remainingSubscriptions = subscriptions.view();
            reports.countDropped();
        }
        events.add(event);
        if (events.size() == 1) {
            remainingSubscriptions = subscriptions.view();
        }
        if (!isMatchScheduled) {
            isMatchScheduled = true;
            loop.execute(this::matchNext);
        }
    }

    /** Matches the first event with at most {@link #MATCHES_PER_TURN} subscriptions, and continues in another turn. */
    private void matchNext() {
        isMatchScheduled = false;
        Event event = events.peek();
        PortsInService current = ports;
        if (event == null || current == null) {
            return;
        }
        List<Subscription> batch =
                remainingSubscriptions.subList(0, Math.min(remainingSubscriptions.size(), MATCHES_PER_TURN));
        remainingSubscriptions = remainingSubscriptions.subList(batch.size(), remainingSubscriptions.size());
        for (Subscription subscription : batch) {
            if (subscription.matches(event.notice())) {
                sendIfPermitted(event, subscription, current);
            }
        }
        if (remainingSubscriptions.isEmpty()) {
            events.remove();
            remainingSubscriptions = subscriptions.view();
        }
        if (!events.isEmpty()) {
            isMatchScheduled = true;
            loop.execute(this::matchNext);
        }
    }

    /** Sends a Report, if the subscriber's port is in service and its partitions permit it. */
    private void sendIfPermitted(Event event, Subscription to, PortsInService current) {
        long guid = to.subscriber().portGuid();
        int port = current.port(guid);
        if (port != Fabric.NONE
                && event.isVisibleTo(
                        guid,
                        current.view().partitions().keys(port),
                        vports.get().keysAt(guid))) {
            reports.send(to, event.notice());
        }
    }

    /**
     * Ends reporting with the mastership or the process, until the first published subnet of the next mastership. Drops
     * waiting events and Reports.
     */
    public void end() {
        loop.requireInLoop();
        ports = null;
        groups = MulticastView.EMPTY;
        events.clear();
        remainingSubscriptions = List.of();
        reports.cancel();
    }
}
