package io.torussm.program.port;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.partition.PKeySteps;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.program.smp.RequestStripes;
import io.torussm.program.smp.SmpRequests;
import io.torussm.stage.Phase;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The stage that writes P_Key tables. Only blocks that differ are written.
 *
 * <p>Tables are read once and stored over sweeps, until the link of their port goes down. Every step of {@link
 * PKeySteps} ends in the whole fabric before the next step begins. So a port receives a key before another port loses
 * one. Enforcement (PartitionEnforcementInbound, Outbound) that ends is disabled before any table changes. {@link
 * LinkActivator} enables new enforcement later, where the table is known to be in place. A port whose table could not
 * be written keeps its enforcement.
 *
 * <p>Owner thread: the loop.
 */
public final class PartitionProgrammer
        implements Stage<PartitionProgrammer.Input, PartitionProgrammer.ProgrammedPartitions> {
    /** The confirmed tables by port. */
    private Map<NodePort, PortKeys> confirmedTables = new HashMap<>();

    /**
     * A fabric, and the partitions of its ports by partitions.conf.
     *
     * @param part the ports to program; null to program all ports
     */
    public record Input(
            Fabric fabric,
            PartitionSettings settings,
            @Nullable Part part) {
        /** Creates the input for all ports. */
        public Input(Fabric fabric, PartitionSettings settings) {
            this(fabric, settings, null);
        }
    }

    /**
     * A few end ports, together with the switch ports that enforce their partitions. Enforcement does not change.
     *
     * @param previousPlan the current tables of the fabric
     * @param endPorts indexes of the end ports
     * @param hasSwitchesOnly whether only their switch ports are programmed, since their virtual ports have changed
     */
    public record Part(PartitionPlan previousPlan, BitSet endPorts, boolean hasSwitchesOnly) {
        BitSet ports(PartitionSettings settings, Fabric fabric) {
            return hasSwitchesOnly
                    ? PartitionPlan.switchPorts(settings, fabric, endPorts)
                    : PartitionPlan.withSwitchPorts(settings, fabric, endPorts);
        }

        PartitionPlan plan(PartitionSettings settings, Fabric fabric, IntFunction<PortKeys> held) {
            return hasSwitchesOnly
                    ? previousPlan.withVPortsAt(fabric, endPorts, held)
                    : previousPlan.changedFor(settings, fabric, endPorts, held);
        }
    }

    /**
     * The result of the programming.
     *
     * @param fabric fabric with the last PortInfo of each port
     * @param plan the tables of all ports but {@code unconfirmed}
     * @param unconfirmed indexes of ports with an unknown table
     * @param writes number of blocks that were written, failed writes included
     */
    public record ProgrammedPartitions(Fabric fabric, PartitionPlan plan, BitSet unconfirmed, long writes) {
        /** Returns the PortInfo of a switch port with the enforcement that fits its table. */
        PortInfo withEnforcement(int port, PortInfo info) {
            return unconfirmed.get(port) ? info : plan.withEnforcement(port, info);
        }
    }

    @Override
    public Phase phase() {
        return Phase.ACTIVATE;
    }

    /** Programs the tables of a fabric. Ends when all tables are written or have failed. */
    @Override
    public void start(StageContext context, Input input, Consumer<ProgrammedPartitions> then) {
        new PartitionRun(context, input, then).readUnknown();
    }

    /** Removes all known tables, so that the next sweep reads them. */
    public void forgetAll() {
        confirmedTables.clear();
    }

    /** Removes the known tables of the ports of a device. */
    public void forget(long nodeGuid) {
        confirmedTables.keySet().removeIf(port -> port.nodeGuid() == nodeGuid);
    }

    /** Returns the known table of a port; null if unknown. */
    @Nullable
    public PortKeys knownTable(long nodeGuid, int portNum) {
        return confirmedTables.get(new NodePort(nodeGuid, portNum));
    }

    /** Records the content of a block that was found to differ from the known content. */
    public void correct(long nodeGuid, int portNum, int block, PKeyTable content) {
        confirmedTables.computeIfPresent(new NodePort(nodeGuid, portNum), (port, keys) -> keys.with(block, content));
    }

    /** Checks whether the table of a port (index) is known to equal the last written table. */
    public boolean isConfirmed(Fabric fabric, int port) {
        return confirmedTables.containsKey(fabric.nodePort(port));
    }

    /** One programming. */
    private final class PartitionRun {
        private final MadScope scope;
        private final Fabric fabric;
        private final PartitionSettings settings;
        private final ProgrammingErrors errors;
        private final SmpRequests requests;
        private final Consumer<ProgrammedPartitions> then;
        private final @Nullable Part part;

        /** Indexes of the ports whose table is programmed. */
        private final int[] ports;

        /** [port index] known table; null for ports whose table is not programmed. */
        private final @Nullable PortKeys[] knownTables;

        /** Indexes of ports whose table must be read. */
        private final BitSet portsToRead = new BitSet();

        /** Indexes of ports whose table could not be read or written. */
        private final BitSet unconfirmed = new BitSet();

        /** [port index] last PortInfo; empty for a part, which changes none. */
        private final @Nullable PortInfo[] portInfos;

        /** Max number of blocks of a table. */
        private int maxBlocks;

        private long writes;

        PartitionRun(StageContext context, Input input, Consumer<ProgrammedPartitions> then) {
            this.scope = context.scope();
            this.fabric = input.fabric();
            this.settings = input.settings();
            this.errors = context.errors();
            this.requests = new SmpRequests(fabric, errors, scope, context.loop());
            this.then = then;
            this.part = input.part();
            this.knownTables = new PortKeys[fabric.portCount()];
            this.portInfos = new PortInfo[part == null ? fabric.portCount() : 0];
            for (int port = 0; port < portInfos.length; port++) {
                portInfos[port] = fabric.portInfo(port);
            }
            this.ports = ports(input.part());
            for (int port : ports) {
                recall(port);
                maxBlocks = Math.max(maxBlocks, blocks(port));
            }
        }

        private int[] ports(@Nullable Part limits) {
            return limits == null
                    ? IntStream.range(0, knownTables.length)
                            .filter(port -> PartitionPlan.isTableManaged(settings, fabric, port))
                            .toArray()
                    : limits.ports(settings, fabric).stream().toArray();
        }

        /** Looks up the known table of a port. For a part, it counts as unknown until the new table is confirmed. */
        private void recall(int port) {
            PortKeys remembered = part == null
                    ? confirmedTables.get(fabric.nodePort(port))
                    : confirmedTables.remove(fabric.nodePort(port));
            boolean isKnown = remembered != null && isRunning(port);
            knownTables[port] = isKnown ? remembered : PortKeys.NONE;
            portsToRead.set(port, !isKnown);
        }

        /**
         * Checks whether a port is past INITIALIZE, so that it kept its table. For port 0, any port of the switch
         * counts.
         */
        private boolean isRunning(int port) {
            int node = fabric.nodeOf(port);
            boolean isPort0 = fabric.isSwitch(node) && fabric.portNum(port) == 0;
            int first = isPort0 ? fabric.port(node, 1) : port;
            int last = isPort0 ? fabric.port(node, fabric.numPorts(node)) : port;
            for (int statePort = first; statePort <= last; statePort++) {
                PortInfo info = fabric.portInfo(statePort);
                if (info != null && info.isArmedOrActive()) {
                    return true;
                }
            }
            return false;
        }

        private int blocks(int port) {
            return (PartitionPlan.capacity(fabric, port) + PKeyTable.KEYS_PER_BLOCK - 1) / PKeyTable.KEYS_PER_BLOCK;
        }

        /** Reads unknown tables, then starts the steps. */
        void readUnknown() {
            scope.pull(new RequestStripes(ports.length, maxBlocks, (index, block) -> read(ports[index], block)));
            scope.whenIdle(() -> {
                Part limits = part;
                if (limits == null) {
                    stopEnforcing(PartitionPlan.of(settings, fabric, this::knownKeys));
                } else {
                    step(limits.plan(settings, fabric, this::knownKeys), 0);
                }
            });
        }

        private PortKeys knownKeys(int port) {
            PortKeys keys = knownTables[port];
            return keys == null ? PortKeys.NONE : keys;
        }

        private void stopEnforcing(PartitionPlan plan) {
            scope.pull(new RequestStripes(portInfos.length, 1, (port, entry) -> enforcementEndRequest(plan, port)));
            scope.whenIdle(() -> step(plan, 0));
        }

        /** Writes a step of {@link PKeySteps} in the whole fabric, then the next step. */
        private void step(PartitionPlan plan, int number) {
            PKeySteps[] steps = PKeySteps.values();
            if (number == steps.length) {
                finish(plan);
            } else {
                PortKeys[] next = new PortKeys[knownTables.length];
                for (int port : ports) {
                    PortKeys wanted = plan.table(port);
                    next[port] = wanted == null || unconfirmed.get(port)
                            ? knownKeys(port)
                            : steps[number].apply(knownKeys(port), wanted);
                }
                scope.pull(new RequestStripes(
                        ports.length, maxBlocks, (index, block) -> write(ports[index], block, next[ports[index]])));
                scope.whenIdle(() -> step(plan, number + 1));
            }
        }

        private void finish(PartitionPlan plan) {
            confirmedTables = part == null ? new HashMap<>() : confirmedTables;
            for (int port : ports) {
                PortKeys keys = knownTables[port];
                if (keys != null && !unconfirmed.get(port)) {
                    confirmedTables.put(fabric.nodePort(port), keys);
                }
            }
            then.accept(new ProgrammedPartitions(
                    part == null ? fabric.with(portInfos) : fabric, plan, unconfirmed, writes));
        }

        private @Nullable SmpRequest<?> read(int port, int block) {
            if (!portsToRead.get(port) || block >= blocks(port) || skipIfGivenUp(port, PKeyTable.TYPE, false)) {
                return null;
            }
            SmpRequest<PKeyTable> get =
                    SmpRequest.get(PKeyTable.TYPE, fabric.pathTo(port), modifier(port, block), outcome -> {});
            return requests.counted(fabric.nodeOf(port), get, outcome -> {
                if (outcome instanceof Outcome.Reply<PKeyTable> reply) {
                    knownTables[port] = knownKeys(port).with(block, reply.value());
                } else {
                    reportFailure("Get", port, PKeyTable.TYPE, outcome);
                }
            });
        }

        private @Nullable SmpRequest<?> write(int port, int block, PortKeys next) {
            PortKeys previous = knownKeys(port);
            if (previous.equals(next) || block >= blocks(port) || skipIfGivenUp(port, PKeyTable.TYPE, true)) {
                return null;
            }
            PKeyTable wanted = next.block(block);
            if (previous.block(block).equals(wanted)) {
                return null;
            }
            writes++;
            SmpRequest<PKeyTable> set =
                    SmpRequest.set(wanted, fabric.pathTo(port), modifier(port, block), outcome -> {});
            return requests.counted(fabric.nodeOf(port), set, outcome -> {
                if (outcome instanceof Outcome.Reply<PKeyTable> reply
                        && reply.value().equals(wanted)) {
                    knownTables[port] = knownKeys(port).with(block, wanted);
                } else {
                    reportFailure("Set", port, PKeyTable.TYPE, outcome);
                }
            });
        }

        /** Checks whether the device of a port does not respond; the table of the port then counts as unconfirmed. */
        private boolean skipIfGivenUp(int port, AttributeType<?> type, boolean isSet) {
            if (errors.hasGivenUp(fabric.nodeOf(port), type.id(), isSet)) {
                unconfirmed.set(port);
                return true;
            }
            return false;
        }

        /** Reports a failure, which affects only the host at the port. */
        private void reportFailure(String method, int port, AttributeType<?> type, Outcome<?> outcome) {
            unconfirmed.set(port);
            errors.report(
                    fabric.nodeOf(port),
                    type.id(),
                    method + "(" + type.layout().name() + ") of ",
                    fabric.devicePort(port),
                    ": " + outcome);
        }

        /** Returns the Set that ends enforcement; null if no enforcement ends. */
        private @Nullable SmpRequest<?> enforcementEndRequest(PartitionPlan plan, int port) {
            PortInfo current = portInfos[port];
            int node = fabric.nodeOf(port);
            if (current == null
                    || !fabric.isSwitch(node)
                    || fabric.portNum(port) == 0
                    || !current.isLinkUp()
                    || fabric.peer(port) == Fabric.NONE
                    || skipIfGivenUp(port, PortInfo.TYPE, true)) {
                return null;
            }
            PortInfo wanted = plan.withEnforcement(port, current);
            PortInfo less = clearUnwanted(
                    PortInfo.PARTITION_ENFORCEMENT_OUTBOUND,
                    clearUnwanted(PortInfo.PARTITION_ENFORCEMENT_INBOUND, current, wanted),
                    wanted);
            if (less.equals(current)) {
                return null;
            }
            PortInfo sent = LinkActivator.settingsOnly(less);
            SmpRequest<PortInfo> set =
                    SmpRequest.set(sent, fabric.node(node).path(), fabric.portInfoModifier(port), outcome -> {});
            return requests.counted(node, set, outcome -> {
                if (outcome instanceof Outcome.Reply<PortInfo> reply) {
                    portInfos[port] = reply.value();
                } else {
                    reportFailure("Set", port, PortInfo.TYPE, outcome);
                }
            });
        }

        /** Clears a flag of enforcement that is not wanted. */
        private static PortInfo clearUnwanted(Field field, PortInfo current, PortInfo wanted) {
            return current.with(field, current.get(field) & wanted.get(field));
        }

        /** Returns the AttributeModifier of P_KeyTable (IBA 14.2.5.7). */
        private int modifier(int port, int block) {
            return fabric.isSwitch(fabric.nodeOf(port)) ? fabric.portNum(port) << 16 | block : block;
        }
    }
}
