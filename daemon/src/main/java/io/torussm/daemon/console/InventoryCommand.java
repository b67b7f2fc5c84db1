package io.torussm.daemon.console;

import io.torussm.daemon.control.SmControl;
import io.torussm.inventory.Difference;
import io.torussm.inventory.ExpectedFabric;
import io.torussm.inventory.Inventory;
import io.torussm.view.PlacedSubnet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What differs from the fabric that was accepted; accepting the one that was found changes nothing without a yes. */
final class InventoryCommand {
    private static final int MAX_SHOWN = 200;
    private static final int MAX_TEXT = 400;
    private static final long DISK_S = 10;

    private final SmControl control;

    private record Shown(String kind, String text) {}

    /**
     * What differs.
     *
     * @param count of all differences, of which not all need be shown
     * @param remark what was done, or what to do
     */
    private record Differences(
            boolean isAccepted, int devices, int cables, int count, List<Shown> differences, String remark)
            implements Facts {
        static Differences of(ExpectedFabric expected, List<Difference> all, String remark) {
            return new Differences(
                    !expected.isEmpty(),
                    expected.devices().size(),
                    expected.cables().size(),
                    all.size(),
                    all.stream()
                            .limit(MAX_SHOWN)
                            .map(each -> new Shown(each.kind().label(), Printable.text(each.text(), MAX_TEXT)))
                            .toList(),
                    remark);
        }

        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add(
                    isAccepted
                            ? "expected: " + devices + " devices, " + cables + " cables; differences: " + count
                            : "nothing is expected yet");
            differences.forEach(each -> lines.add(each.kind() + ": " + each.text()));
            if (count > differences.size()) {
                lines.add("and " + (count - differences.size()) + " more");
            }
            if (!remark.isEmpty()) {
                lines.add(remark);
            }
            return lines;
        }
    }

    InventoryCommand(SmControl control) {
        this.control = control;
    }

    Command command() {
        return Command.sets(
                "inventory [accept|forget] [yes]",
                "what differs from the fabric that was accepted; accept what was found, or forget; without yes, what that would do",
                this::inventory,
                "The worst differences come first, at most " + MAX_SHOWN + ".",
                "What was accepted is the file expected in state_dir.");
    }

    private Answer inventory(List<String> arguments) {
        String verb = arguments.isEmpty() ? "" : arguments.get(0);
        boolean isSure = arguments.size() == 2 && arguments.get(1).equals("yes");
        if (!List.of("", "accept", "forget").contains(verb) || arguments.size() > 1 && !isSure) {
            throw new UsageException();
        }
        return Answer.ofFound(control.state(), found -> switch (verb) {
            case "accept" -> change(ExpectedFabric.of(found.fabric()), isSure);
            case "forget" -> change(ExpectedFabric.NONE, isSure);
            default -> report(found);
        });
    }

    private Answer report(PlacedSubnet found) {
        Inventory inventory = control.inventory();
        ExpectedFabric expected = inventory.expected();
        String remark = expected.isEmpty() ? "inventory accept yes expects what is there now" : "";
        return Answer.of(Differences.of(expected, inventory.against(found.fabric()), remark));
    }

    private Answer change(ExpectedFabric wanted, boolean isSure) {
        String what = wanted.isEmpty()
                ? "nothing is expected"
                : wanted.devices().size() + " devices and " + wanted.cables().size() + " cables are expected";
        Inventory inventory = control.inventory();
        if (!isSure) {
            List<Difference> changes = wanted.isEmpty() ? List.of() : inventory.changesTo(wanted);
            String remark = "nothing was done; append yes, and " + what;
            return Answer.of(Differences.of(inventory.expected(), changes, remark));
        }
        try {
            return control.expect(wanted).get(DISK_S, TimeUnit.SECONDS)
                    ? Answer.done(what + " from now on")
                    : Answer.bad(what + " until the end of this run: the file cannot be written; see the log");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.bad("interrupted");
        } catch (ExecutionException | TimeoutException e) {
            return Answer.bad("the SM is busy, or its disk is slow; ask inventory later whether it was done");
        }
    }
}
