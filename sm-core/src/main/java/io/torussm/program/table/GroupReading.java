package io.torussm.program.table;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.multicast.MulticastRouter;
import io.torussm.multicast.MulticastView;
import io.torussm.program.smp.RequestStripes;
import io.torussm.stage.Phase;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stage that reads the multicast tables of running switches, if another SM programmed groups that this SM does not
 * know. It reads block after block until a block is empty in all switches. The result is, by MLID, the GUIDs of the end
 * ports to which entries lead. Owner thread: the loop.
 */
public final class GroupReading implements Stage<MulticastRouter, SortedMap<Integer, Set<Long>>> {
    /** Bit of the AttributeModifier of MulticastForwardingTable from which on the position stands (IBA 14.2.5.12). */
    private static final int POSITION_SHIFT = 28;

    @Override
    public Phase phase() {
        return Phase.PROGRAM;
    }

    @Override
    public void start(StageContext context, MulticastRouter router, Consumer<SortedMap<Integer, Set<Long>>> then) {
        new SwitchReading(context.scope(), router, then).read(0);
    }

    private static final class SwitchReading {
        private final MadScope scope;
        private final MulticastRouter router;
        private final Fabric fabric;
        private final Consumer<SortedMap<Integer, Set<Long>>> then;

        /** By MLID: GUIDs of end ports. */
        private final SortedMap<Integer, Set<Long>> ports = new TreeMap<>();

        /** True if the current block has an entry in some switch. */
        private boolean hasEntry;

        SwitchReading(MadScope scope, MulticastRouter router, Consumer<SortedMap<Integer, Set<Long>>> then) {
            this.scope = scope;
            this.router = router;
            this.fabric = router.fabric();
            this.then = then;
        }

        /** Reads a block of all switches, then the next block if this block is not empty. */
        void read(int block) {
            hasEntry = false;
            int positions = 1;
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                positions = Math.max(positions, router.positions(sw));
            }
            scope.pull(new RequestStripes(fabric.switchCount(), positions, (sw, position) -> get(sw, block, position)));
            scope.whenIdle(() -> {
                if (hasEntry) {
                    read(block + 1);
                } else {
                    then.accept(ports);
                }
            });
        }

        private @Nullable SmpRequest<?> get(int sw, int block, int position) {
            SwitchInfo info = fabric.node(sw).switchInfo();
            int first = block * MulticastForwardingTable.MLIDS_PER_BLOCK;
            if (info == null
                    || !KnownDevices.isRunning(fabric, sw)
                    || first >= info.multicastFdbCap()
                    || position >= router.positions(sw)) {
                return null;
            }
            return SmpRequest.get(
                    MulticastForwardingTable.TYPE,
                    fabric.node(sw).path(),
                    position << POSITION_SHIFT | block,
                    outcome -> {
                        if (outcome instanceof Outcome.Reply<MulticastForwardingTable> reply) {
                            addEntries(sw, block, position, reply.value());
                        }
                    });
        }

        private void addEntries(int sw, int block, int position, MulticastForwardingTable table) {
            for (int i = 0; i < MulticastForwardingTable.MLIDS_PER_BLOCK; i++) {
                int mask = table.mask(i);
                hasEntry |= mask != 0;
                int mlid = MulticastView.FIRST_MLID + block * MulticastForwardingTable.MLIDS_PER_BLOCK + i;
                for (int bit = 0; mask != 0; bit++, mask >>>= 1) {
                    int portNum = position * MulticastRouter.PORTS_PER_POSITION + bit;
                    if ((mask & 1) != 0 && portNum <= fabric.numPorts(sw)) {
                        addEndport(mlid, sw, portNum);
                    }
                }
            }
        }

        /** Records the end port at a port of a switch, port 0 included; a port to another switch has none. */
        private void addEndport(int mlid, int sw, int portNum) {
            int port = fabric.port(sw, portNum);
            int end = portNum == 0 ? port : fabric.peer(port);
            if (end != Fabric.NONE && fabric.isEndport(end)) {
                ports.computeIfAbsent(mlid, any -> new TreeSet<>()).add(fabric.portGuid(end));
            }
        }
    }
}
