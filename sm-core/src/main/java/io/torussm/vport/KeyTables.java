package io.torussm.vport;

import io.torussm.mad.smp.GeneralInfo;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.vport.VNodeInfo;
import io.torussm.mad.vport.VPortGuidInfo;
import io.torussm.mad.vport.VPortModifier;
import io.torussm.mad.vport.VPortPKeyTable;
import io.torussm.partition.PKeySteps;
import io.torussm.partition.PortKeys;
import io.torussm.partition.VPortKeys;
import io.torussm.transport.Outcome;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The P_Key tables of the vports of one port during a visit. The place of the vport in their AttributeModifier is
 * inferred. Therefore VPortGUIDInfo, which has the same modifier, must name the GUID of a vport from
 * {@value #FIRST_PROOF} on before any table is read or written: a device with the other order answers with a block of
 * vport 0. A table is read whole, and only blocks that differ are written, in {@link PKeySteps}.
 *
 * <p>If that fails, the tables of the port stay as they are; if a later request is rejected, the table of its vport.
 * That is reported if a vport needs more than the default P_Key, if tables of the device were managed before, or if it
 * announces them and rejects a request. Vport 0, and a vport with the GUID of its port, have the P_KeyTable of the
 * port.
 */
final class KeyTables {
    /** The lowest vport that proves the order. */
    static final int FIRST_PROOF = 2;

    /** Entries that are managed: 32 blocks. */
    private static final int MAX_ENTRIES = 1024;

    private static final List<PKeySteps> STEPS = List.of(PKeySteps.values());
    private static final VPortModifier ORDER = VPortModifier.VPORT_IN_UPPER_HALF;

    private final VisitRequests requests;
    private final DeviceCapabilities capabilities;
    private final Supplier<VPortKeys> wantedKeys;
    private final VisitTarget target;

    /** The reason why the tables stay as they are; empty if they are managed. */
    private String unmanagedReason = "";

    /** True if the device announces tables, but did not answer: an earlier master may have written them. */
    private boolean isContradictory;

    /** True if a vport was left since nothing proved the order. */
    private boolean isUnproved;

    private boolean isRetryDue;

    /** @param wantedKeys the P_Keys of vports, which may change during the visit */
    KeyTables(
            VisitRequests requests,
            DeviceCapabilities capabilities,
            Supplier<VPortKeys> wantedKeys,
            VisitTarget target) {
        this.requests = requests;
        this.capabilities = capabilities;
        this.wantedKeys = wantedKeys;
        this.target = target;
        if (target.start().isContinuation() && capabilities.hasUnknownTables(target.nodeGuid())) {
            unmanagedReason = "an earlier request about tables was not answered"; // so a device costs one time-out
        }
    }

    /**
     * Checks whether a vport needs no visit for its P_Keys. If its table could not be read or written although tables
     * of its device are managed, or the device did not respond, it may have any P_Keys.
     */
    boolean areKeysRight(VirtualPort vport) {
        boolean isUnknown = vport.keys() == null
                && capabilities.mayHaveTables(target.nodeGuid())
                && !vport.isPhysical(target.portGuid());
        return !isUnknown && areKeysRight(wantedKeys.get(), target.portGuid(), vport);
    }

    /** Checks whether the P_Keys of a vport are as wanted, or not managed and the default ones. */
    static boolean areKeysRight(VPortKeys wanted, long portGuid, VirtualPort vport) {
        PortKeys keys = vport.keys();
        return vport.isPhysical(portGuid)
                || (keys == null ? !wanted.hasOwnTable(vport.guid()) : wanted.isAsWanted(vport.guid(), keys));
    }

    /** Checks whether another visit is worthwhile: the device did not respond, or proved the order too late. */
    boolean isRetryDue() {
        return isRetryDue;
    }

    private boolean isProved() {
        return capabilities.hasKnownOrder(target.nodeGuid());
    }

    /** Returns the vport to be visited first: one that proves the order, if that is needed. */
    int firstVPort(List<Integer> vports) {
        boolean isProofNeeded = !isProved() && unmanagedReason.isEmpty();
        return vports.stream()
                .filter(vport -> !isProofNeeded || vport >= FIRST_PROOF)
                .findFirst()
                .orElse(vports.get(0));
    }

    /**
     * Gives a vport its P_Keys.
     *
     * @param node node with the size of its table; null if the device did not answer VNodeInfo
     * @param then takes the vport with its keys, and the reason why they stay as they are, or an empty text
     */
    void programKeys(VirtualPort vport, @Nullable VNodeInfo node, BiConsumer<VirtualPort, String> then) {
        DeviceCapabilities.Announcement announced = capabilities.of(target.nodeGuid());
        if (vport.isPhysical(target.portGuid())) {
            then.accept(vport, "");
        } else if (!unmanagedReason.isEmpty()) {
            leave(vport, unmanagedReason, then);
        } else if (node == null || node.partitionCap() == 0) {
            leave(vport, "its VNodeInfo has no PartitionCap", then);
        } else if (isProved()) {
            read(new Table(vport, node, then), 0, PortKeys.NONE);
        } else if (vport.index() < FIRST_PROOF) {
            isUnproved = true;
            leave(vport, "only a vport from " + FIRST_PROOF + " on proves how tables are addressed", then);
        } else if (announced != null && announced.denies(GeneralInfo.VPORT_GUID_INFO)) {
            leaveAll(vport, "GeneralInfo does not announce VPortGUIDInfo", then);
        } else {
            prove(new Table(vport, node, then));
        }
    }

    private void leaveAll(VirtualPort vport, String reason, BiConsumer<VirtualPort, String> then) {
        unmanagedReason = reason;
        leave(vport, reason, then);
    }

    private void leave(VirtualPort vport, String reason, BiConsumer<VirtualPort, String> then) {
        boolean isNeeded = isProved() || isContradictory || wantedKeys.get().hasOwnTable(vport.guid());
        then.accept(vport, isNeeded ? "the P_Keys of vport " + vport.index() + " are not managed: " + reason : "");
    }

    /** A table that is read and written. */
    private record Table(VirtualPort vport, VNodeInfo node, BiConsumer<VirtualPort, String> then) {
        int entries() {
            return Math.min(node.partitionCap(), MAX_ENTRIES);
        }

        int blocks() {
            return (entries() + PKeyTable.KEYS_PER_BLOCK - 1) / PKeyTable.KEYS_PER_BLOCK;
        }

        int modifier(int block) {
            return ORDER.of(vport.index(), block);
        }
    }

    private void prove(Table table) {
        requests.get(VPortGuidInfo.TYPE, table.modifier(0), outcome -> {
            take(table, outcome, info -> {
                if (info.guid(0) == table.vport().guid()) {
                    read(table, 0, PortKeys.NONE);
                } else {
                    leaveAll(table.vport(), "VPortGUIDInfo does not begin with its GUID", table.then());
                }
            });
        });
    }

    /** Takes a response. Once the order is proved, a rejected request concerns its vport only. */
    private <A> void take(Table table, Outcome<A> outcome, Consumer<A> then) {
        boolean hasNoResponse = VisitRequests.isUnanswered(outcome);
        DeviceCapabilities.Announcement announced = capabilities.of(target.nodeGuid());
        isContradictory |= !(outcome instanceof Outcome.Reply)
                && !isProved()
                && announced != null
                && announced.has(GeneralInfo.VPORT_GUID_INFO)
                && !VisitRequests.isInvalidField(outcome); // as a device with the other order says
        capabilities.setTablesUnknown(target.nodeGuid(), hasNoResponse || isContradictory);
        isRetryDue |= hasNoResponse;
        if (outcome instanceof Outcome.Reply<A> reply) {
            then.accept(reply.value());
        } else if (hasNoResponse || !isProved()) {
            leaveAll(table.vport(), outcome.toString(), table.then());
        } else {
            leave(table.vport(), outcome.toString(), table.then());
        }
    }

    private void read(Table table, int block, PortKeys held) {
        if (block < table.blocks()) {
            requests.get(VPortPKeyTable.TYPE, table.modifier(block), outcome -> {
                take(table, outcome, content -> read(table, block + 1, held.with(block, content.toPKeyTable())));
            });
        } else {
            isRetryDue |= !isProved() && (isUnproved || target.start().isContinuation());
            capabilities.markOrderKnown(target.nodeGuid());
            VPortKeys.WantedTable wanted =
                    wantedKeys.get().wantedTable(table.vport().guid(), table.entries(), held);
            step(table, 0, held, wanted);
        }
    }

    private void step(Table table, int number, PortKeys held, VPortKeys.WantedTable wanted) {
        if (number < STEPS.size()) {
            PortKeys next = STEPS.get(number).apply(held, wanted.keys());
            write(table, 0, next, held, () -> step(table, number + 1, next, wanted));
        } else {
            VirtualPort vport = table.vport();
            String reason = wanted.surplus() == 0
                    ? ""
                    : "vport " + vport.index() + " has no room for " + wanted.surplus() + " P_Keys, with PartitionCap "
                            + table.node().partitionCap();
            table.then().accept(vport.with(wanted.keys()), reason);
        }
    }

    private void write(Table table, int block, PortKeys next, PortKeys held, Runnable then) {
        if (block == table.blocks()) {
            then.run();
            return;
        }
        PKeyTable wanted = next.block(block);
        if (held.block(block).equals(wanted)) {
            write(table, block + 1, next, held, then);
            return;
        }
        requests.set(VPortPKeyTable.of(wanted), table.modifier(block), outcome -> {
            take(table, outcome, reply -> {
                if (reply.toPKeyTable().equals(wanted)) {
                    write(table, block + 1, next, held, then);
                } else {
                    leave(table.vport(), "its VPortPKeyTable does not keep P_Keys", table.then());
                }
            });
        });
    }
}
