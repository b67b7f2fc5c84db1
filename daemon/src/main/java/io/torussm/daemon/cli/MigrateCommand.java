package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.daemon.config.files.ServiceAccount;
import io.torussm.daemon.config.migration.ConvertedConf;
import io.torussm.daemon.config.migration.OpenSmMigration;
import io.torussm.daemon.opensm.SaDump;
import io.torussm.daemon.system.ExitCode;
import io.torussm.registration.SaContents;
import io.torussm.state.BoundedFile;
import io.torussm.state.StateFile;
import io.torussm.subnet.LidStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code torus-sm migrate-conf}: imports the configuration of OpenSM, its LIDs, and the registrations of
 * hosts with its SA. Never overwrites a file.
 */
final class MigrateCommand implements Subcommand {
    private static final String OUTPUT = "--output";
    private static final String LIDS = "--guid2lid";
    private static final String SA_DUMP = "--sa-dump";
    private static final String STATE_DIR = "--state-dir";

    /** The configuration that the unit reads. */
    private static final String PACKAGED_CONF = "torus-sm.conf";

    private static final String SECRET_MODE = "rw-r-----";
    private static final String OWNER_MODE = "rw-------";

    @Override
    public String name() {
        return "migrate-conf";
    }

    @Override
    public String synopsis() {
        return "FILE [OPTIONS]";
    }

    @Override
    public void describe(CommandSpec spec) {
        spec.usageMessage()
                .description(
                        "Read an opensm.conf and write a configuration of torus-sm, to standard output if no file is"
                                + " named. Options without a counterpart, and further steps, are written to standard error.")
                .footer("Nothing is overwritten. Exit codes: 0 written, 2 a file cannot be used, or exists.");
        CommandWords.addWord(spec, 0, "FILE", "opensm.conf");
        CommandWords.addText(
                spec,
                "FILE",
                "write the configuration there, with group and mode of a torus-sm.conf beside it, and copy the files"
                        + " that it names to the same directory",
                OUTPUT);
        CommandWords.addText(
                spec, "FILE", "take over LIDs: OpenSM's guid2lid, as in /var/cache/opensm; needs --state-dir", LIDS);
        CommandWords.addText(
                spec,
                "FILE",
                "take over groups with their MLIDs, services, event subscriptions and alias GUIDs: OpenSM's"
                        + " opensm-sa.dump; needs --state-dir",
                SA_DUMP);
        CommandWords.addText(spec, "DIR", "state directory that both go to, such as /var/lib/torus-sm", STATE_DIR);
    }

    /**
     * Migrates.
     *
     * @throws ConfigurationException if a file cannot be used
     */
    @Override
    public ExitCode run(ParseResult parsed, PrintStream out, PrintStream err) throws ConfigurationException {
        Path lids = CommandWords.path(parsed, LIDS);
        Path stateDir = CommandWords.path(parsed, STATE_DIR);
        Path saDump = CommandWords.path(parsed, SA_DUMP);
        if ((lids == null && saDump == null) != (stateDir == null)) {
            throw new ConfigurationException(
                    List.of("--guid2lid FILE or --sa-dump FILE, and --state-dir DIR, belong together"));
        }
        SaDump.ConvertedDump registered = saDump == null ? null : readSaDump(saDump, err);
        Path conf = Path.of(parsed.matchedPositionalValue(0, ""));
        Path output = CommandWords.path(parsed, OUTPUT);
        if (output == null) {
            ConvertedConf result = OpenSmMigration.toPrint(conf);
            out.print(result.text());
            out.flush();
            result.report().forEach(err::println);
        } else {
            write(conf, output.toAbsolutePath().normalize(), err);
        }
        if (lids != null && stateDir != null) {
            err.println("LIDs of " + migrateLids(lids, stateDir) + " ports taken over");
        }
        if (registered != null && stateDir != null) {
            migrateRegistrations(registered, stateDir, err);
        }
        return ExitCode.OK;
    }

    /** Converts a dump of the SA. A dump of a large subnet has a hundred thousand records. */
    private static SaDump.ConvertedDump readSaDump(Path dump, PrintStream err) throws ConfigurationException {
        try (ProgressLine progress = ProgressLine.on(err)) {
            progress.begin("reading " + dump);
            return SaDump.read(dump);
        }
    }

    /** Writes the configuration, with the files that it names beside it. */
    private static void write(Path conf, Path output, PrintStream err) throws ConfigurationException {
        Path directory = Objects.requireNonNull(output.getParent(), "an absolute name of a file");
        ConvertedConf result = OpenSmMigration.toDirectory(conf, directory);
        NewFile.create(output, result.text().getBytes(StandardCharsets.UTF_8), SECRET_MODE);
        Path packaged = directory.resolve(PACKAGED_CONF);
        try {
            String remark = Files.exists(packaged) && !packaged.equals(output)
                    ? ServiceAccount.copyPermissions(output, packaged, result.holdsKeys())
                    : ServiceAccount.grantRead(output, result.holdsKeys() ? SECRET_MODE : NewFile.PUBLIC_MODE);
            if (!remark.isEmpty()) {
                err.println("first of all: " + remark);
            }
            if (result.holdsKeys()) {
                err.println("it holds keys, so that only its owner and its group can read it: " + output);
            }
        } catch (IOException e) {
            throw new ConfigurationException(
                    List.of("cannot set group and mode of " + output + ": " + FileErrors.describe(e)));
        }
        result.report().forEach(err::println);
        if (!result.files().isEmpty()) {
            err.println("files that the configuration names:");
            result.files().forEach(file -> err.println("  " + file.copy()));
        }
    }

    private static int migrateLids(Path from, Path stateDir) throws ConfigurationException {
        try {
            byte[] content = BoundedFile.bytes(from, LidStore.FILE.maxBytes());
            int count = LidStore.count(content);
            writeStateFile(stateDir, LidStore.FILE, content);
            return count;
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot read " + from + ": " + FileErrors.describe(e)));
        } catch (StateFile.DamagedFileException e) {
            throw new ConfigurationException(List.of(from + " is no guid2lid: " + e.getMessage()));
        }
    }

    private static void migrateRegistrations(SaDump.ConvertedDump registered, Path stateDir, PrintStream err)
            throws ConfigurationException {
        List<SaContents.File> files = registered.contents().files();
        for (SaContents.File each : files) {
            Path file = stateDir.resolve(each.file().name());
            if (Files.exists(file)) {
                throw new ConfigurationException(
                        List.of(file + " is there already and is not overwritten; an SM that runs takes the dump with"
                                + " torus-smctl takeover, another begins without its own if the file is moved"
                                + " away"));
            }
        }
        for (SaContents.File each : files) {
            writeStateFile(stateDir, each.file(), each.content());
        }
        registered.leftOut().forEach(line -> err.println("left out: " + line));
        err.println(String.join(", ", registered.contents().amounts()) + " taken over");
    }

    /** Writes a file with the owner of its directory: root migrates, but the SM reads the file as another user. */
    private static void writeStateFile(Path stateDir, StateFile kind, byte[] content) throws ConfigurationException {
        Path file = stateDir.resolve(kind.name());
        NewFile.create(file, content, kind.isSecret() ? OWNER_MODE : NewFile.PUBLIC_MODE);
        try {
            UserPrincipal owner = Files.getOwner(stateDir);
            if (!owner.equals(Files.getOwner(file))) {
                Files.setOwner(file, owner);
            }
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot give " + file + " to the owner of its directory: "
                    + FileErrors.describe(e) + "; do it with chown"));
        }
    }
}
