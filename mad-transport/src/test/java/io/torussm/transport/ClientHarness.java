package io.torussm.transport;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.VirtualLoop;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A client on a scripted transport and a virtual clock, and all its reports. */
final class ClientHarness implements MadClient.UnsolicitedReceiver {
    static final int TIMEOUT_MS = 100;

    /** The outcome of a request whose scope was closed. */
    static final Outcome<NodeInfo> CANCELLED = new Outcome.Failure<>(Outcome.FailureReason.CANCELLED, 0);

    final VirtualLoop loop = new VirtualLoop();
    final ScriptedTransport wire = new ScriptedTransport();
    final MadClient client;
    final List<Outcome<NodeInfo>> outcomes = new ArrayList<>();
    final List<MadFrame> management = new ArrayList<>();
    final List<MadFrame> administration = new ArrayList<>();
    final List<String> portLosses = new ArrayList<>();

    ClientHarness(int wireWindow, int deviceWindow, int retries) {
        this(wireWindow, deviceWindow, retries, 7);
    }

    ClientHarness(int wireWindow, int deviceWindow, int retries, int seed) {
        client = new MadClient(
                wire,
                loop,
                MKeySource.fixed(0),
                () -> new MadClient.Settings(wireWindow, deviceWindow, TIMEOUT_MS, retries),
                seed,
                this);
    }

    @Override
    public void subnetManagement(MadFrame frame) {
        management.add(frame);
    }

    @Override
    public void subnetAdministration(MadFrame frame) {
        administration.add(frame);
    }

    @Override
    public void portLost(String reason) {
        portLosses.add(reason);
    }

    SmpRequest<NodeInfo> request(int... path) {
        return SmpRequest.get(NodeInfo.TYPE, DrPath.of(path), 0, outcomes::add);
    }

    /**
     * Returns a source of requests.
     *
     * @param pulled receives the number of each request, from 0, when the client pulls it
     */
    Iterator<SmpRequest<NodeInfo>> requests(int count, List<Integer> pulled) {
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    pulled.add(i);
                    return request(i % 250);
                })
                .iterator();
    }

    void get(MadScope scope, int... path) {
        scope.get(NodeInfo.TYPE, DrPath.of(path), 0, outcomes::add);
    }

    /** Returns the number of requests that were sent to a device. */
    long sentTo(DrPath path) {
        return wire.sent.stream()
                .filter(frame -> Objects.equals(Smp.path(frame.mad()), path))
                .count();
    }

    /** Runs the tasks that are due. */
    void runDueTasks() {
        loop.runFor(0);
    }

    void runMs(long ms) {
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    /** Answers, in order, each request from an index on, and the requests that follow from the answers. */
    void answerAllFrom(int first) {
        for (int i = first; i < wire.sent.size(); i++) {
            wire.respond(wire.sent.get(i));
            runDueTasks();
        }
    }
}
