package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.program.smp.SmpRequests;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.SweepHarness;
import io.torussm.transport.MadScope;
import io.torussm.transport.SmpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A fabric after a sweep, to whose devices a test sends requests of one part of the programming. */
final class SweptFabric {
    final SweepHarness harness;
    final Subnet subnet;
    final Fabric fabric;

    /** [node] tables, none of which is known. */
    final DeviceTables[] tables;

    final ProgrammingErrors errors = new ProgrammingErrors();
    final MadScope scope;
    final SmpRequests requests;

    /** The requests since the sweep, tries included. */
    final List<byte[]> sentMads = new ArrayList<>();

    /** Selects requests that are lost. */
    Predicate<byte[]> isLost = mad -> false;

    SweptFabric(SweepHarness harness) {
        this.harness = harness;
        harness.sweep();
        subnet = harness.publishedView().subnet();
        fabric = subnet.fabric();
        RowValues rows = new RowValues();
        tables = new DeviceTables[fabric.nodeCount()];
        for (int node = 0; node < tables.length; node++) {
            tables[node] = new DeviceTables(fabric.numPorts(node), rows);
        }
        scope = harness.client.scope();
        requests = new SmpRequests(fabric, errors, scope, harness.loop);
        harness.isRequestLost = mad -> {
            sentMads.add(mad.clone());
            return isLost.test(mad);
        };
    }

    /** Sends a request, and waits until it and all that follow from it have an outcome. */
    void send(@Nullable SmpRequest<?> request) {
        if (request == null) {
            return;
        }
        boolean[] isDone = {false};
        scope.submit(request);
        scope.whenIdle(() -> isDone[0] = true);
        assertThat(harness.loop.runUntil(() -> isDone[0], TimeUnit.MINUTES.toNanos(2)))
                .isTrue();
    }

    /** Returns the AttributeModifiers of the sent requests in words: {@code "Set 30000"}. */
    List<String> sent(int attributeId) {
        return sentMads.stream()
                .filter(mad -> MadHeader.attributeId(mad) == attributeId)
                .map(mad -> (MadHeader.method(mad) == Method.SET ? "Set " : "Get ")
                        + Integer.toHexString(MadHeader.attributeModifier(mad)))
                .toList();
    }
}
