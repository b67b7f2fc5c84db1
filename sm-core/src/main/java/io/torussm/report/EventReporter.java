package io.torussm.report;

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
import io.torussm.partition.PortKeys;
import io.torussm.report.Subscription.Subscriber;
import io.torussm.subnet.Subnet;
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
 * Reports to subscribers what happens in the subnet (IBA 13.4.11, 14.2.5.1): ports that come and go (64, 65), multicast
 * groups that are created and deleted (66, 67), and the traps that the SM takes.
 *
 * <p>The content of the first published subnet of a mastership is not reported: this SM saw none of it happen, and
 * subscribers that have waited through a restart or a takeover would take every port for a new one. OpenSM does the
 * same. So nothing at all is reported before that.
 *
 * <p>Events wait in a queue and are matched with the subscriptions a few at a time, so that the loss of half a
 * fabric, which thousands want to hear of, does not keep the loop busy for seconds.
 *
 * <p>Owner thread: the loop, except for {@link #received} and {@link #stats}, which any thread may call.
 */
public final class EventReporter {
    private static final EventLog EVENTS = EventLog.of(EventReporter.class);

    /** Events that may wait: as many as there are end ports in the largest subnet. Beyond, the oldest is dropped. */
    private static final int MAX_EVENTS = 1 << 16;

    /** Subscriptions that are looked at in one turn of the loop. */
    private static final int MATCHES_PER_TURN = 4096;

    private static final int NO_P_KEY = 0;

    /** Sends Reports, and knows how long an answer is awaited; as {@code MadClient} does. */
    public interface Wire {
        /** False if it could not be sent. */
        boolean send(MadFrame frame, int responseTimeoutMs);
    }

    /**
     * What the operator decided.
     *
     * @param timeoutMs wait for an answer at least
     * @param retries how often a Report is sent again
     * @param smSl SL wanted
     * @param dropsSubscriptions whether subscriptions end with the ports that hold them
     */
    public record Settings(int timeoutMs, int retries, int smSl, boolean dropsSubscriptions) {}

    /**
     * Something that happened.
     *
     * @param subject GUID of the port that it is about; 0 for none
     * @param keys of that port
     * @param pKey of the multicast group that it is about; 0 for none
     */
    private record Event(ReportedNotice notice, long subject, PortKeys keys, int pKey) {
        /** Whether a port shares a partition with what this is about, or is it. The trusted are no exception. */
        boolean mayBeToldTo(long portGuid, PortKeys others) {
            if (pKey != NO_P_KEY) {
                return others.isIn(pKey);
            }
            return subject == portGuid || keys.length() == 0 || others.sharesWith(keys);
        }
    }

    /** Looks ports up, and lets the subscriptions say who wants anything. */
    private final class Whereabouts implements Reports.Directory {
        @Override
        public @Nullable MadAddress address(Subscriber subscriber) {
            PortsInService now = ports;
            int port = now == null ? Fabric.NONE : now.port(subscriber.portGuid());
            return now == null || port == Fabric.NONE || !subscriptions.holds(subscriber)
                    ? null
                    : address(now.view(), port, subscriber);
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
            int index = keys.indexOf(keys.sharedWith(view.partitions().keys(port)));
            return sl < 0 ? null : new MadAddress(subnet.lid(port), to.qpn(), sl, Math.max(0, index), 0, to.grh());
        }

        @Override
        public DeviceText name(Subscriber subscriber) {
            PortsInService now = ports;
            int port = now == null ? Fabric.NONE : now.port(subscriber.portGuid());
            if (now == null || port == Fabric.NONE) {
                return DeviceText.named(subscriber.toString(), EventField.GUID.of(subscriber.portGuid()));
            }
            DeviceText device = now.view().subnet().devicePort(port);
            return device.as(device + ", " + subscriber);
        }
    }

    private final Loop loop;
    private final Subscriptions subscriptions;
    private final Supplier<Settings> settings;
    private final Reports reports;
    private final ArrayDeque<Event> events = new ArrayDeque<>();

    /** The subscriptions that the first event was not compared with yet. */
    private List<Subscription> left = List.of();

    private boolean isMatching;

    /** Null while nothing may be reported. */
    private @Nullable PortsInService ports;

    private MulticastView groups = MulticastView.EMPTY;

    /**
     * Creates a reporter that reports nothing yet.
     *
     * @param seed where transaction IDs begin; random in production
     */
    public EventReporter(Loop loop, Wire wire, int seed, Supplier<Settings> settings, Subscriptions subscriptions) {
        this.loop = loop;
        this.settings = settings;
        this.subscriptions = subscriptions;
        this.reports = new Reports(
                loop,
                wire::send,
                seed,
                () -> new Reports.Patience(
                        settings.get().timeoutMs(), settings.get().retries()),
                subscriptions,
                new Whereabouts());
    }

    /** The counters; from any thread. */
    public ReportStats stats() {
        return reports.stats();
    }

    /**
     * Takes answers to Reports, and Reports that came back; from any thread, without blocking.
     *
     * @return whether the frame was one of those
     */
    public boolean received(MadFrame frame) {
        return reports.received(frame);
    }

    /**
     * A subnet is up.
     *
     * @param nowGroups the groups that there are
     */
    public void published(PublishedView view, MulticastView nowGroups) {
        loop.check();
        PortsInService before = ports;
        PortsInService now = new PortsInService(view);
        ports = now;
        if (settings.get().dropsSubscriptions()) {
            int dropped = subscriptions.dropWhere(guid -> now.port(guid) == Fabric.NONE);
            if (dropped > 0) {
                EVENTS.report(SmEvent.SUBSCRIPTIONS_DROPPED, EventField.COUNT.of(dropped));
            }
        }
        if (before == null) {
            groups = nowGroups;
            return;
        }
        before.goneIn(now).forEach(guid -> port(Notice.TRAP_GID_OUT_OF_SERVICE, guid, before));
        now.goneIn(before).forEach(guid -> port(Notice.TRAP_GID_IN_SERVICE, guid, now));
        published(nowGroups);
    }

    private void port(int trapNumber, long guid, PortsInService known) {
        PublishedView view = known.view();
        Gid gid = new Gid(view.subnet().gidPrefix(), guid);
        PortKeys keys = view.partitions().keys(known.port(guid));
        report(new Event(own(trapNumber, gid), guid, keys, NO_P_KEY));
    }

    /** Multicast groups changed. */
    public void published(MulticastView nowGroups) {
        loop.check();
        if (ports == null) {
            return;
        }
        MulticastView before = groups;
        groups = nowGroups;
        missing(before, nowGroups).forEach(group -> group(Notice.TRAP_GROUP_DELETED, group));
        missing(nowGroups, before).forEach(group -> group(Notice.TRAP_GROUP_CREATED, group));
    }

    /** Groups that another view does not have. */
    private static List<MulticastGroup> missing(MulticastView from, MulticastView in) {
        Set<Gid> there = in.groups().stream().map(MulticastGroup::mgid).collect(Collectors.toSet());
        return from.groups().stream()
                .filter(group -> !there.contains(group.mgid()))
                .toList();
    }

    private void group(int trapNumber, MulticastGroup group) {
        report(new Event(
                own(trapNumber, group.mgid()), 0, PortKeys.NONE, group.record().pKey()));
    }

    /** A notice of this SM. */
    private ReportedNotice own(int trapNumber, Gid gid) {
        PortsInService now = Objects.requireNonNull(ports);
        Subnet subnet = now.view().subnet();
        return ReportedNotice.of(
                Notice.ofSubnet(trapNumber, subnet.smLid(), gid),
                new Gid(subnet.gidPrefix(), now.view().smPortGuid()));
    }

    /**
     * Forwards a trap that the SM acted on. Not those of links that make errors: they come in thousands, and the SM reports
     * them in its own log. Not those of a LID that no port has: no subscriber could know whose they are.
     */
    public void forward(Notice notice) {
        loop.check();
        PortsInService now = ports;
        int port = now == null ? Fabric.NONE : now.view().subnet().portOfLid(notice.issuerLid());
        if (now == null || port == Fabric.NONE || notice.isAboutLink()) {
            return;
        }
        Subnet subnet = now.view().subnet();
        long guid = subnet.fabric().portGuid(port);
        report(new Event(
                ReportedNotice.of(notice, new Gid(subnet.gidPrefix(), guid)),
                guid,
                now.view().partitions().keys(port),
                NO_P_KEY));
    }

    private void report(Event event) {
        if (subscriptions.view().isEmpty()) {
            return;
        }
        if (events.size() >= MAX_EVENTS) {
            events.remove();
            left = subscriptions.view();
            reports.countDropped();
        }
        events.add(event);
        if (events.size() == 1) {
            left = subscriptions.view();
        }
        if (!isMatching) {
            isMatching = true;
            loop.execute(this::match);
        }
    }

    /** Compares the first event with some of the subscriptions, and goes on in another turn. */
    private void match() {
        isMatching = false;
        Event event = events.peek();
        PortsInService now = ports;
        if (event == null || now == null) {
            return;
        }
        List<Subscription> some = left.subList(0, Math.min(left.size(), MATCHES_PER_TURN));
        left = left.subList(some.size(), left.size());
        for (Subscription one : some) {
            if (one.matches(event.notice())) {
                offer(event, one, now);
            }
        }
        if (left.isEmpty()) {
            events.remove();
            left = subscriptions.view();
        }
        if (!events.isEmpty()) {
            isMatching = true;
            loop.execute(this::match);
        }
    }

    private void offer(Event event, Subscription to, PortsInService now) {
        long guid = to.subscriber().portGuid();
        int port = now.port(guid);
        if (port != Fabric.NONE
                && event.mayBeToldTo(guid, now.view().partitions().keys(port))) {
            reports.send(to, event.notice());
        }
    }

    /** This SM is master no more, or ends: nothing is reported until the first subnet of its next mastership is up. */
    public void end() {
        loop.check();
        ports = null;
        groups = MulticastView.EMPTY;
        events.clear();
        left = List.of();
        reports.cancel();
    }
}
