package io.torussm.daemon.console.fabric;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.FirmwareKind;
import io.torussm.daemon.control.SmControl;
import io.torussm.event.DeviceText;
import io.torussm.inventory.Difference;
import io.torussm.inventory.ExpectedFabric;
import io.torussm.inventory.Inventory;
import io.torussm.view.PlacedSubnet;
import io.torussm.vport.VPortTable;
import io.torussm.vport.VPortTable.VPortCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command for differences from the accepted fabric. Accepting the discovered fabric needs {@code yes}. */
public final class InventoryCommand {
    private static final int MAX_SHOWN = 200;
    private static final int MAX_TEXT = 400;
    private static final long DISK_TIMEOUT_S = 10;

    /** How often a cable goes down before it is named. */
    private static final int MIN_FLAPS = 3;

    private static final int MAX_FLAPS = 20;

    private final SmControl control;

    private record Shown(String kind, String text) {
        static Shown of(Difference difference) {
            return new Shown(difference.kind().label(), Printable.text(difference.text(), MAX_TEXT));
        }
    }

    /** A cable that went down often, the last time at a time. */
    private record Flap(String near, String far, int downs, Instant last) {}

    /**
     * The differences.
     *
     * @param count number of all differences, some of which may be omitted
     * @param drained expected parts that are absent because they are drained or isolated
     * @param duplicates duplicate GUIDs
     * @param flapping cables that went down often
     * @param vports number of virtual ports, which are not compared; null if there are none
     * @param firmware firmware versions by kind of device, if they are read
     * @param remark action taken, or remedy
     */
    private record Differences(
            boolean isAccepted,
            int devices,
            int cables,
            int count,
            List<Shown> differences,
            List<Shown> drained,
            List<String> duplicates,
            List<Flap> flapping,
            @Nullable VPortCount vports,
            List<FirmwareKind> firmware,
            String remark)
            implements Facts {
        static Differences of(ExpectedFabric expected, List<Difference> all, String remark) {
            return new Differences(
                    !expected.isEmpty(),
                    expected.devices().size(),
                    expected.cables().size(),
                    all.size(),
                    differenceLines(all),
                    List.of(),
                    List.of(),
                    List.of(),
                    null,
                    List.of(),
                    remark);
        }

        Differences with(
                List<Shown> out,
                List<String> twice,
                List<Flap> flaps,
                @Nullable VPortCount virtual,
                List<FirmwareKind> kinds) {
            return new Differences(
                    isAccepted, devices, cables, count, differences, out, twice, flaps, virtual, kinds, remark);
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
            drained.forEach(each -> lines.add(each.kind() + ": " + each.text()));
            duplicates.forEach(each -> lines.add("duplicate: " + each));
            flapping.forEach(each -> lines.add("flapping: " + each.near() + " - " + each.far() + " went down "
                    + each.downs() + " times, last changed at " + each.last()));
            if (vports != null) {
                lines.add("virtual ports, which are not compared: " + vports);
            }
            firmware.forEach(each -> lines.add("firmware of " + Printable.text(each.text(), MAX_TEXT)));
            if (!remark.isEmpty()) {
                lines.add(remark);
            }
            return lines;
        }
    }

    public InventoryCommand(SmControl control) {
        this.control = control;
    }

    public Command command() {
        return Command.setting(
                "inventory [accept|forget] [FILE] [yes]",
                "differences from the accepted fabric; accept the present fabric or a file, or forget; without yes, show the effect",
                this::inventory,
                "The worst differences come first, at most " + MAX_SHOWN
                        + "; then drained devices, duplicate GUIDs, cables that went",
                "down " + MIN_FLAPS + " times and more, and firmware versions, if firmware_versions is on.",
                "FILE is a topology in the format of ibnetdiscover or of the file expected: a whole path, readable by all users.",
                "The accepted fabric is the file expected in state_dir.");
    }

    private Answer inventory(List<String> arguments) {
        String verb = arguments.isEmpty() ? "" : arguments.get(0);
        boolean isSure =
                arguments.size() > 1 && arguments.get(arguments.size() - 1).equals("yes");
        List<String> files = arguments.subList(Math.min(1, arguments.size()), arguments.size() - (isSure ? 1 : 0));
        boolean isKnown = List.of("", "accept", "forget").contains(verb);
        if (!isKnown || files.size() > (verb.equals("accept") ? 1 : 0)) {
            throw new UsageException();
        }
        if (!files.isEmpty()) {
            try {
                PlannedInventory.InventoryContent planned = PlannedInventory.read(files.get(0));
                return setExpected(planned.expected(), planned.warning(), isSure);
            } catch (PlannedInventory.Unusable e) {
                return Answer.refusal(Printable.text(String.valueOf(e.getMessage()), MAX_TEXT));
            }
        }
        return Answer.ofDiscoveredSubnet(control.state(), found -> switch (verb) {
            case "accept" -> setExpected(ExpectedFabric.of(found.fabric()), "", isSure);
            case "forget" -> setExpected(ExpectedFabric.NONE, "", isSure);
            default -> report(found);
        });
    }

    private Answer report(PlacedSubnet found) {
        Inventory inventory = control.inventory();
        ExpectedFabric expected = inventory.expected();
        String remark = expected.isEmpty() ? "inventory accept yes accepts the present fabric" : "";
        return Answer.of(Differences.of(expected, inventory.differencesOf(found.fabric()), remark)
                .with(
                        differenceLines(inventory.drained(found.fabric())),
                        duplicates(found),
                        flapping(),
                        vports(),
                        FirmwareKind.of(control.firmware(), found.fabric())));
    }

    private static List<Shown> differenceLines(List<Difference> all) {
        return all.stream().limit(MAX_SHOWN).map(Shown::of).toList();
    }

    /** Returns the GUIDs that discovery found at several devices. */
    private static List<String> duplicates(PlacedSubnet found) {
        return found.fabric().anomalies().stream()
                .map(DeviceText::text)
                .filter(text -> text.contains("duplicate "))
                .map(text -> Printable.text(text, MAX_TEXT))
                .limit(MAX_SHOWN)
                .toList();
    }

    private @Nullable VPortCount vports() {
        VPortTable table = control.vports();
        return table.vports() == 0 ? null : new VPortCount((int) table.vports(), (int) table.countActive());
    }

    private List<Flap> flapping() {
        return control.cableHistory().cables().stream()
                .filter(cable -> cable.failures() >= MIN_FLAPS)
                .limit(MAX_FLAPS)
                .map(cable -> new Flap(
                        Printable.text(cable.near().text(), MAX_TEXT),
                        Printable.text(cable.far().text(), MAX_TEXT),
                        cable.failures(),
                        cable.last().at()))
                .toList();
    }

    private Answer setExpected(ExpectedFabric wanted, String warning, boolean isSure) {
        String ofFile = warning.isEmpty() ? "" : "; warning: " + Printable.text(warning, MAX_TEXT);
        String what = wanted.isEmpty()
                ? "nothing is expected"
                : wanted.devices().size() + " devices and " + wanted.cables().size() + " cables are expected";
        Inventory inventory = control.inventory();
        if (!isSure) {
            List<Difference> changes = wanted.isEmpty() ? List.of() : inventory.changesTo(wanted);
            String remark = "nothing was done; append yes, and " + what + ofFile;
            return Answer.of(Differences.of(inventory.expected(), changes, remark));
        }
        return Answer.ofChange(
                control.setExpectedFabric(wanted),
                DISK_TIMEOUT_S,
                "the SM is busy, or its disk is slow; ask inventory later whether it was done",
                isWritten -> isWritten
                        ? Answer.done(what + " from now on" + ofFile)
                        : Answer.refusal(what + " until the end of this run: the file cannot be written; see the log"));
    }
}
