package io.torussm.sa.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.VirtualLoop;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Changes of a burst: the order of publication, answers and reports to recorders. At most 3 changes wait. */
class UpdateGateTest {
    private final VirtualLoop loop = new VirtualLoop();
    private final List<String> events = new ArrayList<>();
    private final UpdateGate gate = new UpdateGate(loop, 3, () -> {
        events.add("published");
        return () -> events.add("told");
    });

    private boolean submit(String name) {
        return gate.submit(() -> {
            events.add(name);
            return () -> events.add(name + " answered");
        });
    }

    @Test
    void aBurstIsPublishedOnceBeforeItsAnswersAndReportedAfterThem() {
        submit("a");
        submit("b");
        assertThat(events).isEmpty();
        loop.runFor(0);
        assertThat(events).containsExactly("a", "b", "published", "a answered", "b answered", "told");
        submit("c");
        loop.runFor(0);
        assertThat(events).endsWith("c", "published", "c answered", "told");
    }

    @Test
    void aChangeIsRefusedIfTooManyWait() {
        assertThat(submit("a") && submit("b") && submit("c")).isTrue();
        assertThat(submit("d")).isFalse();
        loop.runFor(0);
        assertThat(events).doesNotContain("d");
        assertThat(submit("d")).isTrue();
    }

    @Test
    void aPublicationOfTheOwnerIncludesTheAnswers() {
        submit("a");
        loop.execute(gate::publish);
        loop.runFor(0);
        assertThat(events.subList(0, 4)).containsExactly("a", "published", "a answered", "told");
        assertThat(events.stream().filter("a answered"::equals)).hasSize(1);
    }
}
