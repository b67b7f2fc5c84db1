package io.torussm.daemon.console.sm;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.TextTable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.SmControl;
import io.torussm.view.CableHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The command that lists the times when cables went down and came back. */
public final class HistoryCommand {
    private static final String FLAPS = "flaps";
    private static final int DEFAULT_SHOWN = 20;
    private static final int MAX_SHOWN = 9999;
    private static final int MAX_NAME = 120;

    private final SmControl control;

    private record Change(Instant at, CableHistory.EntryType kind, String near, String far) {
        static Change of(CableHistory.Entry entry) {
            return new Change(
                    entry.at(), entry.kind(), entry.near().text(), entry.far().text());
        }
    }

    private record Changes(List<Change> changes) implements Facts {
        @Override
        public List<String> lines() {
            TextTable table = new TextTable("time", "", "cable from", "to");
            changes.forEach(each -> table.row(
                    each.at(),
                    each.kind(),
                    Printable.text(each.near(), MAX_NAME),
                    Printable.text(each.far(), MAX_NAME)));
            return changes.isEmpty() ? List.of("nothing is known") : table.lines();
        }
    }

    private record Flap(String near, String far, int downs, Change last) {}

    private record Flaps(List<Flap> cables) implements Facts {
        @Override
        public List<String> lines() {
            TextTable table = new TextTable("downs", "last", "at", "cable from", "to");
            cables.forEach(each -> table.row(
                    each.downs(),
                    each.last().kind(),
                    each.last().at(),
                    Printable.text(each.near(), MAX_NAME),
                    Printable.text(each.far(), MAX_NAME)));
            return cables.isEmpty() ? List.of("no cable went down") : table.lines();
        }
    }

    public HistoryCommand(SmControl control) {
        this.control = control;
    }

    public Command command() {
        return Command.query(
                "history [flaps|TEXT] [COUNT]",
                "when cables went down and came back; flaps: how often each, the worst first",
                this::history,
                "TEXT: only cables with it in the name, place or GUID of a device. COUNT: " + DEFAULT_SHOWN
                        + " by default.",
                "It is kept over restarts, and with replication by all SMs.");
    }

    private Answer history(List<String> arguments) {
        List<String> words = new ArrayList<>(arguments);
        int count = DEFAULT_SHOWN;
        if (!words.isEmpty() && words.get(words.size() - 1).matches("[1-9]\\d{0,3}")) {
            count = Integer.parseInt(words.remove(words.size() - 1));
        }
        if (words.size() > 1) {
            throw new UsageException("COUNT is a number from 1 to " + MAX_SHOWN);
        }
        boolean isFlaps = words.equals(List.of(FLAPS));
        return Answer.of(isFlaps ? flaps(count) : changes(words.isEmpty() ? "" : words.get(0), count));
    }

    private Changes changes(String text, int count) {
        List<Change> all = control.cableHistory().entries().stream()
                .filter(entry -> entry.isAbout(text))
                .map(Change::of)
                .toList();
        return new Changes(all.subList(Math.max(0, all.size() - count), all.size()));
    }

    private Flaps flaps(int count) {
        return new Flaps(control.cableHistory().cables().stream()
                .filter(cable -> cable.failures() > 0)
                .limit(count)
                .map(cable ->
                        new Flap(cable.near().text(), cable.far().text(), cable.failures(), Change.of(cable.last())))
                .toList());
    }
}
