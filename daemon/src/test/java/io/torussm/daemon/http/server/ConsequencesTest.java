package io.torussm.daemon.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.http.Reply;
import io.torussm.daemon.http.TorusViews;
import io.torussm.daemon.planning.Failure;
import io.torussm.daemon.planning.WhatIf;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The answers of /api/what-if ({@link WhatIfRequests}) about the loss of a switch or a cable, on a torus of 4x3
 * switches with a host each. A computation waits in {@link #tasks} until a test runs it; until then the status is 202
 * (Accepted).
 */
class ConsequencesTest {
    /** The port of a request that is about the switch. */
    private static final String WHOLE_SWITCH = "";

    private final FakeControl control = new FakeControl();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final WhatIfRequests requests = new WhatIfRequests(control, tasks::add);

    @Test
    void theAnswerForACableIsThatOfTheComputationOnPaper() throws IOException {
        PublishedView view = publishTorus();
        int sw = 3;
        int portNum = portToSwitch(view.subnet().fabric(), sw);
        String port = Integer.toString(portNum);
        assertThat(requests.of(guid(view, sw), port).status().code()).isEqualTo(202);
        tasks.remove().run();
        Reply answer = requests.of(guid(view, sw), port);
        assertThat(answer.status().code()).isEqualTo(200);
        WhatIf.Outcome paper = new WhatIf(view.plan(), control.routing(), control.routingOptions())
                .of(Failure.ofCable(view.plan(), view.subnet().fabric().port(sw, portNum)));
        JsonNode response = json(answer);
        assertThat(response.get("failure").asText()).isEqualTo(paper.failure());
        assertThat(response.get("isRouted").asBoolean()).isEqualTo(paper.isRouted());
        assertThat(response.get("pairs").asLong()).isEqualTo(paper.pairs()).isPositive();
        assertThat(response.get("changedPairs").asLong()).isEqualTo(paper.changedPairs());
        assertThat(response.get("maxLoadAfter").asInt()).isEqualTo(paper.maxLoadAfter());
        assertThat(response.get("proof").asText()).isEqualTo(paper.proof());
        assertThat(response.get("sweep").asLong()).isEqualTo(view.sweep());
    }

    /** Returns the status of a request for the loss of a whole switch. */
    private int statusForSwitch(PublishedView view, int sw) {
        return requests.of(guid(view, sw), WHOLE_SWITCH).status().code();
    }

    @Test
    void oneComputationRunsAtATimeAndTheOthersAreAskedToWait() throws IOException {
        PublishedView view = publishTorus();
        assertThat(json(requests.of(guid(view, 0), WHOLE_SWITCH)).get("isMine").asBoolean())
                .isTrue();
        assertThat(json(requests.of(guid(view, 1), WHOLE_SWITCH)).get("isMine").asBoolean())
                .isFalse();
        assertThat(tasks).hasSize(1);
    }

    @Test
    void anAnswerIsComputedOnceForEachView() {
        PublishedView view = publishTorus();
        assertThat(statusForSwitch(view, 0)).isEqualTo(202);
        tasks.remove().run();
        assertThat(statusForSwitch(view, 0)).isEqualTo(200);
        assertThat(requests.of(guid(view, 0), WHOLE_SWITCH)).isSameAs(requests.of(guid(view, 0), WHOLE_SWITCH));
        assertThat(tasks).isEmpty();
    }

    @Test
    void anAnswerForEarlierRoutesIsNotGiven() {
        PublishedView view = publishTorus();
        assertThat(statusForSwitch(view, 1)).isEqualTo(202);
        PublishedView newView = publishTorus();
        tasks.remove().run();
        assertThat(statusForSwitch(newView, 1)).isEqualTo(202);
    }

    @Test
    void aRequestBeforeTheFirstSweepIsUnavailable() {
        assertThat(requests.of("0x1", WHOLE_SWITCH).status().code()).isEqualTo(503);
        assertThat(tasks).isEmpty();
    }

    @Test
    void aPartThatIsNoSwitchOrCableOfTheFabricIsNotFound() {
        PublishedView view = publishTorus();
        Fabric fabric = view.subnet().fabric();
        String host = Guid.format(fabric.nodeGuid(fabric.switchCount()));
        assertThat(requests.of(host, WHOLE_SWITCH).status().code()).isEqualTo(404);
        assertThat(requests.of("0xdead", "1").status().code()).isEqualTo(404);
        assertThat(requests.of(guid(view, 0), "250").status().code()).isEqualTo(404);
        assertThat(tasks).isEmpty();
    }

    @Test
    void aRequestWithoutAGuidOrPortNumberIsRejected() {
        PublishedView view = publishTorus();
        assertThat(requests.of("sw-0-0-0", "1").status().code()).isEqualTo(400);
        assertThat(requests.of("0x11112222333344445", "1").status().code()).isEqualTo(400);
        assertThat(requests.of(guid(view, 0), "-1").status().code()).isEqualTo(400);
        assertThat(tasks).isEmpty();
    }

    @Test
    void answersBeyondTheMaxNumberReplaceTheOldest() {
        PublishedView view = TorusViews.view("torus:5x4x1");
        control.view = view;
        List<Integer> ports = portsToSwitches(view.subnet().fabric());
        for (int port : ports.subList(0, WhatIfRequests.MAX_ANSWERS + 1)) {
            assertThat(statusForCable(view, port)).isEqualTo(202);
            tasks.remove().run();
        }
        assertThat(statusForCable(view, ports.get(WhatIfRequests.MAX_ANSWERS))).isEqualTo(200);
        assertThat(statusForCable(view, ports.get(0))).as("forgotten").isEqualTo(202);
    }

    @Test
    void everyRequestIsUnavailableWhenTheThreadEnds() {
        PublishedView view = publishTorus();
        WhatIfRequests ending = new WhatIfRequests(control, task -> {
            throw new RejectedExecutionException("the thread ends");
        });
        for (int i = 0; i < 2; i++) {
            assertThat(ending.of(guid(view, 0), WHOLE_SWITCH).status().code()).isEqualTo(503);
        }
    }

    private static JsonNode json(Reply reply) throws IOException {
        return new ObjectMapper().readTree(reply.body());
    }

    private PublishedView publishTorus() {
        PublishedView view = TorusViews.view("torus:4x3x1,hosts=1");
        control.view = view;
        return view;
    }

    private static String guid(PublishedView view, int sw) {
        return Guid.format(view.subnet().fabric().nodeGuid(sw));
    }

    /** Returns all ports with a cable between switches. */
    private static List<Integer> portsToSwitches(Fabric fabric) {
        return IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.peer(port) != Fabric.NONE
                        && fabric.isSwitch(fabric.nodeOf(port))
                        && fabric.isSwitch(fabric.nodeOf(fabric.peer(port))))
                .boxed()
                .toList();
    }

    /** Returns the number of a port of a switch with a cable to another switch. */
    private static int portToSwitch(Fabric fabric, int sw) {
        return portsToSwitches(fabric).stream()
                .filter(port -> fabric.nodeOf(port) == sw)
                .map(fabric::portNum)
                .findFirst()
                .orElseThrow();
    }

    private int statusForCable(PublishedView view, int port) {
        Fabric fabric = view.subnet().fabric();
        return requests.of(guid(view, fabric.nodeOf(port)), Integer.toString(fabric.portNum(port)))
                .status()
                .code();
    }
}
