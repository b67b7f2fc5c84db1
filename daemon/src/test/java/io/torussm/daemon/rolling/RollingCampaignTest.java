package io.torussm.daemon.rolling;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenSM, torus-sm and OpenSM again on all golden fabrics and on those of the other engines. */
@Tag("campaign")
class RollingCampaignTest {
    @TempDir
    Path dir;

    @Test
    void aRollingUpdateChangesNoEntryAndLosesNoPacket() throws Exception {
        String wanted = System.getProperty("rolling", "");
        List<String> names = wanted.isEmpty()
                ? Stream.concat(RollingCases.golden().stream(), RollingCases.ofEngines().stream())
                        .toList()
                : List.of(wanted.split(","));
        Rolling.HandoverMethod way = Rolling.HandoverMethod.valueOf(System.getProperty("rolling.way", "COMMANDS"));
        Path files = Path.of(System.getProperty("rolling.files", dir.toString()));
        RollingTable table = new RollingTable(Path.of(System.getProperty("rolling.report", "target/rolling.txt")));
        List<String> rough = new ArrayList<>();
        for (String name : names) {
            RollingCase fabric = RollingCases.byName(name);
            Path own = Files.createDirectories(files.resolve(name.replace('/', '-')));
            try (Rolling rolling = new Rolling(fabric, own)) {
                List<MasterChange> changes = rolling.roll(way);
                table.add(name + (rolling.isRouted() ? "" : " (OpenSM refuses)"), changes);
                changes.stream()
                        .skip(rolling.isRouted() ? 0 : 1)
                        .filter(each -> !each.isSmooth())
                        .forEach(each -> rough.add(name + ": " + each.name()));
            } catch (IOException | RuntimeException e) {
                table.addFailure(name, e);
                rough.add(name + ": " + e.getMessage());
            }
        }
        table.end();
        assertThat(rough).isEmpty();
    }
}
