package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.FabricBuilder;
import io.torussm.routing.Plan;
import io.torussm.routing.RetainedRoutes;
import io.torussm.routing.updn.UpDownEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events about routes that stay active without an engine, on a torus of 3 x 3 switches with a host each. */
class RetainedRoutesReportTest {
    private final RetainedRoutesReport routes = new RetainedRoutesReport();
    private final Plan whole =
            (Plan) new UpDownEngine().route(TorusSketch.of(3, 3, 1, 1, 1).subnet(), TestRouting.QOS);

    /** Returns the routes that stay when switch 0 loses the cables of these ports; ports 1 to 4 are in the torus. */
    private Plan left(int... ports) {
        Subnet subnet = whole.subnet();
        FabricBuilder rest = FabricBuilder.of(subnet.fabric());
        for (int port : ports) {
            rest.unlink(subnet.fabric().nodeGuid(0), port);
        }
        return RetainedRoutes.ofRefused(whole, null, subnet.restrictedTo(rest.build()))
                .orElseThrow();
    }

    @Test
    void areReportedWhenTheyBeginChangeAndEnd() {
        try (LoggedEvents events = new LoggedEvents().listen()) {
            routes.update(whole);
            assertThat(events.take()).isEmpty();
            routes.update(left(1));
            assertThat(events.only(SmEvent.ROUTES_STAYING).get(EventField.TEXT)).contains("of 81 pairs");
            routes.update(left(1));
            assertThat(events.of(SmEvent.ROUTES_STAYING)).hasSize(1);
            routes.update(left(1, 2, 3, 4));
            assertThat(events.of(SmEvent.ROUTES_STAYING)).hasSize(2);
            routes.update(whole);
            routes.update(whole);
            events.only(SmEvent.ROUTES_COMPUTED);
        }
    }

    @Test
    void areForgottenWithTheMastership() {
        routes.update(left(1));
        routes.forget();
        try (LoggedEvents events = new LoggedEvents().listen()) {
            routes.update(whole);
            assertThat(events.all()).isEmpty();
        }
    }

    @Test
    void areReportedOnceIfNothingCanBeAdopted() {
        try (LoggedEvents events = new LoggedEvents().listen()) {
            Finding why = SmEvent.ROUTES_NOT_ADOPTED.finding("a credit loop");
            routes.refused(List.of(Finding.error("a ring is cut"), why));
            routes.refused(List.of(Finding.error("a ring is cut"), why));
            assertThat(events.of(SmEvent.ROUTES_NOT_ADOPTED)).hasSize(1);
            routes.refused(List.of(SmEvent.ROUTES_NOT_ADOPTED.finding("another")));
            assertThat(events.of(SmEvent.ROUTES_NOT_ADOPTED)).hasSize(2);
        }
    }

    @Test
    void areDistinguishedIfTheyAreAdopted() {
        byte[][] held = new byte[whole.subnet().fabric().switchCount()][];
        Arrays.setAll(held, whole::lft);
        try (LoggedEvents events = new LoggedEvents().listen()) {
            routes.update(RetainedRoutes.ofAdopted(whole, held, null).orElseThrow());
            events.only(SmEvent.ROUTES_ADOPTED);
        }
    }
}
