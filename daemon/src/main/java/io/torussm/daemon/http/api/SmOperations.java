package io.torussm.daemon.http.api;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.torussm.daemon.access.Role;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.http.Operation;
import io.torussm.daemon.http.Operation.Done;
import io.torussm.daemon.http.Operation.Nothing;
import io.torussm.daemon.http.Reply;
import io.torussm.daemon.maintenance.DrainBudget;
import io.torussm.fabric.Fabric;
import io.torussm.inventory.ExpectedFabric;
import io.torussm.mad.Guid;
import io.torussm.mastership.SmState;
import io.torussm.subnet.Drains;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The operations on the SM, with the effects of the console commands. Owner thread: {@code https-change}. */
public final class SmOperations {
    private final SmControl control;

    /**
     * The switch or port to drain.
     *
     * @param guid NodeGUID of a switch
     * @param port port number of the cable; null for the whole switch
     * @param preview true for a preview without a change; null for false
     */
    record DrainWanted(
            @Nullable String guid,
            @Nullable Integer port,
            @Nullable Boolean preview) {}

    /**
     * The effect of a drain.
     *
     * @param name name of the drained device
     * @param requested true if the drain was requested, false for a preview
     * @param pairs number of pairs of hosts with a path
     * @param changedPairs number of pairs with another route
     * @param lostPairs number of pairs that lose their path
     * @param changedSls number of paths with another SL
     * @param hosts names of hosts of the switch that lose the network
     */
    record DrainVerdict(
            String name,
            boolean requested,
            long pairs,
            long changedPairs,
            long lostPairs,
            long changedSls,
            List<String> hosts) {
        static DrainVerdict of(DrainBudget.Verdict verdict, boolean isRequested) {
            return new DrainVerdict(
                    verdict.failure().name(),
                    isRequested,
                    verdict.loss().pairs(),
                    verdict.loss().changedPairs(),
                    verdict.loss().lostPairs(),
                    verdict.loss().changedSls(),
                    verdict.hosts());
        }
    }

    public SmOperations(SmControl control) {
        this.control = control;
    }

    public List<Operation<?>> all() {
        return List.of(
                withoutBody(
                        "POST",
                        "sweep",
                        "look at the whole fabric now",
                        parts -> ifMaster(() -> {
                            control.requestSweep(true);
                            return Reply.accepted(new Done("a heavy sweep is requested"));
                        })),
                withoutBody(
                        "POST",
                        "reroute",
                        "read the files of the routing again, compute all routes again and program the differences",
                        parts -> ifMaster(() -> {
                            control.requestReroute();
                            return Reply.accepted(new Done("a new routing is requested"));
                        })),
                new Operation<>(
                        "POST",
                        Resources.ROOT + "drains",
                        Role.OPERATE,
                        "route around a switch, or the cable at its port, and then take it down; or only show the effect",
                        DrainWanted.class,
                        (user, parts, wanted) -> ifMasterAsync(() -> drain(wanted))),
                withoutBody(
                        "DELETE",
                        "drains/{guid}",
                        "use a switch again that was drained",
                        parts -> ifMaster(() -> undrain(parts.get(0), Drains.WHOLE_SWITCH))),
                withoutBody(
                        "DELETE",
                        "drains/{guid}/{port}",
                        "use a cable again that was drained",
                        parts -> ifMaster(() -> undrain(parts.get(0), port(parts.get(1))))),
                withoutBody(
                        "POST",
                        "inventory/accept",
                        "expect the fabric that was found from now on",
                        parts -> acceptFabric()),
                withoutBody("DELETE", "inventory", "expect nothing from now on", parts -> expect(ExpectedFabric.NONE)));
    }

    private static Operation<Nothing> withoutBody(
            String method, String name, String meaning, Function<List<String>, CompletionStage<Reply>> work) {
        return new Operation<>(
                method,
                Resources.ROOT + name,
                Role.OPERATE,
                meaning,
                Nothing.class,
                (user, parts, nothing) -> work.apply(parts));
    }

    private static int port(String text) {
        if (!text.matches("[1-9]\\d{0,2}")) {
            throw new IllegalArgumentException("a port is a number from 1 on");
        }
        return Integer.parseInt(text);
    }

    private static long guid(@Nullable String text) {
        return Guid.parseAnyForm(text == null ? "" : text)
                .orElseThrow(
                        () -> new IllegalArgumentException("guid is the GUID of a switch, 0x and hexadecimal digits"));
    }

    private CompletionStage<Reply> drain(DrainWanted wanted) {
        PublishedView view = control.view();
        if (view == null) {
            return conflict("no subnet is up");
        }
        Fabric fabric = view.subnet().fabric();
        int node = fabric.nodeByGuid(guid(wanted.guid()));
        int portNum = wanted.port() == null ? Drains.WHOLE_SWITCH : port(Integer.toString(wanted.port()));
        if (node == Fabric.NONE) {
            return CompletableFuture.completedFuture(
                    Reply.text(HttpResponseStatus.NOT_FOUND, "there is no such switch"));
        }
        List<Drains.Drain> drains = control.drains();
        String objection = DrainBudget.objection(fabric, drains, node, portNum);
        if (!objection.isEmpty()) {
            return conflict(objection);
        }
        DrainBudget.Verdict verdict =
                DrainBudget.of(view.plan(), control.routing(), control.routingOptions(), node, portNum);
        String name = verdict.failure().name();
        if (!verdict.isGranted()) {
            return conflict(name + ": " + verdict.objection());
        }
        if (wanted.preview() != null && wanted.preview()) {
            return CompletableFuture.completedFuture(Reply.ok(DrainVerdict.of(verdict, false)));
        }
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        return control.requestDrain(new Drains.Drain(fabric.nodeGuid(node), portNum, name, now), drains)
                .thenApply(refusal -> refusal.isEmpty()
                        ? Reply.accepted(DrainVerdict.of(verdict, true))
                        : Reply.text(HttpResponseStatus.CONFLICT, refusal));
    }

    private static CompletionStage<Reply> conflict(String reason) {
        return CompletableFuture.completedFuture(Reply.text(HttpResponseStatus.CONFLICT, reason));
    }

    private Reply undrain(String guid, int portNum) {
        for (Drains.Drain drain : control.drains()) {
            if (drain.nodeGuid() == guid(guid) && drain.portNum() == portNum) {
                control.requestUndrain(drain);
                return Reply.accepted(new Done(drain.name() + " is used again after the next sweep"));
            }
        }
        return Reply.text(HttpResponseStatus.NOT_FOUND, "that is not drained");
    }

    private CompletionStage<Reply> acceptFabric() {
        PlacedSubnet found = control.state().visibleSubnet();
        return found == null
                ? CompletableFuture.completedFuture(Reply.text(HttpResponseStatus.CONFLICT, "no subnet is up yet"))
                : expect(ExpectedFabric.of(found.fabric()));
    }

    private CompletionStage<Reply> expect(ExpectedFabric wanted) {
        String what = wanted.isEmpty()
                ? "nothing is expected"
                : wanted.devices().size() + " devices and " + wanted.cables().size() + " cables are expected";
        return control.setExpectedFabric(wanted)
                .thenApply(isWritten -> isWritten
                        ? Reply.ok(new Done(what + " from now on"))
                        : Reply.text(
                                HttpResponseStatus.SERVICE_UNAVAILABLE,
                                what + " until the end of this run: the file cannot be written; see the log"));
    }

    private CompletionStage<Reply> ifMaster(Supplier<Reply> work) {
        return ifMasterAsync(() -> CompletableFuture.completedFuture(work.get()));
    }

    private CompletionStage<Reply> ifMasterAsync(Supplier<CompletionStage<Reply>> work) {
        SmStatistics current = control.statistics();
        return current == null || current.mastership().shownState() != SmState.MASTER
                ? conflict("this SM is not master; ask the master")
                : work.get();
    }
}
