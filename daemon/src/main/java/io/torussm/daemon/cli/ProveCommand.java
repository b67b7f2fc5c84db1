package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.proof.Assumptions;
import io.torussm.daemon.proof.CertificateFile;
import io.torussm.daemon.proof.FabricFiles;
import io.torussm.daemon.proof.FabricFiles.Role;
import io.torussm.daemon.proof.NetworkFile;
import io.torussm.daemon.proof.ProofReport;
import io.torussm.daemon.system.ExitCode;
import io.torussm.daemon.system.Version;
import io.torussm.proof.ChannelRanks;
import io.torussm.proof.ChannelRoutes;
import io.torussm.proof.FabricProof;
import io.torussm.proof.FabricTables;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    private static final int LAST_SL = 15;
    private static final int LAST_LMC = 7;

    @Override
    public String name() {
        return "prove";
    }

    @Override
    public String words() {
        return "[OPTIONS] DIR|FILE";
    }

    @Override
    public void describe(CommandSpec spec) {
        spec.usageMessage()
                .description("Prove from files whether the tables of a fabric, of any SM, can deadlock: of"
                        + " hosts, with ports 0 of switches, with multicast groups. Names lost packets, the"
                        + " shortest credit loop, and a path behind each of its steps; writes a certificate that"
                        + " others can check.")
                .footer(
                        "Exit codes: 0 free and whole, 2 bad files or usage, 10 packets are lost, 11 credit loop of"
                                + " hosts,",
                        "12 with ports 0 of switches, 13 with groups, 14 the certificate given is no proof.");
        CommandWords.addOptionalWord(
                spec,
                0,
                "DIR|FILE",
                "dumps of OpenSM or torus-sm, files of ibdiagnet or ibdmchk, by their usual names; or a network as"
                        + " JSON");
        for (Role role : Role.values()) {
            if (!role.names().isEmpty()) {
                CommandWords.addText(
                        spec,
                        "FILE",
                        "file of " + role.word() + " instead, such as " + String.join(", ", role.names()),
                        "--" + role.word());
            }
        }
        CommandWords.addText(
                spec,
                "N",
                "SL of pairs of hosts that files do not list; else 0 if no pair is listed, and no path if some are",
                SL);
        CommandWords.addText(
                spec,
                "N",
                "SL of packets from and to ports 0 of switches, if files do not list it; else as --sl if no pair is"
                        + " listed, and unknown if some are",
                SWITCH_SL);
        CommandWords.addText(spec, "N[,..]", "SLs that multicast groups have; else 0", GROUP_SLS);
        CommandWords.addText(spec, "N", "LMC of all ports, if files do not say it; else 0", LMC);
        CommandWords.addText(spec, "FILE", "write a certificate; nothing is overwritten", CERTIFICATE);
        CommandWords.addText(spec, "FILE", "check this certificate against the files, instead of a proof", CHECK);
        CommandWords.addJson(spec);
    }

    @Override
    public ExitCode run(ParseResult parsed, PrintStream out, PrintStream err) throws ConfigurationException {
        try (ProgressLine progress = ProgressLine.on(err)) {
            return run(parsed, progress, out);
        }
    }

    private ExitCode run(ParseResult parsed, ProgressLine progress, PrintStream out) throws ConfigurationException {
        Assumptions assumed = assumptions(parsed);
        Path certificate = CommandWords.path(parsed, CERTIFICATE);
        String word = parsed.matchedPositionalValue(0, null);
        Path place = word == null ? null : CommandWords.path(word);
        progress.begin("reading files");
        if (place != null && Files.isRegularFile(place)) {
            return routes(new NetworkFile(place), certificate, parsed, progress, out);
        }
        if (place != null && !Files.isDirectory(place)) {
            throw new ConfigurationException(List.of("there is no directory and no file " + place));
        }
        FabricFiles.Content content = new FabricFiles(Optional.ofNullable(place), named(parsed)).read(assumed);
        Path given = CommandWords.path(parsed, CHECK);
        progress.begin(given == null ? "proving" : "checking the certificate");
        return given == null
                ? fabric(content, assumed, certificate, parsed, progress, out)
                : check(content.tables(), CertificateFile.read(given), progress, out);
    }

    private static ExitCode fabric(
            FabricFiles.Content content,
            Assumptions assumed,
            @Nullable Path certificate,
            ParseResult parsed,
            ProgressLine progress,
            PrintStream out)
            throws ConfigurationException {
        FabricProof proof = FabricProof.of(content.tables());
        Optional<ChannelRanks> ranks = proof.ranks();
        if (certificate != null && ranks.isPresent()) {
            write(certificate, CertificateFile.text(Version.TEXT, ranks.get(), content.digests(), assumed));
        }
        ProofReport report = ProofReport.of(content, proof);
        progress.end();
        if (CommandWords.wantsJson(parsed)) {
            CommandWords.printJson(report, out);
        } else {
            report.lines().forEach(out::println);
            if (certificate != null) {
                out.println(
                        ranks.isPresent()
                                ? "certificate: " + certificate
                                : "no certificate: there is none for tables that have a credit loop or lose packets of"
                                        + " hosts");
            }
        }
        return verdict(proof);
    }

    private static ExitCode check(FabricTables tables, ChannelRanks ranks, ProgressLine progress, PrintStream out) {
        List<String> wrong = FabricProof.check(tables, ranks);
        progress.end();
        wrong.forEach(line -> out.println("NO PROOF: " + line));
        if (wrong.isEmpty()) {
            out.println("the certificate is a proof for these files: "
                    + ranks.channels().size() + " channels, hosts"
                    + (ranks.coversSwitches() ? ", ports 0 of switches" : "")
                    + (ranks.coversGroups() ? ", groups" : ""));
        }
        return wrong.isEmpty() ? ExitCode.OK : ExitCode.NO_PROOF;
    }

    private static ExitCode verdict(FabricProof proof) {
        if (!proof.hosts().isFree()) {
            return ExitCode.CREDIT_LOOP;
        } else if (proof.withSwitches().filter(verdict -> !verdict.isFree()).isPresent()) {
            return ExitCode.CREDIT_LOOP_WITH_SWITCHES;
        } else if (!proof.withGroups().isFree()
                || proof.withAll().filter(verdict -> !verdict.isFree()).isPresent()) {
            return ExitCode.CREDIT_LOOP_WITH_GROUPS;
        }
        return proof.isWhole() ? ExitCode.OK : ExitCode.PACKETS_LOST;
    }

    private static ExitCode routes(
            NetworkFile network, @Nullable Path certificate, ParseResult parsed, ProgressLine progress, PrintStream out)
            throws ConfigurationException {
        ChannelRoutes routes = network.routes();
        Optional<Map<String, Integer>> ranks = routes.ranks();
        List<ChannelRoutes.Wait> circle = ranks.isPresent() ? List.of() : routes.circle();
        if (certificate != null && ranks.isPresent()) {
            write(certificate, CertificateFile.text(Version.TEXT, ranks.get(), List.of(network.digest())));
        }
        progress.end();
        RoutesReport report = new RoutesReport(
                routes.routes(), routes.channels(), routes.dependencies(), ranks.isPresent() ? "free" : "loop", circle);
        if (CommandWords.wantsJson(parsed)) {
            CommandWords.printJson(report, out);
        } else {
            report.lines().forEach(out::println);
        }
        return ranks.isPresent() ? ExitCode.OK : ExitCode.CREDIT_LOOP;
    }

    /** The verdict on routes of any network. */
    private record RoutesReport(
            int routes, int channels, int dependencies, String verdict, List<ChannelRoutes.Wait> circle) {
        List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add(routes + " routes over " + channels + " channels with " + dependencies + " dependencies: "
                    + (circle.isEmpty()
                            ? "free of deadlock"
                            : "can DEADLOCK, a circle of " + circle.size() + " channels:"));
            circle.forEach(wait -> lines.add("  " + wait.channel() + ", held by packets of routes[" + wait.route()
                    + "] while they wait for the next"));
            return lines;
        }
    }

    private static void write(Path file, String text) throws ConfigurationException {
        NewFile.create(file, text.getBytes(StandardCharsets.ISO_8859_1), NewFile.READABLE);
    }

    private static Map<Role, Path> named(ParseResult parsed) throws ConfigurationException {
        Map<Role, Path> named = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            Path file = role.names().isEmpty() ? null : CommandWords.path(parsed, "--" + role.word());
            if (file != null) {
                named.put(role, file);
            }
        }
        return named;
    }

    private static Assumptions assumptions(ParseResult parsed) throws ConfigurationException {
        int groupSls = 0;
        for (String word : parsed.matchedOptionValue(GROUP_SLS, "0").split(",", -1)) {
            OptionalInt sl = number(word, LAST_SL);
            if (sl.isEmpty()) {
                throw new ConfigurationException(List.of(GROUP_SLS + ": give SLs 0 to 15, with commas between them"));
            }
            groupSls |= 1 << sl.getAsInt();
        }
        return new Assumptions(
                option(parsed, SL, LAST_SL),
                option(parsed, SWITCH_SL, LAST_SL),
                groupSls,
                option(parsed, LMC, LAST_LMC).orElse(0));
    }

    private static OptionalInt option(ParseResult parsed, String option, int most) throws ConfigurationException {
        String text = parsed.matchedOptionValue(option, "");
        OptionalInt number = number(text, most);
        if (number.isEmpty() && !text.isEmpty()) {
            throw new ConfigurationException(
                    List.of(option + " \"" + text + "\": give a whole number from 0 to " + most));
        }
        return number;
    }

    private static OptionalInt number(String text, int most) {
        int number = text.matches("[0-9]{1,2}") ? Integer.parseInt(text) : most + 1;
        return number <= most ? OptionalInt.of(number) : OptionalInt.empty();
    }
}
