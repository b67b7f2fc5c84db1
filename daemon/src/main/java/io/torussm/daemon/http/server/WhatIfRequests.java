package io.torussm.daemon.http.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.torussm.daemon.control.SmObserver;
import io.torussm.daemon.http.Reply;
import io.torussm.daemon.json.Json;
import io.torussm.daemon.planning.Failure;
import io.torussm.daemon.planning.WhatIf;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.mad.Guid;
import io.torussm.view.PublishedView;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/what-if}: the routes without a switch or a cable. Each request is routed and proved from scratch, which
 * takes seconds in a large fabric. One request at a time is computed, on a thread of its own. Until the result is
 * known, the reply has status 202, and the client repeats the request. Results are stored until other routes are
 * active. Thread-safe.
 */
@SuppressWarnings("ReferenceEquality") // a view is another one even if it says the same
final class WhatIfRequests {
    /** Maximum number of stored replies for the active routes. */
    static final int MAX_ANSWERS = 64;

    private static final int WHOLE_SWITCH = 0;

    private final SmObserver observer;
    private final Executor thread;

    /**
     * Replies by the failed device: the cable at a port of a switch, or, with port {@link #WHOLE_SWITCH}, the switch.
     */
    private final Map<NodePort, Reply> answers = new HashMap<>();

    private @Nullable PublishedView answeredView;
    private @Nullable WhatIf currentWhatIf;
    private @Nullable NodePort pendingSubject;

    /** @param thread executor of the computations, one after the other; at most one waits */
    WhatIfRequests(SmObserver observer, Executor thread) {
        this.observer = observer;
        this.thread = thread;
    }

    /**
     * Returns the result, or status 202 while it is computed.
     *
     * @param guid NodeGUID of a switch
     * @param port port number of the cable; empty for the whole switch
     */
    synchronized Reply of(String guid, String port) {
        PublishedView view = observer.view();
        if (view == null) {
            return Reply.problem(HttpResponseStatus.SERVICE_UNAVAILABLE, "no subnet is up yet");
        } else if (!guid.matches("0x[0-9a-fA-F]{1,16}") || !port.matches("\\d{0,3}")) {
            return Reply.problem(
                    HttpResponseStatus.BAD_REQUEST, "wanted: guid=0x..&port=N, or guid=0x.. for a whole switch");
        }
        if (answeredView != view) {
            answeredView = view;
            currentWhatIf = null;
            answers.clear();
        }
        NodePort subject = new NodePort(Guid.parse(guid), port.isEmpty() ? WHOLE_SWITCH : Integer.parseInt(port));
        Reply reply = answers.get(subject);
        if (reply != null) {
            return reply;
        }
        String objection = objection(view.subnet().fabric(), subject);
        if (!objection.isEmpty()) {
            return Reply.problem(HttpResponseStatus.NOT_FOUND, objection);
        }
        if (pendingSubject == null && !begin(view, subject)) {
            return Reply.problem(HttpResponseStatus.SERVICE_UNAVAILABLE, "the SM is about to end");
        }
        return new Reply(
                HttpResponseStatus.ACCEPTED,
                Reply.JSON,
                Json.bytes(JsonNodeFactory.instance.objectNode().put("isMine", subject.equals(pendingSubject))),
                "");
    }

    private boolean begin(PublishedView view, NodePort subject) {
        pendingSubject = subject;
        try {
            thread.execute(() -> compute(view, subject));
            return true;
        } catch (RejectedExecutionException e) {
            pendingSubject = null;
            return false;
        }
    }

    private static String objection(Fabric fabric, NodePort subject) {
        int node = fabric.nodeByGuid(subject.nodeGuid());
        if (node == Fabric.NONE || !fabric.isSwitch(node)) {
            return "no switch that the routes know has this GUID";
        }
        int peer = subject.portNum() == WHOLE_SWITCH || subject.portNum() > fabric.numPorts(node)
                ? Fabric.NONE
                : fabric.peer(fabric.port(node, subject.portNum()));
        return subject.portNum() != WHOLE_SWITCH && (peer == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(peer)))
                ? "at this port the routes know no cable to another switch"
                : "";
    }

    private void compute(PublishedView view, NodePort subject) {
        Reply reply = Router.computeReply(() -> answer(view, subject));
        synchronized (this) {
            pendingSubject = null;
            if (answeredView == view) {
                if (answers.size() == MAX_ANSWERS) {
                    answers.clear();
                }
                answers.put(subject, reply);
            }
        }
    }

    private Reply answer(PublishedView view, NodePort subject) {
        Fabric fabric = view.subnet().fabric();
        int node = fabric.nodeByGuid(subject.nodeGuid());
        Failure failure = subject.portNum() == WHOLE_SWITCH
                ? Failure.ofSwitch(view.plan(), node)
                : Failure.ofCable(view.plan(), fabric.port(node, subject.portNum()));
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("sweep", view.sweep());
        json.setAll((ObjectNode) Json.tree(whatIfOf(view).of(failure)));
        return Reply.data(Reply.JSON, Json.bytes(json));
    }

    /** Returns the simulation of failures, which is created once for all requests about a view. */
    private WhatIf whatIfOf(PublishedView view) {
        synchronized (this) {
            if (currentWhatIf != null && answeredView == view) {
                return currentWhatIf;
            }
        }
        WhatIf whatIf = new WhatIf(view.plan(), observer.routing(), observer.routingOptions());
        synchronized (this) {
            if (answeredView == view) {
                currentWhatIf = whatIf;
            }
        }
        return whatIf;
    }
}
