package io.torussm.sweep;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.partition.PKeys;
import io.torussm.partition.PartitionChange;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.partition.RunTimeOutcome.ChangeStatus;
import io.torussm.partition.RunTimePartition;
import io.torussm.partition.RunTimePartition.Member;
import io.torussm.partition.RunTimePartitions;
import io.torussm.view.PublishedView;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A planned change of members of partitions at run time on the published subnet: the concerned ports, and the
 * check of their P_Key tables before any write. Immutable.
 *
 * @param view published view before the change
 * @param settings partitions after the change
 * @param endPorts the concerned end ports, by port index
 * @param present number of the GUIDs in the change that are in the fabric
 * @param vports number of the concerned virtual ports, whose tables are written after the change
 */
record PlannedPartitions(PublishedView view, PartitionSettings settings, BitSet endPorts, int present, long vports) {
    /** Returns the change between the present and the new run-time members. */
    static PlannedPartitions of(
            PublishedView view, RunTimePartitions previousMembers, RunTimePartitions newMembers, RunTimeChange change) {
        if (change instanceof RunTimeChange.Reprogram) {
            return ofVPorts(view, change.guids());
        }
        Set<Long> guids = new HashSet<>(change.guids());
        Map<Long, Member> oldMembers = members(previousMembers.find(change.pKey()));
        Map<Long, Member> currentMembers = members(newMembers.find(change.pKey()));
        oldMembers.forEach((guid, member) -> {
            if (!member.equals(currentMembers.get(guid))) {
                guids.add(guid);
            }
        });
        Fabric fabric = view.subnet().fabric();
        PartitionSettings currentSettings = view.partitions().settings();
        BitSet ports = new BitSet();
        Set<Long> vports = new HashSet<>();
        int present = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port) && guids.contains(fabric.portGuid(port))) {
                ports.set(port);
                present += change.guids().contains(fabric.portGuid(port)) ? 1 : 0;
            }
            List<Long> portVports =
                    fabric.isEndport(port) ? currentSettings.vports().guidsAt(fabric.portGuid(port)) : List.of();
            vports.addAll(portVports == null ? List.of() : portVports);
        }
        vports.retainAll(guids);
        present += (int) vports.stream().filter(change.guids()::contains).count();
        return new PlannedPartitions(view, currentSettings.with(newMembers, view.qos()), ports, present, vports.size());
    }

    /** Returns the change of the switch ports at physical ports whose virtual ports are other ones. */
    private static PlannedPartitions ofVPorts(PublishedView view, Set<Long> portGuids) {
        Fabric fabric = view.subnet().fabric();
        BitSet ports = new BitSet();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port) && portGuids.contains(fabric.portGuid(port))) {
                ports.set(port);
            }
        }
        return new PlannedPartitions(view, view.partitions().settings(), ports, portGuids.size(), 0);
    }

    private static Map<Long, Member> members(@Nullable RunTimePartition partition) {
        return partition == null ? Map.of() : partition.members();
    }

    private PortKeys held(int port) {
        PortKeys keys = view.partitions().table(port);
        return keys == null ? PortKeys.NONE : keys;
    }

    private PartitionPlan plan(PartitionSettings partitionSettings) {
        return view.partitions().changedFor(partitionSettings, view.subnet().fabric(), endPorts, this::held);
    }

    /**
     * Returns the reason to refuse the change; null if it is acceptable. A change that adds members is refused if it
     * causes a finding that the present partitions do not have.
     *
     * @param percent share of the end ports that may lose a P_Key without confirmation; virtual ports are not counted,
     *     because a client such as ib-kubernetes takes the P_Keys of all functions of a job at its end
     */
    @Nullable
    RunTimeOutcome objection(RunTimeChange.Request request, int percent) {
        PartitionPlan newPlan = plan(settings);
        boolean adds =
                request.change() instanceof RunTimeChange.Add || request.change() instanceof RunTimeChange.Replace;
        if (adds) {
            Set<String> presentFindings =
                    texts(plan(view.partitions().settings()).findings());
            for (Finding finding : newPlan.findings()) {
                if (!presentFindings.contains(finding.text())) {
                    return new RunTimeOutcome(ChangeStatus.NO_ROOM, finding.text());
                }
            }
        }
        return request.isLargeConfirmed() ? null : tooLarge(newPlan, percent);
    }

    private static Set<String> texts(List<Finding> findings) {
        return findings.stream().map(Finding::text).collect(Collectors.toSet());
    }

    private @Nullable RunTimeOutcome tooLarge(PartitionPlan newPlan, int percent) {
        Fabric fabric = view.subnet().fabric();
        long losing = endPorts.stream()
                .filter(port -> view.partitions().keys(port).stream()
                        .anyMatch(pKey -> !newPlan.keys(port).isIn(PKeys.base(pKey))))
                .count();
        long endPortCount = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            endPortCount += fabric.isEndport(port) ? 1 : 0;
        }
        return PartitionChange.exceedsShare(losing, endPortCount, percent)
                ? new RunTimeOutcome(
                        ChangeStatus.TOO_LARGE,
                        losing + " of " + endPortCount
                                + " end ports would lose a P_Key, more than max_partition_change = " + percent
                                + " (percent); remove fewer at a time, or confirm it")
                : null;
    }
}
