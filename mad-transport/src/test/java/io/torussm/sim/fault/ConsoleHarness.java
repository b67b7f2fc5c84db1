package io.torussm.sim.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.SimFabric;
import io.torussm.sim.SimTraffic;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Three switches in a row with a host each, and the console of that fabric, in virtual time. */
final class ConsoleHarness {
    static final String WEST = "\"S-0000000000200000\"";
    static final String MIDDLE = "\"S-0000000000200010\"";
    static final String HOST = "\"H-0000000100000000\"";
    static final long WEST_GUID = 0x200000;
    static final long MIDDLE_GUID = 0x200010;
    static final long HOST_GUID = 0x1_0000_0000L;
    static final int EAST_PORT = 5;
    static final int HOST_PORT = 7;

    final VirtualLoop loop = new VirtualLoop();
    final Topology topology = TorusSpec.parse("torus:1x1x3,mesh=z").topology();
    final SimFabric fabric;
    final List<String> executedLines = new ArrayList<>();
    final FaultConsole console;

    ConsoleHarness() {
        this(Clients.NONE);
    }

    ConsoleHarness(Clients clients) {
        this(clients, DeviceModels.PERFECT);
    }

    ConsoleHarness(DeviceModels models) {
        this(Clients.NONE, models);
    }

    private ConsoleHarness(Clients clients, DeviceModels models) {
        fabric = new SimFabric(topology, models, loop, FaultPlan.NONE);
        console = new FaultConsole(
                new Faults(fabric, topology, loop),
                clients,
                new SimTraffic(fabric, loop, 1),
                each -> executedLines.add(loop.nowNs() / 1_000_000 + " " + each.line()));
    }

    /** Returns the response of the console to a line that must succeed. */
    String expectSuccess(String line) {
        ConsoleReply answer = console.run(line, "test");
        assertThat(answer.isSuccess()).as(answer.text()).isTrue();
        return answer.text();
    }

    /** Returns the response of the console to a line that must fail. */
    String expectFailure(String line) {
        ConsoleReply answer = console.run(line, "test");
        assertThat(answer.isSuccess()).as("%s: %s", line, answer.text()).isFalse();
        assertThat(answer.text()).startsWith("# ").endsWith("\n");
        return answer.text();
    }

    boolean isUp(long nodeGuid, int portNum) {
        return fabric.portInfo(nodeGuid, portNum).portState() >= PortInfo.STATE_INITIALIZE;
    }

    void runMs(long milliseconds) {
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(milliseconds));
    }
}
