package io.torussm.daemon.traffic;

import java.util.List;
import java.util.stream.Stream;

/**
 * The results of one study on a fabric before and after a loss.
 *
 * @param whole result before the loss
 * @param left result after the loss, with new routes
 * @param lost names of the lost cables and switches
 */
public record LossReport(TrafficResult whole, TrafficResult left, List<String> lost) implements TrafficResult {
    private static final int MAX_LISTED = 10;

    public LossReport {
        lost = List.copyOf(lost);
    }

    @Override
    public List<String> lines() {
        Stream<String> names = lost.stream().limit(MAX_LISTED).map(name -> "  " + name);
        Stream<String> more =
                lost.size() > MAX_LISTED ? Stream.of("  and " + (lost.size() - MAX_LISTED) + " more") : Stream.empty();
        return Stream.of(
                        Stream.of("whole: "),
                        whole.lines().stream(),
                        Stream.of("", "without"),
                        names,
                        more,
                        Stream.of(""),
                        left.lines().stream())
                .flatMap(lines -> lines)
                .map(String::stripTrailing)
                .toList();
    }

    @Override
    public boolean isRefused() {
        return whole.isRefused() || left.isRefused();
    }

    @Override
    public boolean isFailed() {
        return whole.isFailed() || left.isFailed();
    }
}
