package io.torussm.program;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastGroups;
import io.torussm.multicast.MulticastRouter;
import io.torussm.multicast.MulticastView;
import io.torussm.program.table.MulticastWrites;
import io.torussm.program.table.TableProgrammer;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.subnet.Subnet;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The programming of changes of multicast groups between sweeps. It uses the tree of the last programmed plan, even
 * while a sweep discovers or routing is refused. One pass over the switches writes the changes of a burst.
 *
 * <p>A pass and the programming of a sweep exclude each other. A sweep waits for the current pass. Changes during the
 * programming of a sweep are written after the sweep.
 *
 * <p>Owner thread: the loop.
 */
public final class GroupProgrammer {
    private static final EventLog EVENTS = EventLog.of(GroupProgrammer.class);

    /** The time for which a change waits for more changes: longer than a burst, shorter than any time-out of a host. */
    private static final long BATCH_DELAY_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final MadClient client;
    private final Loop loop;
    private final TableProgrammer programmer;
    private final MembershipService memberships;
    private final Programmers.GroupListener listener;

    /** Blocks of MLIDs that are not written yet. */
    private BitSet dueBlocks = new BitSet();

    /**
     * Computes tables along the tree of the last programmed plan; null before {@link #adopt} and after {@link
     * #suspend}.
     */
    private @Nullable MulticastRouter router;

    /** True if the last plan had multicast; null before the first plan. */
    private @Nullable Boolean wasMulticastEnabled;

    /** Number of MLIDs that the switches support. */
    private int capacity = MulticastGroups.MAX_MLIDS;

    /** Scope of the current pass; null if no pass runs. */
    private @Nullable MadScope pass;

    private Loop.@Nullable Timer timer;

    /** Continuation of a sweep that waits for the current pass; null if none waits. */
    private @Nullable Runnable waitingSweep;

    private boolean isSweepProgramming;

    /** Creates a programmer, which is idle until {@link #adopt}. */
    GroupProgrammer(
            MadClient client,
            Loop loop,
            TableProgrammer programmer,
            MembershipService memberships,
            Programmers.GroupListener listener) {
        this.client = client;
        this.loop = loop;
        this.programmer = programmer;
        this.memberships = memberships;
        this.listener = listener;
        memberships.whenChanged(this::onGroupsChange);
    }

    /**
     * Adopts a plan that a sweep is about to program. Ports that the plan lacks leave their groups after a time.
     *
     * @param newRouter computes tables along the tree of the plan
     * @param sls SLs that groups may have (bit n: SL n)
     * @param then callback that programs the plan with all current groups; called when no pass runs
     */
    public void adopt(MulticastRouter newRouter, Subnet subnet, int sls, Runnable then) {
        isSweepProgramming = true;
        router = newRouter;
        int newCapacity = MulticastWrites.capacity(subnet.fabric());
        reportChange(newRouter.hasTree(), newCapacity);
        memberships.adopt(
                new MulticastGroups.Conditions(newRouter.hasTree(), newCapacity, sls, subnet.gidPrefix()),
                newRouter::hasPort,
                newRouter::isActive);
        if (pass == null) {
            begin(then);
        } else {
            waitingSweep = then;
        }
    }

    private void begin(Runnable sweep) {
        dueBlocks = new BitSet();
        sweep.run();
    }

    /** Handles the end of the sweep, successful or not: changes may be written again. */
    public void release() {
        isSweepProgramming = false;
        schedule();
    }

    /** Stops writing until the next {@link #adopt}, because another SM is master. */
    public void suspend() {
        router = null;
        endPass();
    }

    /** Stops writing like {@link #suspend}, and drops a sweep that waits for the current pass. */
    public void stop() {
        suspend();
        waitingSweep = null;
    }

    private void endPass() {
        MadScope open = pass;
        pass = null;
        if (open != null) {
            open.close();
        }
    }

    /** Reports that multicast begins or ends, or that the switches do not support all MLIDs in use. */
    private void reportChange(boolean isOn, int newCapacity) {
        if (!isOn && !Boolean.FALSE.equals(wasMulticastEnabled)) {
            EVENTS.report(SmEvent.MULTICAST_OFF);
        } else if (isOn && Boolean.FALSE.equals(wasMulticastEnabled)) {
            EVENTS.report(SmEvent.MULTICAST_ON);
        }
        wasMulticastEnabled = isOn;
        int top = memberships.view().topMlid();
        if (newCapacity != capacity && top >= MulticastView.FIRST_MLID + newCapacity) {
            EVENTS.report(
                    SmEvent.MULTICAST_NO_ROOM,
                    EventField.COUNT.of(newCapacity),
                    EventField.MLID.of("0x" + Integer.toHexString(top)));
        }
        capacity = newCapacity;
    }

    private void onGroupsChange(BitSet groups) {
        groups.stream().forEach(group -> dueBlocks.set(group / MulticastForwardingTable.MLIDS_PER_BLOCK));
        schedule();
    }

    private void schedule() {
        if (timer == null && !dueBlocks.isEmpty()) {
            timer = loop.schedule(BATCH_DELAY_NS, () -> {
                timer = null;
                startPass();
            });
        }
    }

    /** Starts a pass, if possible. Otherwise {@link #release} or the end of the current pass starts it. */
    private void startPass() {
        MulticastRouter current = router;
        if (current == null || isSweepProgramming || pass != null || dueBlocks.isEmpty()) {
            return;
        }
        BitSet blocks = dueBlocks;
        dueBlocks = new BitSet();
        ProgrammingErrors errors = new ProgrammingErrors();
        MadScope scope = programmer.startMulticast(
                client, loop, current, memberships.view(), blocks, errors, () -> onPassEnd(errors));
        scope.whenFailed(this::onDefect);
        pass = scope;
    }

    private void onPassEnd(ProgrammingErrors errors) {
        pass = null;
        if (errors.count() > 0) {
            errors.firstErrors().forEach(error -> EVENTS.report(SmEvent.MULTICAST_TROUBLE.finding(error.text())));
            listener.onFailedWrite();
        }
        listener.onProgrammed();
        continueAfterPass();
    }

    /** Handles a defect: the tables of the switches are uncertain, and the next sweep writes them. */
    private void onDefect(Throwable bug) {
        EVENTS.report(SmEvent.MULTICAST_DEFECT, bug);
        pass = null;
        programmer.forgetAll();
        listener.onFailedWrite();
        continueAfterPass();
    }

    /** Continues the waiting sweep, or schedules the next pass. */
    private void continueAfterPass() {
        Runnable sweep = waitingSweep;
        waitingSweep = null;
        if (sweep != null) {
            begin(sweep);
        } else {
            schedule();
        }
    }
}
