package io.torussm.sim;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.topology.Hardware;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The multicast groups of a host, as the Linux kernel treats them (ib_core's multicast.c and IPoIB). A group stays
 * joined, even if the subnet manager has lost it, until one of four events: the port becomes ACTIVE, its LID changes,
 * MasterSMLID changes, or the subnet manager requests ClientReregister. Then every group is joined again. A join that
 * times out after 3 s, or is rejected, is repeated after a pause of 1 s that doubles up to 16 s. Each group has one
 * request in flight.
 *
 * <p>Owner thread: the loop.
 */
public final class GroupClient {
    /** ff12:401b:ffff::ffff:ffff, which every IPoIB interface of the default partition joins. */
    public static final Gid IPOIB_BROADCAST = new Gid(0xff12_401b_ffff_0000L, 0x0000_0000_ffff_ffffL);

    private static final long RESPONSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(3);
    private static final int MAX_PAUSE_S = 16;
    private static final int LEAVE_TRIES = 3;
    private static final int NO_RESPONSE = -1;
    private static final int Q_KEY = 0x0b1b;
    /** Selectors of a request: exactly 2048 bytes and 10 Gb/s, which IPoIB copies from the broadcast group. */
    private static final int EXACTLY = 2;

    private static final int RATE_10 = 3;
    private static final long IPOIB_SIGNATURE = 0x401bL;

    private final SimPort port;
    private final Loop loop;
    private final BiConsumer<SimPort, MadFrame> wire;
    /** The wish of each group, by MGID as text, so that replays have the same order. */
    private final Map<String, GroupRequest> requests = new TreeMap<>();

    private long nextTid;
    private long events;

    /** The actions of the subnet manager at a port that its host detects. */
    enum Event {
        PORT_ACTIVE,
        LID_CHANGE,
        SM_CHANGE,
        CLIENT_REREGISTER
    }

    /** The wish of the host to join (Set) or leave (Delete) a group. */
    private final class GroupRequest {
        final Gid mgid;
        final int method;
        /** True after the SA has confirmed it. */
        boolean isConfirmed;

        long tid;
        int pauseS = 1;
        int tries;
        int lastStatus = NO_RESPONSE;
        Loop.@Nullable Timer timer;

        /** A later wish for this group, which waits for the end of the request in flight; null without a later wish. */
        @Nullable
        GroupRequest next;

        GroupRequest(Gid mgid, int method) {
            this.mgid = mgid;
            this.method = method;
        }

        /** Sends the request, if the port is ACTIVE and has an SM. */
        void send() {
            cancelTimer();
            if (!port.isActive() || port.get(PortInfo.MASTER_SM_LID) == 0) {
                return; // the event PORT_ACTIVE or SM_CHANGE sends it later
            }
            tries++;
            tid = ++nextTid;
            timer = loop.schedule(RESPONSE_TIMEOUT_NS, this::retry);
            wire.accept(port, new MadFrame(masterSm(), request(this)));
        }

        void retry() {
            cancelTimer();
            tid = 0;
            if (next != null) {
                startLatest();
            } else if (method == Method.DELETE && tries >= LEAVE_TRIES) {
                requests.remove(mgid.toString(), this);
            } else {
                timer = loop.schedule(TimeUnit.SECONDS.toNanos(pauseS), this::send);
                pauseS = Math.min(MAX_PAUSE_S, 2 * pauseS);
            }
        }

        void handleResponse(int status) {
            cancelTimer();
            tid = 0;
            lastStatus = status;
            if (next != null) {
                startLatest();
            } else if (method == Method.DELETE) {
                requests.remove(mgid.toString(), this);
            } else if (status == MadStatus.OK) {
                isConfirmed = true;
                pauseS = 1;
            } else {
                retry();
            }
        }

        /** Replaces this wish by the last one of its group, and begins that. */
        void startLatest() {
            cancelTimer();
            requests.put(mgid.toString(), latest());
            latest().begin();
        }

        /** Returns the last wish of this group. */
        GroupRequest latest() {
            return next == null ? this : next;
        }

        void begin() {
            isConfirmed = false;
            lastStatus = NO_RESPONSE;
            pauseS = 1;
            tries = 0;
            send();
        }

        void cancelTimer() {
            if (timer != null) {
                timer.cancel();
                timer = null;
            }
        }
    }

    /**
     * Creates a host without groups.
     *
     * @param wire sends a MAD from a port
     */
    GroupClient(SimPort port, Loop loop, BiConsumer<SimPort, MadFrame> wire) {
        this.port = port;
        this.loop = loop;
        this.wire = wire;
        nextTid = 0x6a6f_696e_0000_0000L | (port.portGuid & 0xffff) << 16;
    }

    /** Joins a group as a full member. The SA creates the group if it does not exist, except the broadcast group. */
    public void join(Gid mgid) {
        replaceRequest(new GroupRequest(mgid, Method.SET));
    }

    /** Leaves a group. */
    public void leave(Gid mgid) {
        replaceRequest(new GroupRequest(mgid, Method.DELETE));
    }

    private void replaceRequest(GroupRequest wish) {
        loop.requireInLoop();
        GroupRequest previous = requests.get(wish.mgid.toString());
        if (previous != null && previous.tid != 0) {
            previous.next = wish;
            return;
        }
        if (previous != null) {
            previous.cancelTimer();
        }
        requests.put(wish.mgid.toString(), wish);
        wish.begin();
    }

    /** Removes all groups without a request, like a host that loses power. */
    public void clear() {
        loop.requireInLoop();
        requests.values().forEach(GroupRequest::cancelTimer);
        requests.clear();
    }

    /** Returns the groups that the host wants to be a member of. */
    public Set<Gid> wantedGroups() {
        return mgids(false);
    }

    /** Returns the groups that the host considers joined: the SA confirmed them since the last event. */
    public Set<Gid> joinedGroups() {
        return mgids(true);
    }

    private Set<Gid> mgids(boolean onlyMet) {
        Set<Gid> mgids = new TreeSet<>(Comparator.comparing(Gid::toString));
        requests.values().stream()
                .map(GroupRequest::latest)
                .filter(wish -> wish.method == Method.SET && (wish.isConfirmed || !onlyMet))
                .forEach(wish -> mgids.add(wish.mgid));
        return mgids;
    }

    /** Returns the number of events after which the host joined all groups again. */
    public long events() {
        return events;
    }

    /** Handles an event. The groups are joined after the response to the Set of the subnet manager. */
    void handleEvent(Event event) {
        events++;
        loop.execute(() -> {
            if (event != Event.PORT_ACTIVE || port.isActive()) {
                List.copyOf(requests.values()).forEach(GroupRequest::startLatest);
            }
        });
    }

    /** Handles the response to a request of this object. Returns false for any other MAD. */
    boolean handleResponse(byte[] mad) {
        if (MadHeader.mgmtClass(mad) != MgmtClass.SUBN_ADM || !MadHeader.isResponse(mad)) {
            return false;
        }
        for (GroupRequest wish : requests.values()) {
            if (wish.tid != 0 && wish.tid == MadHeader.tid(mad)) {
                wish.handleResponse(MadHeader.status(mad));
                return true;
            }
        }
        return false;
    }

    /** Returns the wishes, the number of requests since the last event, and the status of the last response. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (GroupRequest wish : requests.values()) {
            text.append(wish.method == Method.SET ? "join " : "leave ")
                    .append(wish.mgid)
                    .append(wish.isConfirmed ? " met" : " asked " + wish.tries + " times")
                    .append(wish.lastStatus == NO_RESPONSE ? "" : ", status " + wish.lastStatus)
                    .append("; ");
        }
        return text.toString();
    }

    private MadAddress masterSm() {
        return new MadAddress(port.get(PortInfo.MASTER_SM_LID), 1, port.get(PortInfo.MASTER_SM_SL), 0);
    }

    /** Returns a request as IPoIB sends it: few components for the broadcast group, all to create another group. */
    private byte[] request(GroupRequest wish) {
        boolean isBroadcast = wish.mgid.equals(IPOIB_BROADCAST);
        long mask = mask(MCMemberRecord.MGID, MCMemberRecord.PORT_GID, MCMemberRecord.JOIN_STATE);
        if (wish.method == Method.SET) {
            mask |= mask(MCMemberRecord.P_KEY);
            mask |= isBroadcast
                    ? 0
                    : mask(
                            MCMemberRecord.Q_KEY,
                            MCMemberRecord.MTU_SELECTOR,
                            MCMemberRecord.MTU,
                            MCMemberRecord.RATE_SELECTOR,
                            MCMemberRecord.RATE,
                            MCMemberRecord.T_CLASS,
                            MCMemberRecord.SL,
                            MCMemberRecord.FLOW_LABEL);
        }
        byte[] mad = SaMad.request(wish.method, wish.tid, MCMemberRecord.TYPE.id(), 0, mask);
        MCMemberRecord.TYPE
                .zero()
                .with(MCMemberRecord.MGID, wish.mgid)
                .with(MCMemberRecord.PORT_GID, new Gid(PortInfo.GID_PREFIX.get(port.info, 0), port.portGuid))
                .with(MCMemberRecord.JOIN_STATE, MCMemberRecord.FULL_MEMBER)
                .with(MCMemberRecord.Q_KEY, Q_KEY)
                .with(MCMemberRecord.MTU_SELECTOR, EXACTLY)
                .with(MCMemberRecord.MTU, Hardware.MTU_2048)
                .with(MCMemberRecord.RATE_SELECTOR, EXACTLY)
                .with(MCMemberRecord.RATE, RATE_10)
                .with(MCMemberRecord.P_KEY, pKey(wish.mgid))
                .write(mad, SaMad.DATA_OFFSET);
        return mad;
    }

    private static long mask(Field... fields) {
        long mask = 0;
        for (Field field : fields) {
            mask |= MCMemberRecord.COMPONENTS.bit(field);
        }
        return mask;
    }

    /** Returns the P_Key in the MGID of an IPoIB group (RFC 4391); for another group, the default P_Key. */
    private static int pKey(Gid mgid) {
        boolean isIp = (mgid.prefix() >>> 32 & 0xffff) == IPOIB_SIGNATURE;
        return isIp ? (int) (mgid.prefix() >>> 16 & 0xffff) : 0xffff;
    }
}
