package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.routing.Degradation;
import io.torussm.routing.Engine;
import io.torussm.routing.Plan;
import io.torussm.routing.updn.UpDownEngine;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.LoggedEvents.LoggedEvent;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import org.junit.jupiter.api.Test;

/** Events about the routes of a last resort, on a torus of 3 x 3 switches with a host each. */
class DegradedRoutesTest {
    private final DegradedRoutes routes = new DegradedRoutes();
    private final Engine engine = new UpDownEngine();
    private final Plan whole = (Plan) engine.route(TorusSketch.of(3, 3, 1, 1, 1).subnet(), TestRouting.QOS);

    /** Returns a plan with 200 routes, of which some differ from the engine's; the longest has 7 hops, before 5. */
    private Plan withLongerRoutes(int bent) {
        byte[][] lfts = new byte[whole.subnet().fabric().switchCount()][];
        for (int sw = 0; sw < lfts.length; sw++) {
            lfts[sw] = whole.lft(sw);
        }
        return whole.withTables(lfts)
                .degradation(new Degradation("the ring is cut", false, 200, bent, 7, 5, 30, -1))
                .build();
    }

    @Test
    void areReportedWhenTheyBeginChangeAndEnd() {
        try (LoggedEvents events = new LoggedEvents().listen()) {
            routes.update(whole);
            assertThat(events.take()).isEmpty();
            routes.update(withLongerRoutes(3));
            LoggedEvent begun = events.only(SmEvent.ROUTES_DEGRADED);
            assertThat(begun.get(EventField.TEXT))
                    .contains("3 of 200 routes detour (1.5 %)", "longest 7 hops (before 5)", "the ring is cut")
                    .doesNotContain("-1");
            routes.update(withLongerRoutes(3));
            assertThat(events.of(SmEvent.ROUTES_DEGRADED)).hasSize(1);
            routes.update(withLongerRoutes(4));
            assertThat(events.of(SmEvent.ROUTES_DEGRADED)).hasSize(2);
            routes.update(whole);
            routes.update(whole);
            events.only(SmEvent.ROUTES_WHOLE);
        }
    }

    @Test
    void areForgottenWithTheMastership() {
        routes.update(withLongerRoutes(3));
        routes.forget();
        try (LoggedEvents events = new LoggedEvents().listen()) {
            routes.update(whole);
            assertThat(events.all()).isEmpty();
        }
    }
}
