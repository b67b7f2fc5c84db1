package io.torussm.sweep.stages;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The ports of switches that report a change while a remembered view is compared with the devices. They are read again
 * before the view is served. A port with a cable to a switch must be ACTIVE, a port with a cable to a host ACTIVE or
 * down, and a port without a cable in the subnet must be down. Owner thread: the loop.
 */
final class ChangedPorts {
    /**
     * Max number of reads. Before LIDs are known, traps may be forged. So the view is not served if reports continue
     * after this many reads.
     */
    private static final int MAX_ROUNDS = 4;

    private final MadScope scope;
    private final RememberedView remembered;
    private final Subnet subnet;

    /** A fabric with the indexes of the subnet's fabric, and the directed routes by which switches are read. */
    private final Fabric fabric;

    private final Runnable onDifference;
    private boolean isDifferent;
    private int rounds;

    /** Port indexes of hosts behind a port that is down. */
    private final BitSet absentHosts = new BitSet();

    /**
     * Creates the ports; nothing is read yet.
     *
     * @param fabric a fabric with the indexes of the subnet's fabric, and with the directed routes of this SM
     * @param onDifference callback, called for each port that differs from the subnet, or does not answer
     */
    ChangedPorts(MadScope scope, RememberedView remembered, Subnet subnet, Fabric fabric, Runnable onDifference) {
        this.scope = scope;
        this.remembered = remembered;
        this.subnet = subnet;
        this.fabric = fabric;
        this.onDifference = onDifference;
    }

    /**
     * Reads the ports of the switches that sent traps to the SM, until no further trap arrives. Traps with unknown LIDs
     * are ignored: a new switch has no LID, and the switch at the other end of its cable reports it.
     *
     * @param completion callback, called once if no port differs; otherwise never
     */
    void readReported(Runnable completion) {
        int[] switches = remembered.takeReports().stream()
                .map(subnet::switchWithLid)
                .filter(sw -> sw != Fabric.NONE)
                .toArray();
        if (switches.length > 0 && ++rounds > MAX_ROUNDS) {
            reportDifference();
        }
        if (isDifferent) {
            return;
        }
        if (switches.length == 0) {
            completion.run();
            return;
        }
        Arrays.stream(switches).forEach(this::read);
        scope.whenIdle(() -> readReported(completion));
    }

    private void reportDifference() {
        isDifferent = true;
        onDifference.run();
    }

    /** Reads the ports of a switch. */
    void read(int sw) {
        for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
            int port = fabric.port(sw, portNum);
            scope.get(
                    PortInfo.TYPE,
                    fabric.node(sw).path(),
                    fabric.portInfoModifier(port),
                    outcome -> compare(fabric.peer(port), outcome));
        }
    }

    private void compare(int far, Outcome<PortInfo> outcome) {
        if (!(outcome instanceof Outcome.Reply<PortInfo> reply)) {
            reportDifference();
            return;
        }
        int state = reply.value().portState();
        boolean isDown = state == PortInfo.STATE_DOWN;
        boolean isHost = far != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(far));
        if (isHost) {
            absentHosts.set(far, isDown);
        }
        // A port without a cable in the subnet must be down: a new device may have an SM.
        boolean isAsBefore = far == Fabric.NONE ? isDown : state == PortInfo.STATE_ACTIVE || (isHost && isDown);
        if (!isAsBefore) {
            reportDifference();
        }
    }

    /** Checks whether the switch port of a host was read and is down; the host is given by its port index. */
    boolean isAbsent(int host) {
        return absentHosts.get(host);
    }
}
