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
 * before the view is served. Cables to switches must be ACTIVE, hosts behind a port ACTIVE or absent, and there must be
 * no cable that the subnet does not contain. Owner thread: the loop.
 */
final class ChangedPorts {
    /** Before LIDs are known, traps may be forged: a fabric that reports longer than this has no view to serve. */
    private static final int MAX_ROUNDS = 4;

    private final MadScope scope;
    private final RememberedView remembered;
    private final Subnet subnet;

    /** A fabric with the indexes of the subnet's, and the directed routes by which switches are asked. */
    private final Fabric fabric;

    private final Runnable onDifference;
    private boolean isDifferent;
    private int rounds;

    /** Port indexes of hosts behind a port that is down. */
    private final BitSet absentHosts = new BitSet();

    /**
     * Creates the ports; nothing is read yet.
     *
     * @param fabric a fabric with the indexes of the subnet's, and with the routes of this SM
     * @param onDifference callback, called for each port that differs from the subnet, or has no answer
     */
    ChangedPorts(MadScope scope, RememberedView remembered, Subnet subnet, Fabric fabric, Runnable onDifference) {
        this.scope = scope;
        this.remembered = remembered;
        this.subnet = subnet;
        this.fabric = fabric;
        this.onDifference = onDifference;
    }

    /**
     * Reads the ports of the switches that the SM received traps of, until no further trap comes; then calls back.
     * Unknown LIDs are ignored: a new switch has none, and the switch that it is cabled to reports it. After a
     * difference it does not call back.
     */
    void readReported(Runnable then) {
        int[] switches = remembered.takeReports().stream()
                .map(subnet::switchWithLid)
                .filter(sw -> sw != Fabric.NONE)
                .toArray();
        if (switches.length > 0 && ++rounds > MAX_ROUNDS) {
            differ();
        }
        if (isDifferent) {
            return;
        }
        if (switches.length == 0) {
            then.run();
            return;
        }
        Arrays.stream(switches).forEach(this::read);
        scope.whenIdle(() -> readReported(then));
    }

    private void differ() {
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
            differ();
            return;
        }
        int state = reply.value().portState();
        boolean isDown = state == PortInfo.STATE_DOWN;
        boolean isHost = far != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(far));
        if (isHost) {
            absentHosts.set(far, isDown);
        }
        // A device that the subnet does not contain may have an SM.
        boolean isAsBefore = far == Fabric.NONE ? isDown : state == PortInfo.STATE_ACTIVE || (isHost && isDown);
        if (!isAsBefore) {
            differ();
        }
    }

    /** Checks whether a host is behind a port that was read and is down. */
    boolean isAbsent(int host) {
        return absentHosts.get(host);
    }
}
