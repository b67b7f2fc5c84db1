package io.torussm.sweep.stages;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.program.smp.SweepSettings;
import io.torussm.routing.Plan;
import io.torussm.subnet.LinkSettings;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import io.torussm.view.PublishedView;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The samples of the tables of switches, which show whether the switches still contain the tables of a view: one block
 * of the linear forwarding table of each switch, and one SL2VL row if the SM writes SL2VL tables. If another SM has
 * written other routes, most samples differ. The block and the row depend on the switch index only: switches are
 * sampled at different places, and each check samples the same places. Owner thread: the loop.
 */
final class ViewSamples {
    private static final int LIDS_PER_BLOCK = LinearForwardingTable.LIDS_PER_BLOCK;

    private final MadScope scope;
    private final IntFunction<DrPath> routes;
    private final Runnable onDifference;

    /**
     * Creates the samples; nothing is read yet.
     *
     * @param routes returns the directed route to a switch, by its index
     * @param onDifference callback, called for each sample that differs from the view, or is not answered
     */
    ViewSamples(MadScope scope, IntFunction<DrPath> routes, Runnable onDifference) {
        this.scope = scope;
        this.routes = routes;
        this.onDifference = onDifference;
    }

    /**
     * Reads a block and a row of each switch of a view.
     *
     * @param found a fabric whose switch indexes are those of the view
     */
    void read(PublishedView view, Fabric found, SweepSettings settings) {
        Plan plan = view.plan();
        for (int sw = 0; sw < found.switchCount(); sw++) {
            byte[] lft = plan.lft(sw);
            int block = sw % ((lft.length + LIDS_PER_BLOCK - 1) / LIDS_PER_BLOCK);
            scope.submit(sample(LinearForwardingTable.TYPE, sw, block, table -> isBlock(lft, block, table)));
            int[] linkPorts = linkPorts(view.subnet().fabric(), sw);
            if (view.qos() && linkPorts.length > 1) {
                int switchIndex = sw;
                int in = linkPorts[sw % linkPorts.length];
                int out = linkPorts[(sw + 1) % linkPorts.length];
                int vls = settings.links().operationalVls(found, found.port(sw, out));
                scope.submit(sample(
                        SlToVlMappingTable.TYPE,
                        sw,
                        in << Byte.SIZE | out,
                        row -> row.packed() == LinkSettings.foldRow(plan.sl2vl(switchIndex, in, out), vls)));
            }
        }
    }

    private <A extends Attribute<A>> SmpRequest<A> sample(
            AttributeType<A> type, int sw, int modifier, Predicate<A> isExpected) {
        return SmpRequest.get(type, routes.apply(sw), modifier, outcome -> {
            if (!(outcome instanceof Outcome.Reply<A> reply && isExpected.test(reply.value()))) {
                onDifference.run();
            }
        });
    }

    /** Checks whether a block has the entries of a table. LID 0 is ignored: no port has it, and devices may drop it. */
    private static boolean isBlock(byte[] lft, int block, LinearForwardingTable table) {
        int first = block * LIDS_PER_BLOCK;
        return IntStream.range(Math.max(1, first), Math.min(lft.length, first + LIDS_PER_BLOCK))
                .allMatch(lid -> (lft[lid] & 0xff) == table.port(lid - first));
    }

    /** Returns the numbers of the ports of a switch with a cable to another switch. */
    private static int[] linkPorts(Fabric fabric, int sw) {
        return IntStream.rangeClosed(1, fabric.numPorts(sw))
                .filter(portNum -> fabric.switchBehind(fabric.port(sw, portNum)) != Fabric.NONE)
                .toArray();
    }
}
