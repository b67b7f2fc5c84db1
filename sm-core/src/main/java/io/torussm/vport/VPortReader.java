package io.torussm.vport;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.GeneralInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.vport.VNodeInfo;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.mad.vport.VPortStateTable;
import io.torussm.mad.vport.VirtualizationInfo;
import io.torussm.transport.Outcome;
import io.torussm.vport.VisitResult.StatesReading;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The reader of a visited port: it sends Gets only, one at a time, and passes on values that make sense only. The
 * layouts are those of a vendor, and a manager that writes by a misunderstood value could cut off the hosts behind a
 * port. Therefore a device that contradicts itself here is not written to in this visit.
 */
final class VPortReader {
    /** Number of vports of a port that are managed: a bound for the memory and the SMPs that a device can cost. */
    static final int MAX_VPORTS = 1024;

    /** Number of blocks of the table of states that are read: those of 8,192 vports, as VPortIndexTop may be any. */
    private static final int MAX_BLOCKS = 64;

    /**
     * The vports of a port that exist, as its table of states has them. Immutable.
     *
     * @param byIndex by VPortIndex, ascending: the state, coded as PortState, from INITIALIZE to ACTIVE
     * @param limitReason reason why the table was not read to its end; empty if it was
     */
    record VPortStates(Map<Integer, Integer> byIndex, String limitReason) {
        VPortStates {
            byIndex = Collections.unmodifiableMap(new LinkedHashMap<>(byIndex)); // Map.copyOf would lose the order
        }
    }

    private final VisitRequests requests;
    private final DeviceCapabilities capabilities;
    private final long nodeGuid;
    private final BiConsumer<String, StatesReading> onFailure;

    /**
     * Creates a reader.
     *
     * @param nodeGuid NodeGUID of the device
     * @param onFailure takes the reason, and the kind of failure, if a value cannot be read without which the visit
     *     ends; the consumer of the value is not called then
     */
    VPortReader(
            VisitRequests requests,
            DeviceCapabilities capabilities,
            long nodeGuid,
            BiConsumer<String, StatesReading> onFailure) {
        this.requests = requests;
        this.capabilities = capabilities;
        this.nodeGuid = nodeGuid;
        this.onFailure = onFailure;
    }

    /** Reads VirtualizationInfo. Reads GeneralInfo before, unless the device was asked for it already. */
    void readVirtualization(Consumer<VirtualizationInfo> then) {
        DeviceCapabilities.Announcement announced = capabilities.of(nodeGuid);
        if (announced != null) {
            readVirtualization(announced, then);
            return;
        }
        requests.get(GeneralInfo.TYPE, GeneralInfo.MASK_MODIFIER, outcome -> {
            GeneralInfo info = outcome instanceof Outcome.Reply<GeneralInfo> reply ? reply.value() : null;
            readVirtualization(capabilities.keep(nodeGuid, info), then);
        });
    }

    private void readVirtualization(DeviceCapabilities.Announcement announced, Consumer<VirtualizationInfo> then) {
        if (announced.denies(GeneralInfo.VIRTUALIZATION)) {
            reject("PortInfo announces virtualization, and GeneralInfo does not");
            return;
        }
        rereadVirtualization(info -> {
            if (info.get(VirtualizationInfo.REVISION) != VirtualizationInfo.KNOWN_REVISION) {
                reject("revision " + info.get(VirtualizationInfo.REVISION) + " of virtualization is unknown");
            } else if (info.vportCap() == 0 || info.vportIndexTop() >= info.vportCap()) {
                reject("VPortIndexTop " + info.vportIndexTop() + " is not below VPortCap " + info.vportCap());
            } else {
                then.accept(info);
            }
        });
    }

    /** Reads VirtualizationInfo of a device whose revision was checked: a Set changes its VPortIndexTop. */
    void rereadVirtualization(Consumer<VirtualizationInfo> then) {
        requests.get(VirtualizationInfo.TYPE, 0, outcome -> require(outcome, VirtualizationInfo.TYPE, then));
    }

    /**
     * Reads the table of states, block after block, until there are too many vports.
     *
     * @param indexTop VPortIndexTop, the highest index in use
     */
    void readStates(int indexTop, Consumer<VPortStates> then) {
        readStates(indexTop, 0, new LinkedHashMap<>(), then);
    }

    private void readStates(int indexTop, int block, Map<Integer, Integer> states, Consumer<VPortStates> then) {
        requests.get(VPortStateTable.TYPE, block, outcome -> {
            require(outcome, VPortStateTable.TYPE, table -> {
                String contradiction = addBlock(table, block, indexTop, states);
                if (!contradiction.isEmpty()) {
                    reject(contradiction);
                } else if (states.size() > MAX_VPORTS) {
                    then.accept(new VPortStates(states, "more than " + MAX_VPORTS + " vports"));
                } else if (block == VPortStateTable.block(indexTop)) {
                    then.accept(new VPortStates(states, ""));
                } else if (block + 1 == MAX_BLOCKS) {
                    then.accept(new VPortStates(states, "VPortIndexTop " + indexTop + " is too high"));
                } else {
                    readStates(indexTop, block + 1, states, then);
                }
            });
        });
    }

    /**
     * Adds the vports of a block that exist, which those in state 0 or DOWN do not. Returns the contradiction in the
     * block; empty if there is none.
     */
    private static String addBlock(VPortStateTable table, int block, int indexTop, Map<Integer, Integer> states) {
        int first = block * VPortStateTable.VPORTS_PER_BLOCK;
        for (int i = 0; i < VPortStateTable.VPORTS_PER_BLOCK && first + i <= indexTop; i++) {
            int state = table.state(i); // four bits, of which PortState uses the values up to 4
            if (state > PortInfo.STATE_ACTIVE) {
                return "vport " + (first + i) + " has state " + state;
            }
            if (state >= PortInfo.STATE_INITIALIZE) {
                states.put(first + i, state);
            }
        }
        return "";
    }

    /** Reads VPortInfo. A failure concerns one vport, so it is passed on. */
    void readVPort(int vport, Consumer<Outcome<VPortInfo>> then) {
        requests.get(VPortInfo.TYPE, vport, then);
    }

    /** Reads VNodeInfo of the virtual node of a vport. Passes null without it: vports come up without it, too. */
    void readNode(int vport, Consumer<@Nullable VNodeInfo> then) {
        requests.get(
                VNodeInfo.TYPE,
                vport,
                outcome -> then.accept(outcome instanceof Outcome.Reply<VNodeInfo> reply ? reply.value() : null));
    }

    /** Passes on the value of a response. Without one, the visit ends. */
    <A extends Attribute<A>> void require(Outcome<A> outcome, AttributeType<A> type, Consumer<A> then) {
        if (outcome instanceof Outcome.Reply<A> reply) {
            then.accept(reply.value());
        } else {
            boolean isUnanswered = VisitRequests.isUnanswered(outcome);
            onFailure.accept(
                    type.layout().name() + ": " + outcome,
                    isUnanswered ? StatesReading.UNANSWERED : StatesReading.REJECTED);
        }
    }

    private void reject(String contradiction) {
        onFailure.accept(contradiction, StatesReading.REJECTED);
    }
}
