package io.torussm.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ProgramsTest {
    @Test
    void eachProgramIsInAPackageThatIsInstalledForTests() throws Exception {
        Matcher line = Pattern.compile("^test_packages=\"(.*)\"$", Pattern.MULTILINE)
                .matcher(Files.readString(Path.of("../packaging/prerequisites.sh")));
        assertThat(line.find()).isTrue();
        Set<String> installed = new HashSet<>(Arrays.asList(line.group(1).split(" ", -1)));
        assertThat(installed).containsAll(Programs.PACKAGES.values());
    }

    @Test
    void aProgramWithoutAPackageIsRejected() {
        assertThatThrownBy(() -> Programs.requireProgram("absent")).hasMessageContaining("no package for absent");
    }

    @Test
    void aProgramIsFoundIfItIsInstalled() {
        assertThat(Programs.find("sh")).isPresent();
        assertThat(Programs.find("no-such-program")).isEmpty();
    }
}
