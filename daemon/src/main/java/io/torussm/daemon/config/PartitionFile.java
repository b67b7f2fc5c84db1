package io.torussm.daemon.config;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionSettings;
import java.nio.file.Path;
import java.util.List;

/**
 * partitions.conf, read again for each sweep. A file with an error is not used: what was in force stays, and that is said
 * when it happens and whenever the errors change. Owner thread: sm.
 */
public final class PartitionFile {
    /** Read if it is there and no other file is named. */
    public static final Path DEFAULT_FILE = Path.of("/etc/torus-sm/partitions.conf");

    private static final EventLog EVENTS = EventLog.of(PartitionFile.class);
    private static final long MAX_BYTES = 4L << 20;

    private final Path usual;
    private PartitionConf inForce = PartitionConf.NONE;
    private List<Finding> told = List.of();

    /**
     * A reader.
     *
     * @param usual the file that is read if it is there and no other is named
     */
    public PartitionFile(Path usual) {
        this.usual = usual;
    }

    /**
     * Reads the file without using it.
     *
     * @return what can be used, but not as the operator may think
     * @throws ConfigurationException with file, line and remedy of each error
     */
    static List<Finding> check(SmOptions options, Path usual) throws ConfigurationException {
        PartitionConf.Parsed parsed = parse(options, usual);
        if (parsed.conf() == null) {
            throw new ConfigurationException(parsed.findings().stream()
                    .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                    .map(Finding::text)
                    .toList());
        }
        return parsed.findings();
    }

    /** What a sweep is to use. */
    public PartitionSettings settings(SmOptions options) {
        PartitionConf.Parsed parsed = parse(options, usual);
        PartitionConf conf = parsed.conf();
        report(parsed.findings(), conf == null);
        inForce = conf == null ? inForce : conf;
        SmOptions.Partitions wanted = options.partitions();
        return new PartitionSettings(inForce, wanted.enforcement(), wanted.keepsIndexes(), wanted.allowsBoth());
    }

    private void report(List<Finding> findings, boolean isUnusable) {
        if (findings.equals(told)) {
            return;
        }
        told = findings;
        findings.forEach(EVENTS::report);
        if (isUnusable) {
            EVENTS.report(SmEvent.PARTITIONS_KEPT.says(
                    inForce.equals(PartitionConf.NONE)
                            ? "all ports are full members of the default partition, NOTHING IS SEPARATED"
                            : "those of " + inForce.file() + " as it was before"));
        }
    }

    private static PartitionConf.Parsed parse(SmOptions options, Path usual) {
        ConfFile file = ConfFile.read(options.partitions().file(), usual, MAX_BYTES, Setting.PARTITION_CONFIG_FILE);
        if (file == null) {
            return new PartitionConf.Parsed(PartitionConf.NONE, List.of());
        }
        return file.text() == null
                ? new PartitionConf.Parsed(null, file.trouble())
                : PartitionConf.parse(
                        file.name(), file.text(), options.routing().qos());
    }
}
