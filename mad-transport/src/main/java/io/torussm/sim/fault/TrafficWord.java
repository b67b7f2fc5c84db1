package io.torussm.sim.fault;

import io.torussm.sim.SimTraffic;
import java.util.List;

/** The command for traffic between all hosts. */
final class TrafficWord {
    static final String USAGE = "Traffic [packets-per-second|anew]";

    /** Max lost packets that are shown. */
    private static final int MAX_SHOWN_LOSSES = 5;

    private final Faults faults;
    private final SimTraffic traffic;

    TrafficWord(Faults faults, SimTraffic traffic) {
        this.faults = faults;
        this.traffic = traffic;
    }

    ConsoleWord.Action parse(ConsoleLine line) throws BadLineException {
        Arguments args = new Arguments(faults.nodes(), line, USAGE);
        if (args.removeIfEqual("anew")) {
            args.requireEnd();
            return ConsoleWord.silentAction(traffic::resetCounts);
        } else if (args.hasMore()) {
            int rate = (int) args.number(0, SimTraffic.MAX_RATE);
            args.requireEnd();
            return ConsoleWord.silentAction(() -> traffic.setRate(rate));
        }
        return () -> ConsoleReply.success(text());
    }

    private String text() {
        SimTraffic.Tally tally = traffic.tally();
        StringBuilder text = new StringBuilder(tally.rate() + " packets a second; sent " + tally.sent() + ", arrived "
                + tally.arrived() + ", lost " + tally.losses() + ", not sent " + tally.unsent() + "\n");
        tally.lost().forEach((reason, count) -> text.append("lost ")
                .append(reason)
                .append(' ')
                .append(count)
                .append('\n'));
        List<SimTraffic.Loss> last = traffic.lastLosses();
        last.subList(Math.max(0, last.size() - MAX_SHOWN_LOSSES), last.size())
                .forEach(loss -> text.append(TimeSpans.text(faults.loop().nowNs() - loss.atNs()))
                        .append(" ago ")
                        .append(loss.reason())
                        .append(" at ")
                        .append(loss.location())
                        .append(": from ")
                        .append(loss.from())
                        .append(" to LID ")
                        .append(loss.dlid())
                        .append('\n'));
        return text.toString();
    }
}
