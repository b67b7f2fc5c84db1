package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.IbNetDiscoverFormat;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.Smp;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** A torus of 4 x 3 switches with two hosts each, with changes, and the result of a whole sweep for comparison. */
abstract class LocalSweepCase {
    final SweepHarness harness = new SweepHarness("torus:4x3x1,hosts=2");

    static Fabric fabric(SweepHarness of) {
        return of.publishedView().subnet().fabric();
    }

    static void settle(SweepHarness of) {
        of.loop.runFor(TimeUnit.SECONDS.toNanos(5));
    }

    long guid(String description) {
        return harness.node(description).nodeGuid();
    }

    /** Returns the routes of all requests of a kind since the last call. */
    Set<String> takeRoutes(int method, int attribute) {
        Set<String> routes = new TreeSet<>();
        for (byte[] mad : harness.requests) {
            if (MadHeader.method(mad) == method && MadHeader.attributeId(mad) == attribute) {
                routes.add(String.valueOf(Smp.path(mad)));
            }
        }
        return routes;
    }

    int lid(long guid) {
        Fabric discovered = fabric(harness);
        return harness.publishedView().subnet().lid(discovered.port(discovered.nodeByGuid(guid), 0));
    }

    /** Asserts that directed routes lead, and that a whole sweep finds the fabric that local sweeps found. */
    static void assertIsAsAWholeSweepSeesIt(SweepHarness of) {
        String textOfLocalSweeps = text(of);
        assertRoutesLead(fabric(of));
        assertThat(of.sweep()).isEqualTo("up");
        assertThat(textOfLocalSweeps).isEqualTo(text(of));
    }

    private static void assertRoutesLead(Fabric fabric) {
        for (int node = 0; node < fabric.nodeCount(); node++) {
            DrPath path = fabric.node(node).path();
            int at = fabric.nodeOf(fabric.localPort());
            for (int hop = 0; hop < path.hops(); hop++) {
                at = fabric.nodeOf(fabric.peer(fabric.port(at, path.port(hop))));
            }
            assertThat(at).isEqualTo(node);
        }
    }

    private static String text(SweepHarness of) {
        try {
            StringBuilder text = new StringBuilder();
            IbNetDiscoverFormat.write(fabric(of), text);
            return text.toString();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
