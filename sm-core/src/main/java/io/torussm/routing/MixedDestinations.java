package io.torussm.routing;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where packets may be sent while tables change, and what the switches hold for it before and after: the LIDs of the new
 * plan, in groups that all switches forward alike in both, and LIDs that only the plan in force knows, since sources do not
 * stop sending to them at once. Immutable.
 */
final class MixedDestinations {
    private static final byte NO_PATH = (byte) LinearForwardingTable.NO_PATH;

    private final Channels channels;
    private final @Nullable RoutingPlan before;

    /** By switch, all of one length, behind which no LID is. A switch that nobody depends on holds the new table. */
    final byte[][] held;

    final byte[][] wanted;

    /** By link: whether packets pass it. */
    private final boolean[] isUp;

    private final DestinationGroups groups;

    /** LIDs that only the plan in force knows. */
    private final int[] vanished;

    /** By switch, the index that it has in the plan in force. */
    private final int[] indexBefore;

    MixedDestinations(Channels channels, HeldTables tables, @Nullable RoutingPlan before, int tasks) {
        this.channels = channels;
        this.before = before;
        isUp = new boolean[channels.linkTo.length];
        for (int link = 0; link < isUp.length; link++) {
            int port = channels.linkPort(link);
            isUp[link] = tables.isUp(port) && tables.isUp(channels.fabric.peer(port));
        }
        Subnet subnet = channels.subnet;
        int top = Math.max(subnet.topLid(), before == null ? 0 : before.subnet().topLid());
        held = new byte[channels.switchCount][];
        wanted = new byte[channels.switchCount][];
        for (int sw = 0; sw < held.length; sw++) {
            byte[] now = tables.lft(sw);
            wanted[sw] = padded(channels.plan.lft(sw), top + 1);
            held[sw] = now == null ? wanted[sw] : padded(now, top + 1);
        }
        byte[][] both = Arrays.copyOf(held, 2 * held.length);
        System.arraycopy(wanted, 0, both, held.length, held.length);
        groups = new DestinationGroups(channels, both, tasks, this::isForwardedAtHome);
        vanished = before == null
                ? new int[0]
                : IntStream.rangeClosed(1, before.subnet().topLid())
                        .filter(lid -> before.subnet().switchOfLid(lid) != Fabric.NONE)
                        .filter(lid -> subnet.switchOfLid(lid) == Fabric.NONE)
                        .toArray();
        indexBefore = new int[channels.switchCount];
        for (int sw = 0; sw < indexBefore.length; sw++) {
            int index =
                    before == null ? Fabric.NONE : before.subnet().fabric().nodeByGuid(channels.fabric.nodeGuid(sw));
            boolean isSwitch = index != Fabric.NONE
                    && before != null
                    && before.subnet().fabric().isSwitch(index);
            indexBefore[sw] = isSwitch ? index : Fabric.NONE;
        }
    }

    private static byte[] padded(byte[] lft, int length) {
        if (lft.length == length) {
            return lft;
        }
        byte[] all = Arrays.copyOf(lft, length);
        Arrays.fill(all, Math.min(lft.length, length), length, NO_PATH);
        return all;
    }

    /** Whether the switch that a LID hangs on sends its packets to another one, because the LID was elsewhere before. */
    private boolean isForwardedAtHome(int lid) {
        int home = channels.subnet.switchOfLid(lid);
        return channels.link(home, held[home][lid] & 0xff) != Fabric.NONE;
    }

    /** Whether an entry that changes can wait, or go ahead, without dropping what is not dropped anyway. */
    boolean isDeferred(int sw, byte held, byte wanted) {
        return isLate(sw, held) || isEarly(sw, wanted);
    }

    /** Whether packets are lost as long as a switch holds an entry, because it leads to where nothing is any more. */
    boolean isLate(int sw, byte held) {
        if (held == NO_PATH) {
            return false;
        }
        int port = channels.firstPort[sw] + (held & 0xff);
        return port >= channels.firstPort[sw + 1] || channels.outOfPort[port] == Fabric.NONE || isEarly(sw, held);
    }

    /** Whether packets are lost as soon as a switch has an entry, because it leads to a link that is not up yet. */
    boolean isEarly(int sw, byte wanted) {
        int link = channels.link(sw, wanted & 0xff);
        return link != Fabric.NONE && !isUp[link];
    }

    /** Whether any link between switches carries packets. */
    boolean isAnyLinkUp() {
        for (boolean up : isUp) {
            if (up) {
                return true;
            }
        }
        return false;
    }

    /** Whether any switch that somebody depends on holds another entry than it is to have. */
    boolean isAnyEntryChanged() {
        for (int sw = 0; sw < held.length; sw++) {
            if (!Arrays.equals(held[sw], wanted[sw])) {
                return true;
            }
        }
        return false;
    }

    int count() {
        return groups.count() + vanished.length;
    }

    /** LIDs with the same entries everywhere but at their own switch. */
    int[] members(int index) {
        return index < groups.count() ? groups.members(index) : new int[] {vanished[index - groups.count()]};
    }

    /** The SLs of packets that the end ports of a switch may send there (bit n: SL n). */
    int sls(int index, int sw) {
        if (index < groups.count()) {
            return channels.plan.slMask(sw, groups.destination(index));
        }
        if (before == null || indexBefore[sw] == Fabric.NONE) {
            return 0;
        }
        return before.slMask(indexBefore[sw], before.subnet().switchOfLid(vanished[index - groups.count()]));
    }
}
