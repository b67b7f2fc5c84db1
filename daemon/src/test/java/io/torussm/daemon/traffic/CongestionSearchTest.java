package io.torussm.daemon.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.traffic.CongestionComparison.SettingRow;
import io.torussm.daemon.traffic.CongestionSearch.Proposed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CongestionSearchTest {
    private static final CongestionProposal WIDEST = CongestionProposal.scaledTo(1_000, 512_000);
    private static final List<CongestionProposal> FEWER =
            List.of(CongestionProposal.scaledTo(250, 512_000), CongestionProposal.scaledTo(60, 512_000));

    /** The proposals that ran, each with the ninths of a whole run that it took. */
    private final List<CongestionProposal> proposals = new ArrayList<>();

    private final AtomicInteger ninths = new AtomicInteger();
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    /** A run whose score is known at each stage. */
    private final class KnownRun implements CongestionSearch.StagedRun {
        private final double score;
        private int measured;

        KnownRun(double score) {
            this.score = score;
        }

        @Override
        public SettingRow measure(int stage) {
            int until = 9 / CongestionSearch.parts(stage);
            ninths.addAndGet(until - measured);
            measured = until;
            return new SettingRow("", score, 0, 0, 0, 0, score, new SettingRow.Marks(0, 0, false));
        }
    }

    private Proposed search(int budget, long seed, ToDoubleFunction<CongestionProposal> score) {
        return new CongestionSearch(
                        budget,
                        new SplittableRandom(seed),
                        WIDEST,
                        proposal -> {
                            proposals.add(proposal);
                            return new KnownRun(score.applyAsDouble(proposal));
                        },
                        lines::add)
                .search(FEWER);
    }

    /** Returns a score that is best with timer 100. */
    private static double nearTimer(CongestionProposal proposal) {
        return 1.0 / (1 + Math.abs(proposal.timer() - 100));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 10, 30, 100})
    void aSearchCostsNoMoreThanItsBudget(int budget) {
        search(budget, 1, CongestionSearchTest::nearTimer);
        assertThat(ninths.get()).isBetween(9 * (budget - 1) + 1, 9 * budget);
        assertThat(proposals).doesNotHaveDuplicates();
    }

    /** Whole runs would be six. */
    @Test
    void aBudgetOfSixRunsTriesFourteenSettings() {
        search(6, 1, CongestionSearchTest::nearTimer);
        assertThat(proposals).hasSize(14).startsWith(CongestionProposal.PUBLISHED, WIDEST, FEWER.get(0), FEWER.get(1));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theBestOfAllCandidatesIsFound(long seed) {
        Proposed found = search(30, seed, CongestionSearchTest::nearTimer);
        double best = proposals.stream()
                .mapToDouble(CongestionSearchTest::nearTimer)
                .max()
                .orElseThrow();
        assertThat(found.row().score()).isEqualTo(best);
        assertThat(nearTimer(found.proposal())).isEqualTo(best);
        assertThat(best).isGreaterThan(5 * nearTimer(CongestionProposal.PUBLISHED));
    }

    @Test
    void theSameSeedGivesTheSameLinesAndAnotherDoesNot() {
        search(12, 7, CongestionSearchTest::nearTimer);
        List<String> first = List.copyOf(lines);
        lines.clear();
        search(12, 7, CongestionSearchTest::nearTimer);
        assertThat(lines).isEqualTo(first);
        lines.clear();
        search(12, 8, CongestionSearchTest::nearTimer);
        assertThat(lines).isNotEqualTo(first);
    }

    @Test
    void noCandidateReplacesBetterPublishedSettings() {
        Proposed found = search(20, 1, proposal -> proposal.equals(CongestionProposal.PUBLISHED) ? 1 : 0.5);
        assertThat(found.proposal()).isEqualTo(CongestionProposal.PUBLISHED);
    }

    /** Of nine candidates three continue, and one ends. */
    @Test
    void theWorstCandidatesEndAfterANinth() {
        search(5, 1, CongestionSearchTest::nearTimer);
        assertThat(lines.stream().filter(line -> line.contains("after 1/9"))).hasSize(9);
        assertThat(lines.stream().filter(line -> line.contains("after 1/3"))).hasSize(3);
        assertThat(lines.stream().filter(line -> line.contains("after its whole run")))
                .hasSize(3);
    }
}
