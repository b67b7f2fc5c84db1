package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bill of materials of the package: it has all that the CycloneDX schema requires, and only the listed
 * components.
 */
class SbomTest {
    private static final Set<String> COMPONENT =
            Set.of("type", "bom-ref", "group", "name", "version", "hashes", "purl");

    @TempDir
    Path dir;

    @Test
    void namesEachJarByCoordinatesChecksumAndLicence() throws Exception {
        List<Path> jars = new ArrayList<>(LibrariesTest.libraries().toList());
        jars.add(own());
        assertThat(make(jars)).isZero();
        byte[] bytes = Files.readAllBytes(dir.resolve("sbom.json"));
        JsonNode sbom = new ObjectMapper().readTree(bytes);
        assertThat(sbom.path("bomFormat").asText()).isEqualTo("CycloneDX");
        assertThat(sbom.path("specVersion").asText()).isEqualTo("1.5");
        assertThat(sbom.path("version").asInt()).isEqualTo(1);
        assertThat(sbom.path("serialNumber").asText())
                .matches("urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
        assertThat(Instant.parse(sbom.at("/metadata/timestamp").asText())).isNotNull();
        assertThat(sbom.at("/metadata/component/type").asText()).isEqualTo("application");
        List<JsonNode> components = new ArrayList<>();
        sbom.path("components").forEach(components::add);
        assertThat(components).hasSameSizeAs(jars).allSatisfy(component -> {
            Set<String> names =
                    component.properties().stream().map(field -> field.getKey()).collect(Collectors.toSet());
            assertThat(names).containsAll(COMPONENT);
            assertThat(component.at("/hashes/0/alg").asText()).isEqualTo("SHA-256");
            assertThat(component.at("/hashes/0/content").asText()).matches("[0-9a-f]{64}");
            assertThat(component.path("purl").asText())
                    .matches("pkg:maven/[a-z0-9.-]+/[a-z0-9-]+@[0-9A-Za-z.-]+([?]classifier=[a-z]+)?");
            assertThat(component.has("licenses"))
                    .isNotEqualTo(component.path("group").asText().equals("io.torussm"));
        });
        assertThat(components)
                .extracting(component -> component.path("bom-ref").asText())
                .doesNotHaveDuplicates()
                .contains(
                        "pkg:maven/com.github.jnr/jffi@1.4.3?classifier=native", "pkg:maven/io.torussm/sm-core@1.2.3");
        assertThat(sbom.at("/dependencies/0/dependsOn")).hasSameSizeAs(jars);
        make(jars);
        assertThat(Files.readAllBytes(dir.resolve("sbom.json")))
                .as("the same bytes")
                .isEqualTo(bytes);
    }

    @Test
    void refusesAJarThatIsNotListed() throws Exception {
        Path changed = Files.writeString(dir.resolve("picocli-4.7.7.jar"), "something else");
        assertThat(make(List.of(changed))).isEqualTo(1);
        assertThat(Files.readString(dir.resolve("errors"), StandardCharsets.UTF_8))
                .contains("picocli-4.7.7.jar");
    }

    private int make(List<Path> jars) throws Exception {
        List<String> command = new ArrayList<>(List.of("../packaging/sbom.sh", "1.2.3"));
        jars.forEach(jar -> command.add(jar.toString()));
        return new ProcessBuilder(command)
                .redirectOutput(dir.resolve("sbom.json").toFile())
                .redirectError(dir.resolve("errors").toFile())
                .start()
                .waitFor();
    }

    private Path own() throws Exception {
        return Files.writeString(dir.resolve("sm-core-1.2.3.jar"), "classes");
    }
}
