package io.torussm.sweep;

import io.torussm.deadlock.RoutingChain;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.DrPath;
import io.torussm.mastership.MasterAuthority;
import io.torussm.partition.PartitionSettings;
import io.torussm.program.GroupProgrammer;
import io.torussm.program.GuidProgrammer;
import io.torussm.program.NonCompliantPorts;
import io.torussm.program.PartitionProgrammer;
import io.torussm.program.TableProgrammer;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How things stand between sweeps: what one leaves to the next. Owner thread: the loop, except for {@link #view} and the
 * counters, which any thread may read.
 */
public final class SweepState {
    private static final int MAX_LATER = 1 << 10;

    final TableProgrammer programmer;
    final PartitionProgrammer partitionProgrammer = new PartitionProgrammer();
    final GroupProgrammer groups;
    final GuidProgrammer guids;
    final NonCompliantPorts stubborn = new NonCompliantPorts();

    /** Paths whose SL changed from one published subnet to the next. */
    final AtomicLong slChanges = new AtomicLong();

    /** How often routes were computed. */
    final AtomicLong routings = new AtomicLong();

    /** What sweeps there were. */
    final SweepCounts counts = new SweepCounts();

    /** Null until the first subnet is up. */
    volatile @Nullable PublishedView view;

    /** Who decides whether this SM may sweep and write. */
    MasterAuthority authority = MasterAuthority.ALONE;

    /** NodeGUIDs of switches that have to be read again. */
    final Set<Long> changed = new LinkedHashSet<>();

    /** Whether the whole fabric has to be swept. */
    boolean isHeavyDue;

    /** As the fabric was read last; null if it has to be read as a whole. */
    @Nullable
    Fabric known;

    /** Ways to ports that did not answer. */
    List<DrPath> silent = List.of();

    /** With the addresses that the last sweep gave; null before the first. */
    @Nullable
    public Subnet assigned;

    /** With the files as the last heavy sweep found them. */
    @Nullable
    RoutingChain chain;

    /** With the file as the last heavy sweep found it. */
    @Nullable
    PartitionSettings partitions;

    /** Whether the last sweep left something to do. */
    boolean isIncomplete;

    /** Whether the last sweep ended because it had no authority. */
    boolean isHeld;

    /** Whether another SM has ruled here: its LIDs stay as they are. */
    boolean isTakingOver;

    /** Whether clients are to be asked for all that they registered with another SM. */
    boolean mustReregister;

    /** Links that rose and have not been seen steady since. */
    final UnconfirmedLinks risen = new UnconfirmedLinks();

    /** Changes that were read while a sweep ran. */
    private final List<UnaryOperator<Fabric>> later = new ArrayList<>();

    SweepState(SweepContext parts) {
        programmer = new TableProgrammer(parts.vlArbitration(), parts.loop(), parts.pool());
        guids = new GuidProgrammer(parts.client(), parts.aliases());
        groups = new GroupProgrammer(
                parts.client(),
                parts.loop(),
                programmer,
                parts.memberships(),
                () -> isIncomplete = true,
                parts.listener()::multicastProgrammed);
    }

    /** A switch reports a change: what is behind links that rose there may have forgotten what was written to it. */
    void suspectWhatRoseAt(long switchGuid) {
        risen.suspects(switchGuid).forEach(programmer::forget);
    }

    /** What devices hold is not known any more. */
    void forgetDevices() {
        programmer.forgetAll();
        partitionProgrammer.forgetAll();
    }

    /** What is known, and published, is changed; not its ports and cables, so that routes and addresses stay. */
    void renew(UnaryOperator<Fabric> change) {
        Fabric before = known;
        PublishedView published = view;
        Subnet addressed = assigned;
        known = before == null ? null : change.apply(before);
        view = published == null
                ? null
                : published.on(change.apply(published.subnet().fabric()));
        assigned = addressed == null ? null : addressed.with(change.apply(addressed.fabric()));
    }

    /** A change that waits for the end of a sweep; if too many do, the fabric is read anew. */
    void renewLater(UnaryOperator<Fabric> change) {
        if (later.size() < MAX_LATER) {
            later.add(change);
        } else {
            isHeavyDue = true;
        }
    }

    /** The sweep that ran is over. */
    void renewNow() {
        List<UnaryOperator<Fabric>> due = List.copyOf(later);
        later.clear();
        due.forEach(this::renew);
    }

    /** Another SM rules, and whatever this one knows will be out of date when it rules again. */
    void giveWay() {
        forgetDevices();
        view = null;
        known = null;
        risen.clear();
        later.clear();
        changed.clear();
        isHeavyDue = false;
        isIncomplete = true;
        isTakingOver = true;
    }
}
