package io.torussm.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The patches of {@code packaging/proof/planted.sh}, which runs too long for each build. */
class PlantedPatchesTest {
    private static final Path PLANTED = Path.of("src/test/resources/mastership/planted");

    @Test
    void everyPatchAppliesToThePresentRules() throws IOException {
        int patches = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(PLANTED, "*.patch")) {
            for (Path patch : files) {
                assertApplies(patch);
                patches++;
            }
        }
        assertThat(patches).isEqualTo(10);
    }

    /** Checks that the old lines of each hunk follow one another in the file. */
    private static void assertApplies(Path patch) throws IOException {
        List<String> lines = Files.readAllLines(patch);
        List<String> source =
                Files.readAllLines(Path.of("..").resolve(lines.get(0).substring("--- a/".length())));
        List<List<String>> hunks = new ArrayList<>();
        for (String line : lines.subList(2, lines.size())) {
            if (line.startsWith("@@")) {
                hunks.add(new ArrayList<>());
            } else if (!line.startsWith("+")) {
                hunks.get(hunks.size() - 1).add(line.substring(1));
            }
        }
        assertThat(hunks).as(patch.toString()).isNotEmpty();
        hunks.forEach(hunk -> assertThat(source).as(patch.toString()).containsSequence(hunk));
    }
}
