package io.torussm.deadlock.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DatelineRouter;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.routing.Plan;
import io.torussm.testing.Seeds;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The contents of compact plans; their correctness is tested with the engines. */
class ReadyPlanTest {
    private final DeadlockChecker checker = new DeadlockChecker(1);
    private final Plan plan =
            DatelineRouter.route(TorusSketch.of(4, 3, 2, 1, 1)).plan();

    @Test
    void aPrecomputedProofIsRepeatedOnceForItsNumbers() {
        Certificate proof = (Certificate) checker.check(plan, TestRouting.QOS);
        AtomicInteger asked = new AtomicInteger();
        Certificate ahead = new Certificate(plan, TestRouting.QOS, null, proof.size(), () -> {
            asked.incrementAndGet();
            return checker.check(plan, TestRouting.QOS);
        });

        assertThat(ahead.text()).isEqualTo(proof.text());
        assertThat(asked).hasValue(0);
        assertThat(ahead.numbering()).isEqualTo(proof.numbering());
        assertThat(ahead.isSameProof(proof)).isTrue();
        assertThat(ahead.verify(plan, TestRouting.QOS)).isTrue();
        assertThat(asked).hasValue(1);
    }

    @Test
    void aProofThatDoesNotHoldAfterAllHasNoNumbers() {
        Certificate.Size size = ((Certificate) checker.check(plan, TestRouting.QOS)).size();
        Certificate.Size other = new Certificate.Size(size.channels(), size.dependencies() + 1, size.destinations());
        Certificate ahead =
                new Certificate(plan, TestRouting.QOS, null, other, () -> checker.check(plan, TestRouting.QOS));

        assertThatThrownBy(ahead::numbering)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("proved in advance: free of credit loops: " + other.dependencies());
    }

    @Test
    void packedFieldsCanBeUnpacked() {
        Random random = Seeds.random(1);
        int[] numbers = random.ints(10_000, 0, Integer.MAX_VALUE)
                .map(number -> number >>> number % 31)
                .toArray();
        NumberEncoder packing = new NumberEncoder();
        for (int number : numbers) {
            packing.addNumber(number);
            packing.addOctet((byte) number);
        }

        NumberDecoder unpacking = new NumberDecoder(packing.packed());

        for (int number : numbers) {
            assertThat(unpacking.nextNumber()).isEqualTo(number);
            assertThat(unpacking.nextOctet()).isEqualTo((byte) number);
        }
        assertThat(unpacking.isAtEnd()).isTrue();
    }
}
