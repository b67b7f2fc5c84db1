package io.torussm.daemon.http.page;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.torussm.daemon.console.fabric.CongestionCommand;
import io.torussm.daemon.console.fabric.ExplainPath;
import io.torussm.daemon.control.Condition;
import io.torussm.daemon.control.MomentParser;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.control.SmObserver;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.control.SubnetStatus;
import io.torussm.daemon.http.Reply;
import io.torussm.daemon.json.Json;
import io.torussm.daemon.layout.LayoutMemory;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.history.Change;
import io.torussm.history.PastState;
import io.torussm.mad.Guid;
import io.torussm.mastership.Mastership;
import io.torussm.mastership.RemoteSm;
import io.torussm.names.SiteMap;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The replies with the data of the page, as JSON. Owner thread: {@code http-worker}. */
public final class Picture {
    private static final Reply NO_SUBNET = Reply.problem(HttpResponseStatus.SERVICE_UNAVAILABLE, "no subnet is up yet");

    private static final int MAX_CONDITIONS = 200;

    private final SmObserver observer;
    private final LayoutMemory layouts = new LayoutMemory();
    private @Nullable FabricState drawnState;
    private Reply torus = NO_SUBNET;

    public Picture(SmObserver observer) {
        this.observer = observer;
    }

    /** Returns {@code /api/torus}, which is computed once for each state of the fabric. */
    public Reply torus() {
        FabricState state = observer.state();
        PlacedSubnet seen = state.visibleSubnet();
        if (seen == null) {
            return NO_SUBNET;
        }
        if (!state.equals(drawnState)) {
            torus = Reply.data(Reply.JSON, Json.bytes(TorusJson.of(state, seen, layouts)));
            drawnState = state;
        }
        return torus;
    }

    /**
     * Returns {@code /api/torus?at=}, a previous state. It is computed for each request.
     *
     * @param at moment in the form of {@link MomentParser}; empty for the current state
     */
    public Reply torus(String at) {
        if (at.isEmpty()) {
            return torus();
        }
        PublishedView view = observer.state().view();
        Optional<String> unknown =
                MomentParser.futureSweepError(observer.changes(), at, view == null ? 0 : view.sweep());
        if (unknown.isPresent()) {
            return Reply.problem(HttpResponseStatus.NOT_FOUND, unknown.get());
        }
        try {
            Optional<Change> change = MomentParser.find(observer.changes(), at, Instant.now());
            if (change.isEmpty()) {
                return Reply.problem(HttpResponseStatus.NOT_FOUND, "nothing is kept of that time; see /api/v1/changes");
            }
            PlacedSubnet seen = observer.state().visibleSubnet();
            PastState past = observer.changes()
                    .state(
                            change.get(),
                            seen == null ? SiteMap.NONE : seen.fabric().names().sites());
            ObjectNode json = TorusJson.of(
                    past.state(), Objects.requireNonNull(past.state().visibleSubnet()), new LayoutMemory());
            json.put("at", change.get().at().toString());
            return Reply.tagged(Reply.JSON, Json.bytes(json));
        } catch (DateTimeException e) {
            return Reply.problem(HttpResponseStatus.BAD_REQUEST, "at is " + MomentParser.SYNTAX);
        } catch (IOException e) {
            return Reply.problem(HttpResponseStatus.NOT_FOUND, "that time cannot be shown: " + e.getMessage());
        }
    }

    /** Returns {@code /api/shadow}: the report on a fabric whose master is another SM. */
    public Reply shadow() {
        ShadowReport report = observer.shadow();
        return report == null
                ? Reply.problem(
                        HttpResponseStatus.NOT_FOUND,
                        "nothing was read; only torus-sm --shadow looks at what others rule")
                : Reply.ok(report);
    }

    /** Returns {@code /api/congestion}: which switches mark packets, and which hosts are slowed down. */
    public Reply congestion() {
        return Reply.tagged(Reply.JSON, Json.bytes(CongestionCommand.Congestion.of(observer.statistics())));
    }

    /** Returns {@code /api/status}, the overview. */
    public Reply status() {
        FabricState state = observer.state();
        PublishedView view = state.view();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("version", observer.version());
        json.put("sweep", view == null ? 0 : view.sweep());
        json.put("foundAt", state.foundAt() == null ? "" : state.foundAt().toString());
        json.set("routing", Json.tree(SubnetStatus.Routing.of(state)));
        json.set(
                "conditions",
                Json.tree(Condition.all(observer).stream().limit(MAX_CONDITIONS).toList()));
        SlVerdicts sls = observer.slVerdicts(0);
        if (sls != null) {
            json.put("safeSls", SlVerdicts.ranges(sls.safeSls()));
        }
        SmStatistics statistics = observer.statistics();
        if (statistics == null) {
            json.put("state", "starting");
        } else {
            Mastership mastership = statistics.mastership();
            RemoteSm master = mastership.master();
            json.put("state", mastership.shownState().toString());
            json.put("master", master == null ? "" : master.toString());
            json.put("slChanges", statistics.sweeps().slChanges());
            json.put("subnetManagers", statistics.subnetManagers());
            SweepCounts.@Nullable Proof proof = statistics.sweeps().counts().proof();
            if (view != null && proof != null) {
                json.putObject("proof").put("channels", proof.channels()).put("dependencies", proof.dependencies());
            }
        }
        return Reply.data(Reply.JSON, Json.bytes(json));
    }

    /**
     * Returns {@code /api/path}.
     *
     * @param src LID of the source
     * @param dst LID of the destination
     * @param level requested SL, 0 to 15
     */
    public Reply path(String src, String dst, String level) {
        FabricState state = observer.state();
        PublishedView view = state.view();
        if (view == null) {
            return NO_SUBNET;
        }
        boolean isGood = src.matches("\\d{1,5}") && dst.matches("\\d{1,5}") && level.matches("\\d|1[0-5]");
        if (!isGood) {
            return Reply.problem(HttpResponseStatus.BAD_REQUEST, "wanted: src=LID&dst=LID&level=0..15");
        }
        for (String lid : new String[] {src, dst}) {
            if (view.subnet().portOfLid(Integer.parseInt(lid)) < 0) {
                return Reply.problem(HttpResponseStatus.NOT_FOUND, "no end port has LID " + lid);
            }
        }
        ExplainPath.Explanation path = new ExplainPath(view, state, observer.slVerdicts(0))
                .explain(Integer.parseInt(src), Integer.parseInt(dst), Integer.parseInt(level));
        return Reply.data(Reply.JSON, Json.bytes(path));
    }

    /**
     * Returns {@code /api/device}: one present or lost device.
     *
     * @param guid NodeGUID or PortGUID
     */
    public Reply device(String guid) {
        FabricState state = observer.state();
        PlacedSubnet seen = state.visibleSubnet();
        if (seen == null) {
            return NO_SUBNET;
        } else if (!guid.matches("0x[0-9a-fA-F]{1,16}")) {
            return Reply.problem(HttpResponseStatus.BAD_REQUEST, "wanted: guid=0x..");
        }
        return DeviceCard.of(
                        state,
                        seen,
                        observer.vports(),
                        Condition.all(observer),
                        observer.cableHistory(),
                        Guid.parse(guid))
                .map(card -> Reply.tagged(Reply.JSON, Json.bytes(card)))
                .orElseGet(() -> Reply.problem(HttpResponseStatus.NOT_FOUND, "no device has the GUID " + guid));
    }
}
