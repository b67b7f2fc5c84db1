package io.torussm.daemon.lab;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.event.log.LogRateLimiter;
import io.torussm.sim.SimFabric;
import io.torussm.sim.SimTraffic;
import io.torussm.sim.fault.BadLineException;
import io.torussm.sim.fault.ConsoleReply;
import io.torussm.sim.fault.FaultConsole;
import io.torussm.sim.fault.FaultScript;
import io.torussm.sim.fault.FaultSession;
import io.torussm.sim.fault.Faults;
import io.torussm.sim.serve.FabricServer;
import io.torussm.sim.serve.ListenAddress;
import io.torussm.sim.serve.ServeLimits;
import io.torussm.sim.topology.Topology;
import io.torussm.transport.Loop;
import io.torussm.transport.datagram.DatagramNetwork;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A running simulated fabric with its server, background traffic and faults. {@code torus-sm fabric} runs it. Tests of
 * other programs run it in their own process. Owner thread: the loop of the fabric.
 */
public final class Lab implements AutoCloseable {
    private static final EventLog EVENTS = EventLog.of(Lab.class);
    private static final long TRAFFIC_SEED = 1;
    private static final long REPORT_INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    private final SimFabric fabric;
    private final FabricServer server;
    private final FaultConsole console;
    private final Loop loop;
    private final LogRateLimiter rateLimiter;
    private long reportedLosses;

    /**
     * Creates a lab without addresses.
     *
     * @param network network of the loop, for the sockets of the server
     */
    public Lab(SimFabric fabric, Topology topology, Loop loop, DatagramNetwork network, ServeLimits limits) {
        this.fabric = fabric;
        this.loop = loop;
        rateLimiter = new LogRateLimiter(loop::nowNs);
        server = new FabricServer(fabric, topology, loop, network, limits);
        console = new FaultConsole(
                new Faults(fabric, topology, loop),
                new ServedClients(server),
                new SimTraffic(fabric, loop, TRAFFIC_SEED),
                this::report);
        fabric.portCounters().countMads();
        loop.schedule(REPORT_INTERVAL_NS, this::reportLosses);
    }

    /**
     * Listens for clients of the fabric at an address.
     *
     * @throws IOException if the address cannot be used
     */
    public void listen(ListenAddress address) throws IOException {
        server.listen(address);
    }

    /** Returns the devices. */
    public SimFabric fabric() {
        return fabric;
    }

    /** Returns the server of the fabric's clients. */
    public FabricServer server() {
        return server;
    }

    /** Returns the console of faults. */
    public FaultConsole console() {
        return console;
    }

    /**
     * Starts a script of faults.
     *
     * @throws BadLineException if the script has errors, with all of them by file and line
     */
    public void start(String name, String text) throws BadLineException {
        console.schedule().start(FaultScript.parse(name, text, console));
    }

    /**
     * Starts a script of faults for a user, which the log and the last lines of the console then name.
     *
     * @throws BadLineException with all its errors, by file and line
     */
    void start(String name, String text, String user) throws BadLineException {
        console.schedule().start(FaultScript.parse(name, text, console), user);
    }

    /**
     * Returns a session of commands.
     *
     * @param files reader of files; null if the session may read no files
     */
    FaultSession session(String client, FaultSession.@Nullable Reader files, FaultSession.Screen screen) {
        return new FaultSession(console, client, files, screen);
    }

    private void report(FaultConsole.ExecutedLine each) {
        ConsoleReply answer = each.reply();
        if (rateLimiter.recordEvent(each.client()).isDue()) {
            EVENTS.report(
                    SmEvent.FABRIC_FAULT,
                    EventField.USER.of(each.client()),
                    EventField.ACTION.of(each.line()),
                    EventField.TEXT.of(
                            answer.isSuccess() ? "" : " - " + answer.text().strip()));
        }
    }

    /** Reports recent losses of packets in one event, if there are any. */
    private void reportLosses() {
        loop.schedule(REPORT_INTERVAL_NS, this::reportLosses);
        SimTraffic.Tally tally = console.traffic().tally();
        if (tally.losses() > reportedLosses) {
            List<SimTraffic.Loss> last = console.traffic().lastLosses();
            SimTraffic.Loss newest = last.get(last.size() - 1);
            EVENTS.report(
                    SmEvent.FABRIC_TRAFFIC_LOST,
                    EventField.COUNT.of(tally.losses() - reportedLosses),
                    EventField.REASON.of("the last, " + newest.reason() + " at " + newest.location()));
        }
        reportedLosses = tally.losses();
    }

    /** Disconnects all clients. */
    @Override
    public void close() {
        console.schedule().stop();
        console.traffic().setRate(0);
        server.close();
    }
}
