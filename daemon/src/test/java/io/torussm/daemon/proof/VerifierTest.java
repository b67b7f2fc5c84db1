package io.torussm.daemon.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.proof.ChannelRanks;
import io.torussm.proof.FabricProof;
import io.torussm.proof.FabricTables;
import io.torussm.testing.Programs;
import io.torussm.testing.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code packaging/verify-certificate.py}, which shares no line and no idea with the search for ranks: it
 * accepts our certificates, and none for tables or ranks that were changed so that they are wrong. Whether a
 * change makes them wrong is judged by {@link FabricProof#check}, which walks in-trees of sets of SLs, while
 * the verifier walks path by path; a change that leaves a valid proof behind is drawn again and does not
 * count.
 */
@Tag("interop")
class VerifierTest {
    private static final Path VERIFIER = Path.of("../packaging/verify-certificate.py");
    /** The verifier that Coq proved, if it is built. */
    private static final Path PROVED = Path.of("../packaging/proof/target/verify-certificate");

    private static final int MUTANTS = 30;

    @TempDir
    Path dir;

    @ParameterizedTest
    @CsvSource({
        "dnup, torus44",
        "dor, mesh344",
        "lash, torus55",
        "lash, lmc1",
        "minhop, ft3_k4",
        "updn, ring8",
        "updn, 2ports",
        "sssp, ft3"
    })
    void acceptsWhatOpenSmComputed(String engine, String name) throws Exception {
        Path at = ProvableFiles.recorded(engine, name, dir);
        OptionalInt none = OptionalInt.empty();
        assertThat(certify(at, new Assumptions(none, none, 1, name.equals("lmc1") ? 1 : 0)))
                .isTrue();
        Verdict verdict = verify(at.resolve("certificate"));
        assertThat(verdict.output()).contains("\na proof: ");
        assertThat(verdict.code()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"'torus:5x5x1'", "'torus:3x3x3,hosts=2'", "'torus:4x4x2,links=2'", "'torus:4x4x4,mesh=z'"})
    void acceptsOurTorus(String spec) throws Exception {
        assertThat(certify(ProvableFiles.torus(spec, dir), Assumptions.NONE)).isTrue();
        assertThat(verify(dir.resolve("certificate")).output())
                .contains("\na proof: ")
                .endsWith("hosts switches groups\n");
    }

    @Test
    void acceptsRoutesAndRejectsThemWithAnotherRank() throws Exception {
        Path file = Files.writeString(
                dir.resolve("net.json"),
                "{\"format\":\"torus-sm-network\",\"version\":1,\"routes\":[[\"a\",\"b 1\"],[\"b 1\",\"c\"]]}");
        NetworkFile network = new NetworkFile(file);
        String text =
                CertificateFile.networkText("test", network.routes().ranks().orElseThrow(), List.of(network.digest()));
        Path certificate = Files.writeString(dir.resolve("certificate"), text);
        assertThat(verify(certificate, "network=" + file).code()).isZero();
        assertThat(verify(certificate).code())
                .as("the certificate does not choose the file")
                .isEqualTo(2);
        Files.writeString(certificate, text.replace("b 1 1", "b 1 2"));
        assertThat(verify(certificate, "network=" + file))
                .isEqualTo(new Verdict(1, "NO PROOF: channel c has rank 2 after 2\n"));
    }

    @Test
    void doesNotTakeOtherFilesOrHalfACertificate() throws Exception {
        certify(ProvableFiles.torus("torus:3x3x1", dir), Assumptions.NONE);
        Path certificate = dir.resolve("certificate");
        String text = Files.readString(certificate);
        Files.writeString(certificate, text.substring(0, text.lastIndexOf("0x")));
        assertThat(verify(certificate).code()).isEqualTo(2);
        Files.writeString(certificate, text);
        Files.writeString(dir.resolve("opensm-sl2vl.dump"), "\n");
        assertThat(verify(certificate).output()).contains("is not the file that the certificate is about");
    }

    /**
     * Tables with a credit loop, and certificates whose head names other files: the author of a certificate
     * must not choose the files that are read.
     */
    @Test
    void isNotSteeredByTheCertificate() throws Exception {
        Path honest = dir.resolve("honest");
        assertThat(certify(ProvableFiles.torus("torus:4x3x1", honest), Assumptions.NONE))
                .isTrue();
        String text = Files.readString(honest.resolve("certificate"));
        Path loop = ProvableFiles.torus("torus:4x3x1", dir.resolve("loop"));
        Path sl2vl = loop.resolve("opensm-sl2vl.dump");
        Files.writeString(
                sl2vl, Files.readString(sl2vl).replaceAll("(?m)^( *\\d+ +\\d+ +:).*", "$1" + " 0".repeat(16)));
        String ofLoop = withDigests(text, loop);
        Path forged = loop.resolve("certificate");
        for (String forgery : List.of(
                text,
                ofLoop.replaceFirst("file sl2vl .*\n", ""),
                text.replace(" opensm-", " " + honest.toAbsolutePath() + "/opensm-"),
                text.replace(" opensm-", " ../honest/opensm-"),
                "torus-sm certificate 1\ncovers hosts switches groups\nchannels 0\nend\n",
                ofLoop.replaceFirst("file links .*\n", ""),
                ofLoop.replace("covers hosts", "covers all hosts"),
                ofLoop.replaceFirst("channels ", "assume lmc 40\nchannels "),
                ofLoop.replaceFirst("channels ", "assume group-sls\nchannels "),
                ofLoop.replaceFirst("channels ", "assume sl -1\nchannels "))) {
            Files.writeString(forged, forgery);
            assertThat(verify(forged).code())
                    .as(forgery.lines().limit(9).toList().toString())
                    .isEqualTo(2);
            assertThat(verify(forged, loop.toString()).code()).isEqualTo(2);
        }
        Files.writeString(forged, ofLoop);
        assertThat(verify(forged).code()).isEqualTo(1);
    }

    /** Else the paths to one of the two ports would not be checked. */
    @ParameterizedTest
    @CsvSource({
        "opensm-lfts.dump, portguid (0x\\w+), portguid %s, 'belongs to'",
        "opensm-subnet.lst, LID:(\\w+) PN:01, LID:%s PN:01, 'belongs to'",
        "opensm-subnet.lst, PN:(\\w+), PN:%s, 'a port has two cables'"
    })
    void refusesFilesThatContradictThemselves(String name, String words, String form, String fault) throws Exception {
        certify(ProvableFiles.torus("torus:3x3x1", dir), Assumptions.NONE);
        Path certificate = dir.resolve("certificate");
        Path file = dir.resolve(name);
        String text = Files.readString(file);
        List<String> found = Pattern.compile(words)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
        Files.writeString(file, text.replaceFirst(words, String.format(form, found.get(found.size() - 1))));
        Files.writeString(certificate, withDigests(Files.readString(certificate), dir));
        assertThat(verify(certificate).code()).as(fault).isEqualTo(2);
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> files(dir).read(Assumptions.NONE))
                .withMessageContaining(fault);
    }

    @Test
    void provesNothingOfNothing() throws Exception {
        certify(ProvableFiles.torus("torus:3x3x1", dir), Assumptions.NONE);
        Path certificate = dir.resolve("certificate");
        for (String name : List.of("opensm-subnet.lst", "opensm-lfts.dump")) {
            Files.writeString(dir.resolve(name), "\n");
        }
        Files.writeString(certificate, withDigestsOf(Files.readString(certificate)));
        Verdict verdict = verify(certificate);
        assertThat(verdict.code()).isEqualTo(2);
        assertThat(verdict.output()).contains("there is no path to prove anything of");
    }

    @Test
    void rejectsMutants() throws Exception {
        assertThat(rejected("torus:4x3x1", Seeds.random(1), MUTANTS)).hasSize(Mutation.values().length);
    }

    /** A thousand of them. */
    @Test
    @Tag("campaign")
    void rejectsAThousandMutants() throws Exception {
        Map<String, Integer> rejected = new TreeMap<>();
        for (String spec : List.of("torus:4x3x2", "torus:5x5x1", "torus:3x3x3", "torus:4x4x2,links=2")) {
            rejected(spec, Seeds.random(spec.hashCode()), 250)
                    .forEach((kind, count) -> rejected.merge(kind, count, Integer::sum));
        }
        System.out.println("rejected: " + rejected);
        assertThat(rejected.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(1000);
    }

    private record Verdict(int code, String output) {}

    private static Verdict verify(Path certificate, String... more) throws IOException, InterruptedException {
        Verdict verdict =
                run(List.of(Programs.requireProgram("python3"), VERIFIER.toString(), certificate.toString()), more);
        checkProved(verdict.code(), certificate, more);
        return verdict;
    }

    private static void checkProved(int code, Path certificate, String... more)
            throws IOException, InterruptedException {
        if (Files.isExecutable(PROVED)) {
            Verdict proved = run(List.of(PROVED.toString(), certificate.toString()), more);
            assertThat(proved.code()).as(proved.output()).isEqualTo(code);
        }
    }

    private static Verdict run(List<String> program, String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Verdict(process.waitFor(), output);
    }

    private static FabricFiles files(Path at) throws Exception {
        return new FabricFiles(Optional.of(at), Map.of());
    }

    /** Writes the certificate beside the files; false if there is none. */
    private static boolean certify(Path at, Assumptions assumptions) throws Exception {
        FabricFiles.Content content = files(at).read(assumptions);
        Optional<ChannelRanks> ranks = FabricProof.of(content.tables()).ranks();
        if (ranks.isPresent()) {
            String text = CertificateFile.fabricText("test", ranks.get(), content.digests(), assumptions);
            Files.writeString(at.resolve("certificate"), text);
        }
        return ranks.isPresent();
    }

    private String withDigestsOf(String certificate) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        String sha = HexFormat.of().formatHex(digest.digest("\n".getBytes(StandardCharsets.UTF_8)));
        return certificate
                .replaceFirst("(file links \\S+) .*", "$1 " + sha)
                .replaceFirst("(file tables \\S+) .*", "$1 " + sha);
    }

    /** Makes so many mutants that are wrong, and has the verifier reject each; how many there were of each kind. */
    private Map<String, Integer> rejected(String spec, Random random, int count) throws Exception {
        Path at = dir.resolve(spec.replaceAll("\\W", "-"));
        assertThat(certify(ProvableFiles.torus(spec, at), Assumptions.NONE)).isTrue();
        ChannelRanks ranks = CertificateFile.read(at.resolve("certificate")).ranks();
        Map<String, Integer> made = new TreeMap<>();
        try (Batch batch = new Batch()) {
            mutate(at, ranks, random, count, batch, made);
        }
        return made;
    }

    private static void mutate(
            Path at, ChannelRanks ranks, Random random, int count, Batch batch, Map<String, Integer> made)
            throws Exception {
        for (int mutant = 0; mutant < count; ) {
            Mutation mutation = Mutation.values()[random.nextInt(Mutation.values().length)];
            Path file = at.resolve(mutation.file);
            String original = Files.readString(file);
            String certificate = Files.readString(at.resolve("certificate"));
            Files.writeString(file, mutation.apply(original, random));
            if (isWrong(at, ranks, mutation)) {
                Files.writeString(
                        at.resolve("certificate"), withDigests(Files.readString(at.resolve("certificate")), at));
                assertThat(batch.verify(at.resolve("certificate")))
                        .as(mutation + " of " + at)
                        .startsWith("NO PROOF: ");
                checkProved(1, at.resolve("certificate"));
                made.merge(mutation.name(), 1, Integer::sum);
                mutant++;
            }
            Files.writeString(file, original);
            Files.writeString(at.resolve("certificate"), certificate);
        }
    }

    /** The verifier as one process for many certificates, since a start takes longer than a verification. */
    private static final class Batch implements AutoCloseable {
        private static final String LOOP = """
                import contextlib, importlib.util, io, sys
                spec = importlib.util.spec_from_file_location('verifier', sys.argv[1])
                verifier = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(verifier)
                for line in sys.stdin:
                    try:
                        with contextlib.redirect_stdout(io.StringIO()):
                            verifier.main(line.rstrip())
                        print('a proof', flush=True)
                    except verifier.NoProof as wrong:
                        print('NO PROOF:', wrong, flush=True)
                """;

        private final Process process;
        private final BufferedReader verdicts;

        Batch() throws IOException {
            process = new ProcessBuilder(Programs.requireProgram("python3"), "-B", "-c", LOOP, VERIFIER.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            verdicts = process.inputReader(StandardCharsets.UTF_8);
        }

        /** Returns the verdict as a line; empty if the files cannot be used. */
        String verify(Path certificate) throws IOException {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(certificate + "\n")
                    .flush();
            String verdict = verdicts.readLine();
            return verdict == null ? "" : verdict;
        }

        @Override
        public void close() {
            process.destroy();
        }
    }

    private static boolean isWrong(Path at, ChannelRanks ranks, Mutation mutation) throws Exception {
        FabricTables tables = files(at).read(Assumptions.NONE).tables();
        ChannelRanks now = mutation.isOfRanks()
                ? CertificateFile.read(at.resolve("certificate")).ranks()
                : ranks;
        return !FabricProof.check(tables, now).isEmpty();
    }

    /** Returns the certificate of other files: its lines with their digests. */
    private static String withDigests(String certificate, Path at) throws Exception {
        String text = certificate;
        for (FabricFiles.Digest digest : files(at).digests()) {
            text = text.replaceAll(
                    "file " + digest.role().word() + " .*",
                    "file " + digest.role().word() + " " + digest.name() + " " + digest.sha256());
        }
        return text;
    }

    /** The kinds of changes, each in one place. */
    private enum Mutation {
        RANK("certificate", "0x") {
            @Override
            String change(String line, Random random) {
                return line.replaceFirst("\\d+$", String.valueOf(random.nextInt(40)));
            }
        },
        CHANNEL("certificate", "0x") {
            @Override
            String change(String line, Random random) {
                return "";
            }
        },
        ENTRY("opensm-lfts.dump", "0x") {
            @Override
            String change(String line, Random random) {
                return line.replaceFirst(" \\d+ ", String.format(" %03d ", random.nextInt(8)));
            }
        },
        ROW("opensm-sl2vl.dump", "") {
            @Override
            String change(String line, Random random) {
                String vls = IntStream.range(0, 16)
                        .mapToObj(sl -> String.valueOf(random.nextInt(8)))
                        .collect(Collectors.joining(" "));
                return line.substring(0, line.indexOf(':') + 1) + " " + vls;
            }
        },
        SL("opensm-path-sl.dump", "0x") {
            @Override
            String change(String line, Random random) {
                return line.replaceFirst("\\d+$", String.valueOf(random.nextInt(16)));
            }
        };

        final String file;
        private final String start;

        Mutation(String file, String start) {
            this.file = file;
            this.start = start;
        }

        abstract String change(String line, Random random);

        boolean isOfRanks() {
            return this == RANK || this == CHANNEL;
        }

        String apply(String text, Random random) {
            List<String> lines = new ArrayList<>(text.lines().toList());
            int[] candidates = IntStream.range(0, lines.size())
                    .filter(i -> start.isEmpty()
                            ? lines.get(i).matches("\\d+ +\\d+ +:.*")
                            : lines.get(i).startsWith(start))
                    .toArray();
            int at = candidates[random.nextInt(candidates.length)];
            String changed = change(lines.get(at), random);
            lines.set(at, changed);
            if (changed.isEmpty()) {
                lines.remove(at);
                lines.replaceAll(line -> line.startsWith("channels ") ? "channels " + (candidates.length - 1) : line);
            }
            return String.join("\n", lines) + "\n";
        }
    }
}
