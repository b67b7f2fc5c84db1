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
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/**
 * The answers of /api/what-if about the loss of a switch or a cable, on a torus of 4x3 switches with a host each. A
 * computation waits in {@link #tasks} until a test runs it; until then the status is 202.
 */
class ConsequencesTest {
    private final FakeControl control = new FakeControl();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final WhatIfRequests consequences = new WhatIfRequests(control, tasks::add);

    @Test
    void isTheSameAsOnPaper() throws IOException {
        PublishedView view = torus();
        int portNum = cable(view.subnet().fabric(), 3);
        assertThat(consequences.of(guid(view, 3), "" + portNum).status().code()).isEqualTo(202);
        tasks.remove().run();
        Reply answer = consequences.of(guid(view, 3), "" + portNum);
        assertThat(answer.status().code()).isEqualTo(200);
        WhatIf.Outcome paper = new WhatIf(view.plan(), control.routing(), control.routingOptions())
                .of(Failure.ofCable(view.plan(), view.subnet().fabric().port(3, portNum)));
        JsonNode response = json(answer);
        assertThat(response.get("failure").asText()).isEqualTo(paper.failure());
        assertThat(response.get("isRouted").asBoolean()).isEqualTo(paper.isRouted());
        assertThat(response.get("pairs").asLong()).isEqualTo(paper.pairs()).isPositive();
        assertThat(response.get("changedPairs").asLong()).isEqualTo(paper.changedPairs());
        assertThat(response.get("maxLoadAfter").asInt()).isEqualTo(paper.maxLoadAfter());
        assertThat(response.get("proof").asText()).isEqualTo(paper.proof());
        assertThat(response.get("sweep").asLong()).isEqualTo(view.sweep());
    }

    @Test
    void asksTheEnginesOnceForEachViewAndOneAfterTheOther() throws IOException {
        PublishedView view = torus();
        assertThat(json(consequences.of(guid(view, 0), "")).get("isMine").asBoolean())
                .isTrue();
        assertThat(json(consequences.of(guid(view, 1), "")).get("isMine").asBoolean())
                .isFalse();
        assertThat(tasks).hasSize(1);
        tasks.remove().run();
        assertThat(consequences.of(guid(view, 0), "").status().code()).isEqualTo(200);
        assertThat(consequences.of(guid(view, 0), "")).isSameAs(consequences.of(guid(view, 0), ""));
        assertThat(tasks).isEmpty();
        assertThat(consequences.of(guid(view, 1), "").status().code()).isEqualTo(202);
        PublishedView newView = torus();
        tasks.remove().run();
        assertThat(consequences.of(guid(newView, 1), "").status().code())
                .as("what was computed for other routes")
                .isEqualTo(202);
    }

    @Test
    void refusesWhatCannotBeLost() throws IOException {
        assertThat(consequences.of("0x1", "").status().code()).isEqualTo(503);
        PublishedView view = torus();
        Fabric fabric = view.subnet().fabric();
        String host = Guid.format(fabric.nodeGuid(fabric.switchCount()));
        assertThat(consequences.of(host, "").status().code()).isEqualTo(404);
        assertThat(consequences.of("0xdead", "1").status().code()).isEqualTo(404);
        assertThat(consequences.of(guid(view, 0), "250").status().code()).isEqualTo(404);
        assertThat(consequences.of("sw-0-0-0", "1").status().code()).isEqualTo(400);
        assertThat(consequences.of("0x11112222333344445", "1").status().code()).isEqualTo(400);
        assertThat(consequences.of(guid(view, 0), "-1").status().code()).isEqualTo(400);
        assertThat(tasks).isEmpty();
    }

    @Test
    void keepsABoundedNumberOfAnswers() {
        PublishedView view = TorusViews.view("torus:5x4x1");
        control.view = view;
        Fabric fabric = view.subnet().fabric();
        List<String[]> cables = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            int far = fabric.peer(port);
            if (far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(far))) {
                cables.add(new String[] {guid(view, fabric.nodeOf(port)), "" + fabric.portNum(port)});
            }
        }
        for (String[] cable : cables.subList(0, WhatIfRequests.MAX_ANSWERS + 1)) {
            assertThat(status(cable)).isEqualTo(202);
            tasks.remove().run();
        }
        assertThat(status(cables.get(WhatIfRequests.MAX_ANSWERS))).isEqualTo(200);
        assertThat(status(cables.get(0))).as("forgotten").isEqualTo(202);
    }

    @Test
    void saysThatItEnds() {
        PublishedView view = torus();
        WhatIfRequests ending = new WhatIfRequests(control, task -> {
            throw new RejectedExecutionException("the thread ends");
        });
        for (int i = 0; i < 2; i++) {
            assertThat(ending.of(guid(view, 0), "").status().code()).isEqualTo(503);
        }
    }

    private static JsonNode json(Reply reply) throws IOException {
        return new ObjectMapper().readTree(reply.body());
    }

    private PublishedView torus() {
        PublishedView view = TorusViews.view("torus:4x3x1,hosts=1");
        control.view = view;
        return view;
    }

    private static String guid(PublishedView view, int sw) {
        return Guid.format(view.subnet().fabric().nodeGuid(sw));
    }

    private static int cable(Fabric fabric, int sw) {
        for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
            int far = fabric.peer(fabric.port(sw, portNum));
            if (far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far))) {
                return portNum;
            }
        }
        throw new AssertionError();
    }

    private int status(String[] cable) {
        return consequences.of(cable[0], cable[1]).status().code();
    }
}
