package io.torussm.daemon.config.files;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.HoconFile;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.ValueType;
import io.torussm.event.Finding;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The check of a configuration without a fabric: {@code --check-config}. */
public final class ConfigurationCheck {
    private final SmOptions options;
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private ConfigurationCheck(SmOptions options) {
        this.options = options;
        warnings.addAll(options.values().warnings());
    }

    /** The check of one file. */
    private interface FileCheck {
        List<Finding> run() throws ConfigurationException;
    }

    /**
     * Reads and checks all files that the options name.
     *
     * @return warnings, one line each
     * @throws ConfigurationException with all errors that would prevent routing, each with file, line and remedy
     */
    public static List<String> warnings(SmOptions options) throws ConfigurationException {
        ConfigurationCheck check = new ConfigurationCheck(options);
        check.checkFiles();
        check.checkDirectories();
        if (!check.problems.isEmpty()) {
            throw new ConfigurationException(check.problems);
        }
        return check.warnings;
    }

    /**
     * Returns warnings for the files of a configuration that an account cannot read.
     *
     * @param account account of the service
     * @param configuration the configuration file; null without a file
     * @return warnings, one line each with the remedy
     */
    public static List<String> unreadable(ServiceAccount account, @Nullable Path configuration, SmOptions options) {
        return Stream.concat(
                        Stream.ofNullable(configuration),
                        Settings.all().stream()
                                .filter(setting -> setting.type() instanceof ValueType.FileName)
                                .map(options.values()::text)
                                .filter(name -> !name.isEmpty())
                                .map(Path::of))
                .filter(Files::isRegularFile)
                .map(account::unreadableReason)
                .filter(reason -> !reason.isEmpty())
                .distinct()
                .toList();
    }

    private void checkFiles() {
        Path state = options.files().stateDir();
        runCheck(() -> state != null && GeneratedKeys.existIn(state) ? List.of() : KeyFindings.of(options));
        runCheck(() -> {
            SimulatedDevices.of(options.port());
            return List.of();
        });
        runCheck(() -> RoutingFactory.check(options));
        runCheck(() -> QosWarnings.of(options.qos(), RoutingFactory.hasOwnSl2Vl(options)));
        runCheck(() -> ReloadedFiles.partitions().check(options));
        runCheck(() -> ReloadedFiles.qosPolicy().check(options));
        runCheck(() -> {
            options.replication().key();
            return List.of();
        });
        runCheck(() -> {
            options.https().check();
            return List.of();
        });
        runCheck(() -> ReloadedFiles.prefixRoutes().check(options));
        runCheck(() -> ReloadedFiles.nodeNames().check(options));
        runCheck(() -> ReloadedFiles.sites().check(options));
    }

    /** Runs a check, and collects its problems so that the other checks follow. */
    private void runCheck(FileCheck check) {
        try {
            check.run().stream()
                    .filter(finding -> finding.severity() != Finding.Severity.INFO)
                    .map(Finding::text)
                    .forEach(warnings::add);
        } catch (ConfigurationException e) {
            problems.addAll(e.problems());
        }
    }

    /**
     * Checks the directories that the SM writes, and the program of alerts. A missing directory is only a warning if
     * the SM, which may run as another user, can perhaps create it.
     */
    private void checkDirectories() {
        checkDirectory("state_dir", options.files().stateDir());
        checkDirectory("dump_files_dir", options.files().dumpDir());
        Path log = options.log().logFile();
        Path parent = log == null ? null : log.toAbsolutePath().getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            problems.add("log_file: there is no directory " + parent);
        } else if (log != null && Files.isDirectory(log)) {
            problems.add("log_file: " + log + " is a directory");
        }
        Path socket = options.console().controlSocket();
        checkDirectory(
                "control_socket",
                socket == null ? null : socket.toAbsolutePath().getParent());
        checkGroup();
        Path program = options.alerts().alertProgram();
        String problem = program == null ? "" : ProgramFile.problem(program);
        if (!problem.isEmpty()) {
            problems.add("alert_program: " + program + " " + problem);
        }
    }

    private void checkDirectory(String setting, @Nullable Path directory) {
        if (directory == null || Files.isDirectory(directory)) {
            return;
        }
        Path ancestor = directory.toAbsolutePath();
        while (ancestor != null && !Files.exists(ancestor)) {
            ancestor = ancestor.getParent();
        }
        if (ancestor != null && !Files.isDirectory(ancestor)) {
            problems.add(setting + ": " + ancestor + " is no directory");
        } else if (ancestor != null
                && !ancestor.equals(directory.toAbsolutePath().getParent())) {
            warnings.add(setting + ": there is no directory " + directory + "; torus-sm makes it, if it may write to "
                    + ancestor);
        }
    }

    private void checkGroup() {
        String group = options.console().controlSocketGroup();
        if (group.isEmpty() || options.console().controlSocket() == null) {
            return;
        }
        try {
            FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByGroupName(group);
        } catch (IOException e) {
            problems.add("control_socket_group: there is no group \"" + HoconFile.printable(group) + "\"");
        }
    }
}
