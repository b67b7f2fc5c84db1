package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.proof.Assumptions;
import io.torussm.daemon.proof.CertificateFile;
import io.torussm.daemon.proof.FabricCertificate;
import io.torussm.daemon.proof.FabricFiles;
import io.torussm.daemon.proof.FabricFiles.Role;
import io.torussm.daemon.proof.NetworkFile;
import io.torussm.daemon.proof.ProofReport;
import io.torussm.daemon.system.ExitCode;
import io.torussm.daemon.system.Version;
import io.torussm.proof.ChannelRanks;
import io.torussm.proof.ChannelRoutes;
import io.torussm.proof.FabricProof;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code torus-sm prove}: checks whether the tables in files, from any program, can deadlock. */
final class ProveCommand implements Subcommand {
    private static final String CERTIFICATE = "--certificate";
    private static final String CHECK = "--check";
    private static final String SL = "--sl";
    private static final String SWITCH_SL = "--switch-sl";
    private static final String GROUP_SLS = "--group-sls";
    private static final String LMC = "--lmc";
    private static final List<String> ASSUMPTIONS = List.of(SL, SWITCH_SL, GROUP_SLS, LMC);
    private static final int MAX_SL = 15;

    @Override
    public String name() {
        return "prove";
    }

    @Override
    public String synopsis() {
        return "[OPTIONS] DIR|FILE";
    }

    @Override
    public void describe(CommandSpec spec) {
        spec.usageMessage()
                .description("Proves from files of any SM whether packets can wait for each other forever: packets"
                        + " of hosts, then also of ports 0 of switches, then also of multicast groups. Names lost"
                        + " packets, the shortest credit loop, and a path behind each of its steps. Writes a"
                        + " certificate that other programs can check.")
                .footer(
                        "Exit codes: 0 no credit loop and no lost packet, 2 bad files or usage, 10 lost packets,",
                        "11 credit loop of hosts, 12 only with ports 0 of switches, 13 only with groups,",
                        "14 the certificate is no proof.");
        CommandWords.addOptionalWord(
                spec,
                0,
                "DIR|FILE",
                "dumps of OpenSM or torus-sm, files of ibdiagnet or ibdmchk, by their usual names; or a network as"
                        + " JSON");
        for (Role role : roles()) {
            CommandWords.addText(
                    spec,
                    "FILE",
                    "file of " + role.word() + " instead, such as " + String.join(", ", role.names()),
                    option(role));
        }
        CommandWords.addText(
                spec,
                "N",
                "SL of pairs of hosts that no file lists (default: 0; if a file lists other pairs, no path)",
                SL);
        CommandWords.addText(
                spec,
                "N",
                "SL of packets from and to ports 0 of switches that no file lists (default: that of --sl; if a file"
                        + " lists other pairs, unknown)",
                SWITCH_SL);
        CommandWords.addText(spec, "N[,..]", "SLs of multicast groups (default: 0)", GROUP_SLS);
        CommandWords.addText(spec, "N", "LMC of all ports, if no file has it (default: 0)", LMC);
        CommandWords.addText(spec, "FILE", "write a certificate to a new file", CERTIFICATE);
        CommandWords.addText(
                spec, "FILE", "check this certificate of the files, with its assumptions, in place of a proof", CHECK);
        CommandWords.addJson(spec);
    }

    @Override
    public ExitCode run(ParseResult parsed, PrintStream out, PrintStream err) throws ConfigurationException {
        try (ProgressLine progress = ProgressLine.on(err)) {
            return run(parsed, progress, out);
        }
    }

    private ExitCode run(ParseResult parsed, ProgressLine progress, PrintStream out) throws ConfigurationException {
        String argument = parsed.matchedPositionalValue(0, null);
        Path input = argument == null ? null : CommandWords.path(argument);
        Path certificateToWrite = CommandWords.newFile(parsed, CERTIFICATE);
        Path certificateToCheck = CommandWords.path(parsed, CHECK);
        progress.begin("reading files");
        if (input != null && Files.isRegularFile(input)) {
            List<String> ofFabrics = new ArrayList<>(List.of(CHECK));
            roles().forEach(role -> ofFabrics.add(option(role)));
            UnusedOptions.refuse(parsed, "a network", ofFabrics);
            UnusedOptions.refuse(parsed, "a network", ASSUMPTIONS);
            return proveNetwork(new NetworkFile(input), certificateToWrite, parsed, progress, out);
        } else if (input != null && !Files.isDirectory(input)) {
            throw new ConfigurationException(List.of("there is no directory and no file " + input));
        }
        if (certificateToCheck != null) {
            UnusedOptions.refuse(parsed, CHECK, ASSUMPTIONS);
            UnusedOptions.refuse(parsed, CHECK, List.of(CERTIFICATE));
        }
        FabricFiles files = new FabricFiles(Optional.ofNullable(input), filesByRole(parsed));
        if (certificateToCheck != null) {
            return checkCertificate(files, CertificateFile.read(certificateToCheck), parsed, progress, out);
        }
        return proveFabric(files, certificateToWrite, parsed, progress, out);
    }

    private static ExitCode proveFabric(
            FabricFiles files,
            @Nullable Path certificateToWrite,
            ParseResult parsed,
            ProgressLine progress,
            PrintStream out)
            throws ConfigurationException {
        Assumptions assumptions = assumptions(parsed);
        FabricFiles.Content content = files.read(assumptions);
        progress.begin("proving");
        FabricProof proof = FabricProof.of(content.tables());
        Optional<ChannelRanks> ranks = proof.ranks();
        Optional<String> certificate =
                ranks.map(found -> CertificateFile.fabricText(Version.TEXT, found, content.digests(), assumptions));
        List<String> lines = new ArrayList<>(ProofReport.of(content, proof).lines());
        lines.addAll(write(certificateToWrite, certificate, "hosts have a credit loop or lose packets"));
        progress.end();
        CommandWords.print(parsed, ProofReport.of(content, proof), lines, out);
        return exitCode(proof);
    }

    private static ExitCode checkCertificate(
            FabricFiles files,
            FabricCertificate certificate,
            ParseResult parsed,
            ProgressLine progress,
            PrintStream out)
            throws ConfigurationException {
        FabricFiles.Content content = files.read(certificate.assumptions());
        Optional<String> difference = certificate.fileDifference(content.digests());
        if (difference.isPresent()) {
            throw new ConfigurationException(List.of(difference.get()));
        }
        progress.begin("checking the certificate");
        ChannelRanks ranks = certificate.ranks();
        List<String> faults = FabricProof.check(content.tables(), ranks);
        progress.end();
        CheckReport report = new CheckReport(
                faults.isEmpty() ? "proof" : "no proof",
                ranks.channels().size(),
                ranks.coversSwitches(),
                ranks.coversGroups(),
                certificate.assumptions().lines(),
                faults);
        CommandWords.print(parsed, report, report.lines(), out);
        return faults.isEmpty() ? ExitCode.OK : ExitCode.NO_PROOF;
    }

    /**
     * Returns the code of the smallest set of traffic with a credit loop: hosts, then ports 0 of switches, then
     * groups. Lost packets count only if there is no credit loop.
     */
    private static ExitCode exitCode(FabricProof proof) {
        if (!proof.hosts().isFree()) {
            return ExitCode.CREDIT_LOOP;
        } else if (hasCreditLoop(proof.withSwitches())) {
            return ExitCode.CREDIT_LOOP_WITH_SWITCHES;
        } else if (!proof.withGroups().isFree() || hasCreditLoop(proof.withAll())) {
            return ExitCode.CREDIT_LOOP_WITH_GROUPS;
        }
        return proof.isWhole() ? ExitCode.OK : ExitCode.PACKETS_LOST;
    }

    /** Checks whether a verdict has a credit loop; an unknown verdict has none. */
    private static boolean hasCreditLoop(Optional<FabricProof.Verdict> verdict) {
        return verdict.isPresent() && !verdict.get().isFree();
    }

    private static ExitCode proveNetwork(
            NetworkFile network,
            @Nullable Path certificateToWrite,
            ParseResult parsed,
            ProgressLine progress,
            PrintStream out)
            throws ConfigurationException {
        ChannelRoutes routes = network.routes();
        Optional<Map<String, Integer>> ranks = routes.ranks();
        Optional<String> certificate =
                ranks.map(found -> CertificateFile.networkText(Version.TEXT, found, List.of(network.digest())));
        RoutesReport report = new RoutesReport(
                routes.routes(),
                routes.channels(),
                routes.dependencies(),
                ranks.isPresent() ? "free" : "loop",
                ranks.isPresent() ? List.of() : routes.creditLoop());
        List<String> lines = new ArrayList<>(report.lines());
        lines.addAll(write(certificateToWrite, certificate, "the network has a credit loop"));
        progress.end();
        CommandWords.print(parsed, report, lines, out);
        return ranks.isPresent() ? ExitCode.OK : ExitCode.CREDIT_LOOP;
    }

    /**
     * The answer of {@code --check}.
     *
     * @param verdict {@code proof} or {@code no proof}
     * @param coversSwitches whether it is about packets from and to ports 0 of switches, too
     * @param assumptions lines of the certificate
     * @param faults reasons why it is no proof
     */
    private record CheckReport(
            String verdict,
            int channels,
            boolean coversSwitches,
            boolean coversGroups,
            List<String> assumptions,
            List<String> faults) {
        List<String> lines() {
            List<String> lines = new ArrayList<>();
            assumptions.forEach(line -> lines.add("assumed: " + line));
            faults.forEach(line -> lines.add("NO PROOF: " + line));
            if (faults.isEmpty()) {
                lines.add("the certificate is a proof for these files: " + channels + " channels, hosts"
                        + (coversSwitches ? ", ports 0 of switches" : "")
                        + (coversGroups ? ", groups" : ""));
            }
            return lines;
        }
    }

    /**
     * The verdict on routes of any network.
     *
     * @param verdict {@code free} or {@code loop}
     * @param circle the shortest credit loop; empty if there is none
     */
    private record RoutesReport(
            int routes, int channels, int dependencies, String verdict, List<ChannelRoutes.Wait> circle) {
        List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add(routes + " routes over " + channels + " channels with " + dependencies + " dependencies: "
                    + (circle.isEmpty()
                            ? "free of credit loops"
                            : "can DEADLOCK, a credit loop of " + circle.size() + " channels:"));
            circle.forEach(wait -> lines.add("  " + wait.channel() + ", held by packets of routes[" + wait.route()
                    + "] while they wait for the next"));
            return lines;
        }
    }

    /** Writes a certificate if one is wanted, and returns the line about it. Names of channels are ASCII. */
    private static List<String> write(@Nullable Path file, Optional<String> certificate, String reasonForNone)
            throws ConfigurationException {
        if (file == null) {
            return List.of();
        } else if (certificate.isEmpty()) {
            return List.of("no certificate written: " + reasonForNone);
        }
        NewFile.create(file, certificate.get().getBytes(StandardCharsets.ISO_8859_1), NewFile.PUBLIC_MODE);
        return List.of("certificate: " + file);
    }

    private static List<Role> roles() {
        return Arrays.stream(Role.values())
                .filter(role -> !role.names().isEmpty())
                .toList();
    }

    private static String option(Role role) {
        return "--" + role.word();
    }

    private static Map<Role, Path> filesByRole(ParseResult parsed) throws ConfigurationException {
        Map<Role, Path> files = new EnumMap<>(Role.class);
        for (Role role : roles()) {
            Path file = CommandWords.path(parsed, option(role));
            if (file != null) {
                files.put(role, file);
            }
        }
        return files;
    }

    private static Assumptions assumptions(ParseResult parsed) throws ConfigurationException {
        int groupSls = 0;
        for (String word : parsed.matchedOptionValue(GROUP_SLS, "0").split(",", -1)) {
            OptionalInt sl = number(word, MAX_SL);
            if (sl.isEmpty()) {
                throw new ConfigurationException(
                        List.of(GROUP_SLS + ": give SLs 0 to " + MAX_SL + ", with commas between them"));
            }
            groupSls |= 1 << sl.getAsInt();
        }
        return new Assumptions(
                number(parsed, SL, MAX_SL),
                number(parsed, SWITCH_SL, MAX_SL),
                groupSls,
                number(parsed, LMC, Assumptions.MAX_LMC).orElse(0));
    }

    /** Returns the value of an option; empty if it is not given. */
    private static OptionalInt number(ParseResult parsed, String option, int max) throws ConfigurationException {
        if (!parsed.hasMatchedOption(option)) {
            return OptionalInt.empty();
        }
        String text = parsed.matchedOptionValue(option, "");
        OptionalInt number = number(text, max);
        if (number.isEmpty()) {
            throw new ConfigurationException(
                    List.of(option + " \"" + text + "\": give a whole number from 0 to " + max));
        }
        return number;
    }

    private static OptionalInt number(String text, int max) {
        if (!text.matches("[0-9]{1,2}") || Integer.parseInt(text) > max) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(Integer.parseInt(text));
    }
}
