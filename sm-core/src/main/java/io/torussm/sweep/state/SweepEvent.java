package io.torussm.sweep.state;

import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mastership.RemoteSm;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An event of sweeps or of the mastership, for observers, which receive it on the loop. Each sweep that reads or
 * routes, and that no other sweep continues, ends with exactly one of {@link SubnetUp}, {@link RoutingRefused},
 * {@link OtherMaster} and {@link SweepFailed}.
 */
public sealed interface SweepEvent {
    /**
     * The subnet is up: programmed, active and published.
     *
     * @param missing known parts that are absent
     */
    record SubnetUp(PublishedView view, SweepReport report, MissingParts missing) implements SweepEvent {
        /** Returns the report as a line, with the degradation of the routes if there is one. */
        public String line() {
            return report.line(missing)
                    + view.plan()
                            .degradation()
                            .map(degraded -> "; DEGRADED: " + degraded.summary())
                            .orElse("");
        }

        /** Returns the event for operators. A subnet with missing switches or links, or with detours, is degraded. */
        public Finding finding() {
            SweepWork work = report.work();
            return Finding.of(
                    SmEvent.SUBNET_UP,
                    EventField.STATE.of(state()),
                    EventField.TEXT.of(line()),
                    EventField.BLOCKS.of(work.blocks()),
                    EventField.ACTIVATED.of(work.activated()),
                    EventField.SMPS.of(work.smpsSent()));
        }

        private String state() {
            String degradation =
                    joined(missing.degradation(), view.plan().degradation().isPresent() ? "routes with detours" : "");
            String hosts = missing.hosts();
            if (degradation.isEmpty()) {
                return hosts.isEmpty() ? "" : ", " + hosts;
            }
            String routes = isConnected() ? "; routes connect all " + (hosts.isEmpty() ? "hosts" : "other hosts") : "";
            return ", degraded (" + joined(degradation, hosts) + routes + ")";
        }

        /**
         * Checks whether routes connect all present hosts. By the check of new routes, each packet with an SL arrives.
         * Retained routes may have lost pairs, a port without a LID gets no packets, and an engine that may route a
         * part only warns of pairs of hosts without a path, which have no SL.
         */
        private boolean isConnected() {
            Fabric fabric = view.subnet().fabric();
            boolean isPartial =
                    view.plan().findings().stream().anyMatch(finding -> finding.event() == SmEvent.ROUTING_WARNING);
            return !isPartial
                    && view.plan().retention().isEmpty()
                    && IntStream.range(0, fabric.portCount())
                            .allMatch(port ->
                                    !fabric.isEndport(port) || view.subnet().lid(port) != 0);
        }

        private static String joined(String... parts) {
            return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(", "));
        }
    }

    /**
     * No engine routes the fabric, and the active routes remain; see {@link
     * io.torussm.routing.Plan#retention}. The devices that these routes serve are programmed, active and
     * published; other devices wait. {@link RoutingRefused} follows.
     */
    record RoutesKept(PublishedView view, SweepReport report) implements SweepEvent {}

    /** No engine routes the fabric; no route was changed. */
    record RoutingRefused(List<Finding> findings) implements SweepEvent {
        /** Returns the errors among the findings, in one line. */
        public String reason() {
            return findings.stream()
                    .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                    .map(Finding::text)
                    .collect(Collectors.joining("; "));
        }
    }

    /**
     * Another SM is master; nothing was written.
     *
     * @param master the master SM; null if it is unknown
     */
    record OtherMaster(@Nullable RemoteSm master) implements SweepEvent {
        /** Returns a text for the operator. */
        public String who() {
            return master == null ? "an SM that does not respond" : master.toString();
        }
    }

    /** The sweep could not be finished; nothing is published. */
    record SweepFailed(String reason) implements SweepEvent {}

    /** Engines ran; one of the events above follows. */
    record EnginesRan(RoutingChain.ChainResult result) implements SweepEvent {}

    /**
     * New routes were compared with the published ones, or with those before this mastership.
     *
     * @param differences changes in the terms of the engine, and SLs that change
     * @param changedSls number of paths whose SL changes
     */
    record RoutesCompared(List<Finding> differences, long changedSls) implements SweepEvent {}

    /**
     * Hosts, switches or cables were lost or added since the previous sweep. This event precedes the one that ends the
     * sweep.
     */
    record FabricChanged(List<Finding> changes) implements SweepEvent {}

    /** The fabric was read again. This event precedes the one that ends the sweep. */
    record FabricRead(FabricState before, FabricState after, Instant at) implements SweepEvent {}

    /** Multicast groups changed between sweeps, and the switches are programmed for them. */
    record MulticastProgrammed() implements SweepEvent {}

    /** The SA answers from the view of the last master until this SM publishes its first subnet. */
    record ViewRemembered(PublishedView view) implements SweepEvent {}

    /**
     * Members of partitions changed between sweeps: other P_Keys are programmed at their ports, and published.
     *
     * @param hasOtherMembers false if only tables of switches are other ones, since virtual ports have changed
     */
    record PartitionsProgrammed(PublishedView view, boolean hasOtherMembers) implements SweepEvent {}

    /**
     * CapabilityMask.IsSM of the own port is 0, for example after a reset of its device. Other SMs then do not find
     * this SM.
     */
    record IsSmMissing() implements SweepEvent {}

    /** This SM is not master any more. */
    record MastershipEnded() implements SweepEvent {}

    /** The port of this SM is lost until the process ends. */
    record PortLost(String reason) implements SweepEvent {}

    /**
     * The port of this SM cannot be used, or can be used again.
     *
     * @param reason one line; empty if the port can be used
     */
    record PortChanged(boolean isUsable, String reason) implements SweepEvent {}
}
