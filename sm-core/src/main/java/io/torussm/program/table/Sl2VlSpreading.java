package io.torussm.program.table;

import io.torussm.event.DeviceText;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.program.smp.SmpRequests;
import io.torussm.stage.SetVerification;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import io.torussm.view.QosTables;
import java.util.ArrayDeque;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The programming of SL2VL rows of many pairs of ports with one Set ({@link Sl2VlCover}). A switch must announce
 * OptimizedSLtoVLMappingProgramming (IBA 14.2.5.4, 14.2.5.8) and carry no traffic, so that a row which is overwritten
 * later does no harm. {@link QosWrites} writes the remaining differences, and all rows of a switch that does not
 * comply.
 *
 * <p>Compliance is verified: after the first Set of each kind (all pairs, one input, one output), the row of the last
 * pair is read. Before the first Set this row maps all SLs to VL15, so it cannot be right by chance. A Set is sent when
 * the previous Set was confirmed. SMPs on one route do not overtake each other, so no repetition of an earlier Set
 * arrives later.
 *
 * <p>Owner thread: the loop.
 */
final class Sl2VlSpreading {
    private static final EventLog EVENTS = EventLog.of(Sl2VlSpreading.class);

    /** The number of SMPs that only verify compliance: one row that is changed, and two rows that are read. */
    private static final int VERIFICATION_SMPS = 3;

    /** The bit of OptimizedSLtoVLMappingProgramming that announces wildcards. The other bit announces port masks. */
    private static final int WILDCARDS = 1;

    /** A packed row that maps all SLs to VL15. */
    private static final long DISCARD = -1;

    private final Fabric fabric;
    private final DeviceTables[] tables;
    private final SmpRequests requests;
    private final MadScope scope;
    private final QosTables wanted;
    private final Set<Long> nonCompliant;

    /**
     * Creates the writes.
     *
     * @param tables [node] known tables
     * @param scope scope of the requests
     * @param wanted the wanted tables
     * @param disobedient NodeGUIDs of switches that do not comply with their announcement; receives those found here
     */
    Sl2VlSpreading(
            Fabric fabric,
            DeviceTables[] tables,
            SmpRequests requests,
            MadScope scope,
            QosTables wanted,
            Set<Long> disobedient) {
        this.fabric = fabric;
        this.tables = tables;
        this.requests = requests;
        this.scope = scope;
        this.wanted = wanted;
        this.nonCompliant = disobedient;
    }

    /**
     * Returns the first request to a switch without traffic; all other requests follow its response. Returns null if
     * single rows need fewer SMPs, or if the switch has no wildcards.
     */
    @Nullable
    SmpRequest<?> begin(int sw) {
        SwitchInfo info = fabric.node(sw).switchInfo();
        boolean hasWildcards = info != null && (info.get(SwitchInfo.OPTIMIZED_SL2VL) & WILDCARDS) != 0;
        if (!hasWildcards || nonCompliant.contains(fabric.nodeGuid(sw))) {
            return null;
        }
        Sl2VlCover cover = Sl2VlCover.of(fabric.numPorts(sw) + 1, (in, out) -> row(sw, in, out));
        return cover.countSets() + VERIFICATION_SMPS < countMissing(sw) ? new RequestSequence(sw, cover).begin() : null;
    }

    private @Nullable Long row(int sw, int in, int out) {
        return wanted.hasRow(sw, in, out) ? wanted.row(sw, in, out) : null;
    }

    /** Returns the number of rows of a switch that are not known to be as wanted. */
    private int countMissing(int sw) {
        int missing = 0;
        for (int in = 0; in <= fabric.numPorts(sw); in++) {
            for (int out = 0; out <= fabric.numPorts(sw); out++) {
                Long row = row(sw, in, out);
                missing += row == null || tables[sw].holdsRow(in, out, row) ? 0 : 1;
            }
        }
        return missing;
    }

    /** The consecutive requests to one switch. */
    private final class RequestSequence {
        private final int sw;
        private final ArrayDeque<Sl2VlCover.Spread> remaining;
        private final int lastPort;

        /** The last verified spread; null before the first verification. */
        private Sl2VlCover.@Nullable Spread lastVerified;

        RequestSequence(int sw, Sl2VlCover cover) {
            this.sw = sw;
            this.remaining = new ArrayDeque<>(cover.spreads());
            this.lastPort = fabric.numPorts(sw);
        }

        /** Returns the Set that maps all SLs of the last pair of ports to VL15. */
        SmpRequest<?> begin() {
            tables[sw].forgetRows();
            return write(SlToVlMappingTable.of(DISCARD), lastPort << Byte.SIZE | lastPort, this::sendNext);
        }

        /** Sends the next Set, if any is left. */
        private void sendNext() {
            Sl2VlCover.Spread next = remaining.poll();
            if (next == null) {
                return;
            }
            scope.submit(write(SlToVlMappingTable.of(next.row()), next.modifier(), () -> {
                if (isOfSameKind(next, lastVerified)) {
                    onVerified(next);
                } else {
                    verify(next);
                }
            }));
        }

        private static boolean isOfSameKind(Sl2VlCover.Spread one, Sl2VlCover.@Nullable Spread other) {
            return other != null
                    && (one.in() == Sl2VlCover.ALL) == (other.in() == Sl2VlCover.ALL)
                    && (one.out() == Sl2VlCover.ALL) == (other.out() == Sl2VlCover.ALL);
        }

        /**
         * Reads the row of the last pair that a spread covers, to verify it. The lower bits of the spread's modifier
         * are not those of this pair, so a switch that ignores the wildcard bits writes another row.
         */
        private void verify(Sl2VlCover.Spread spread) {
            int in = spread.in() == Sl2VlCover.ALL ? lastPort : spread.in();
            int out = spread.out() == Sl2VlCover.ALL ? lastPort : spread.out();
            SmpRequest<SlToVlMappingTable> get =
                    SmpRequest.get(SlToVlMappingTable.TYPE, fabric.node(sw).path(), in << Byte.SIZE | out, held -> {});
            scope.submit(requests.counted(sw, get, outcome -> {
                if (!(outcome instanceof Outcome.Reply<SlToVlMappingTable> reply)) {
                    tables[sw].forgetRows();
                } else if (reply.value().packed() == spread.row()) {
                    lastVerified = spread;
                    onVerified(spread);
                } else {
                    noteRefusal("answers well and does not do it");
                }
            }));
        }

        private void onVerified(Sl2VlCover.Spread spread) {
            tables[sw].confirmRows(spread);
            sendNext();
        }

        /** Returns a Set that continues with {@code then} if its response shows the new row. */
        private SmpRequest<?> write(SlToVlMappingTable table, int modifier, Runnable then) {
            SmpRequest<SlToVlMappingTable> set =
                    SmpRequest.set(table, fabric.node(sw).path(), modifier, answer -> {});
            return requests.trial(sw, set, outcome -> {
                if (outcome instanceof Outcome.Reply<SlToVlMappingTable> reply
                        && SetVerification.hasEffect(set, reply.value())) {
                    then.run();
                } else if (isRefused(outcome)) {
                    noteRefusal("answers " + outcome);
                } else {
                    tables[sw].forgetRows(); // the next write shows whether the switch responds at all
                }
            });
        }

        /** Checks whether a switch rejected a Set, or responded with another row. */
        private static boolean isRefused(Outcome<SlToVlMappingTable> outcome) {
            return outcome instanceof Outcome.Reply
                    || (outcome instanceof Outcome.Failure<SlToVlMappingTable> failure
                            && failure.reason() == Outcome.FailureReason.BAD_STATUS
                            && !failure.isBusy());
        }

        private void noteRefusal(String outcome) {
            tables[sw].forgetRows();
            if (nonCompliant.add(fabric.nodeGuid(sw))) {
                EVENTS.report(SmEvent.SL2VL_ONE_BY_ONE.finding(DeviceText.of(fabric.device(sw), " " + outcome)));
            }
        }
    }
}
