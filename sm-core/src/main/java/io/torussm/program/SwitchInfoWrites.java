package io.torussm.program;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadScope;
import io.torussm.transport.SmpRequest;
import java.util.BitSet;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * SwitchInfo of every switch: LinearFDBTop, MulticastFDBTop, LifeTimeValue, and PortStateChange, which is cleared (IBA 14.2.5.4). Owner
 * thread: the loop.
 */
final class SwitchInfoWrites {
    private final Fabric fabric;
    private final int topLid;
    private final DeviceTables[] tables;
    private final SmpRequests requests;
    private final MadScope scope;
    private final int lifeTimeValue;
    private final MulticastWrites multicast;
    private final IntConsumer hasRestarted;
    private final @Nullable SwitchInfo[] confirmed;

    /** Switches that were given a higher LinearFDBTop ahead of their blocks. */
    private final BitSet isRaised = new BitSet();

    /** Switches that reported a change of a port when they were last asked, and forget it now. */
    private final BitSet hasReported = new BitSet();

    /**
     * Writes nothing yet.
     *
     * @param scope that the requests belong to
     * @param lifeTimeValue a time value
     * @param hasRestarted takes a switch that lost what it was given
     */
    SwitchInfoWrites(
            Subnet subnet,
            DeviceTables[] tables,
            SmpRequests requests,
            MadScope scope,
            int lifeTimeValue,
            MulticastWrites multicast,
            IntConsumer hasRestarted) {
        this.fabric = subnet.fabric();
        this.topLid = subnet.topLid();
        this.tables = tables;
        this.requests = requests;
        this.scope = scope;
        this.lifeTimeValue = lifeTimeValue;
        this.multicast = multicast;
        this.hasRestarted = hasRestarted;
        this.confirmed = new SwitchInfo[fabric.switchCount()];
    }

    /** What switches confirmed, by index; null where nothing was written. */
    @Nullable
    SwitchInfo[] confirmed() {
        return confirmed;
    }

    /** Whether a switch reported a change of a port when it was last asked, and forgets it now. */
    boolean hasReported(int sw) {
        return hasReported.get(sw);
    }

    /**
     * Raises LinearFDBTop of a switch that carries no traffic yet, ahead of the blocks that it is to cover, as every SM does:
     * nobody has tried on all devices whether blocks above it can be written. PortStateChange stays as it is. One that shows a top
     * which is high enough is given it all the same: it may have restarted after that was read.
     */
    @Nullable
    SmpRequest<?> raiseTop(int sw) {
        SwitchInfo now = fabric.node(sw).switchInfo();
        if (now == null) {
            return null;
        }
        isRaised.set(sw);
        return set(sw, wanted(sw, now).with(SwitchInfo.PORT_STATE_CHANGE, 0), true);
    }

    /** Writes the rest, once all tables are in place. */
    @Nullable
    SmpRequest<?> write(int sw) {
        SwitchInfo now = fabric.node(sw).switchInfo();
        if (now == null || isRaised.get(sw) && confirmed[sw] == null) {
            return null;
        }
        return isRaised.get(sw) ? requests.get(SwitchInfo.TYPE, sw, 0, held -> afterwards(sw, held)) : write(sw, now);
    }

    /** A switch without the LinearFDBTop that it took was restarted since, and lost what it was given after that, too. */
    private void afterwards(int sw, SwitchInfo now) {
        if (!isTopHighEnough(now)) {
            hasRestarted.accept(sw);
            return;
        }
        SmpRequest<?> rest = write(sw, now);
        if (rest != null) {
            scope.submit(rest);
        }
    }

    /** What is changed of it, if anything; a change of ports that it reports is one from then on that somebody has to look at. */
    private @Nullable SmpRequest<?> write(int sw, SwitchInfo now) {
        if (now.portStateChange()) {
            hasReported.set(sw);
        }
        SwitchInfo wanted = wanted(sw, now);
        if (wanted.equals(now) && !now.portStateChange()) {
            tables[sw].confirmedSwitchInfo(now);
            return null;
        }
        return set(sw, wanted, !isTopHighEnough(now));
    }

    private SwitchInfo wanted(int sw, SwitchInfo now) {
        int multicastTop = multicast.top(sw).orElse((int) now.get(SwitchInfo.MULTICAST_FDB_TOP));
        return now.with(SwitchInfo.LINEAR_FDB_TOP, topLid)
                .with(SwitchInfo.LIFE_TIME_VALUE, lifeTimeValue)
                .with(SwitchInfo.MULTICAST_FDB_TOP, multicastTop);
    }

    private boolean isTopHighEnough(SwitchInfo info) {
        return info.linearFdbTop() >= topLid;
    }

    /** What is above LinearFDBTop is not forwarded, so the proof relies on it; not on the rest of SwitchInfo. */
    private SmpRequest<?> set(int sw, SwitchInfo wanted, boolean raisesTop) {
        tables[sw].confirmedSwitchInfo(null);
        Consumer<SwitchInfo> held = info -> {
            confirmed[sw] = info;
            tables[sw].confirmedSwitchInfo(info);
        };
        return requests.set(sw, wanted, 0, raisesTop ? SmpRequests.Harm.ROUTES : SmpRequests.Harm.NOBODY, held);
    }
}
