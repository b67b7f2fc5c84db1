package io.torussm.daemon.config.files;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.names.Names;
import io.torussm.names.NodeNames;
import io.torussm.names.SiteMap;
import io.torussm.partition.PartitionConf;
import io.torussm.paths.PrefixRoutes;
import io.torussm.qos.policy.QosPolicy;
import java.nio.file.Path;

/** The list of the files that are read again at whole sweeps, with their formats, limits and events. */
public final class ReloadedFiles {
    public static final Path PARTITIONS = Path.of("/etc/torus-sm/partitions.conf");
    public static final Path QOS_POLICY = Path.of("/etc/torus-sm/qos-policy.conf");
    public static final Path PREFIX_ROUTES = Path.of("/etc/torus-sm/prefix-routes.conf");

    static final Path NODE_NAMES = Path.of("/etc/torus-sm/ib-node-name-map");
    static final Path SITES = Path.of("/etc/torus-sm/site-map");
    private static final long MAX_NAMES_BYTES = 16L << 20;
    private static final long MAX_BYTES = 4L << 20;

    private ReloadedFiles() {}

    /** Returns a new reader of partitions.conf. */
    public static ReloadedFile<PartitionConf> partitions() {
        return partitions(PARTITIONS);
    }

    /** Returns a reader with another default path. The file contains P_Keys, so that its state file is secret. */
    static ReloadedFile<PartitionConf> partitions(Path defaultPath) {
        FileFormat.Parser<PartitionConf> parser = (name, text, options) -> {
            PartitionConf.Parsed parsed =
                    PartitionConf.parse(name, text, options.routing().qos());
            return new ReloadedFile.Parsed<>(parsed.conf(), parsed.findings());
        };
        return new ReloadedFile<>(FileFormat.of(Settings.PARTITION_CONFIG_FILE, defaultPath, PartitionConf.NONE, parser)
                .onUnusable(active -> SmEvent.PARTITIONS_KEPT.finding(
                        active.equals(PartitionConf.NONE)
                                ? "there are none, and all ports are full members of the default partition"
                                : "those of " + active.file() + " as it was before"))
                .onUsableAgain(usable -> Finding.of(SmEvent.PARTITIONS_TAKEN))
                .storedAs("last-partitions", MAX_BYTES, "partitions.conf")
                .secret()
                .vital()
                .build());
    }

    /** Returns a new reader of qos-policy.conf, which is read if QoS is on. */
    public static ReloadedFile<QosPolicy> qosPolicy() {
        return qosPolicy(QOS_POLICY);
    }

    static ReloadedFile<QosPolicy> qosPolicy(Path defaultPath) {
        FileFormat.Parser<QosPolicy> parser = (name, text, options) -> {
            QosPolicy.Parsed parsed = QosPolicy.parse(name, text);
            return new ReloadedFile.Parsed<>(parsed.policy(), parsed.findings());
        };
        return new ReloadedFile<>(FileFormat.of(Settings.QOS_POLICY_FILE, defaultPath, QosPolicy.NONE, parser)
                .readIf(options -> options.routing().qos())
                .onUnusable(active -> SmEvent.QOS_POLICY_KEPT.finding(
                        active.equals(QosPolicy.NONE)
                                ? "there is none, and paths have the SLs of their partitions"
                                : "that of " + active.file() + " as it was before"))
                .onChange(ReloadedFiles::activePolicy)
                .onUsableAgain(ReloadedFiles::activePolicy)
                .storedAs("last-qos-policy", MAX_BYTES, "qos-policy.conf")
                .build());
    }

    private static Finding activePolicy(QosPolicy policy) {
        return Finding.of(SmEvent.QOS_POLICY_IN_FORCE, EventField.FILE.of(policy.file()));
    }

    /** Returns a new reader of prefix-routes.conf. */
    public static ReloadedFile<PrefixRoutes> prefixRoutes() {
        return prefixRoutes(PREFIX_ROUTES);
    }

    static ReloadedFile<PrefixRoutes> prefixRoutes(Path defaultPath) {
        FileFormat.Parser<PrefixRoutes> parser = (name, text, options) -> {
            PrefixRoutes.Parsed parsed = PrefixRoutes.parse(name, text);
            return new ReloadedFile.Parsed<>(parsed.routes(), parsed.findings());
        };
        return new ReloadedFile<>(FileFormat.of(Settings.PREFIX_ROUTES_FILE, defaultPath, PrefixRoutes.NONE, parser)
                .onUnusable(active -> Finding.of(SmEvent.PREFIX_ROUTES_KEPT, EventField.COUNT.of(active.size())))
                .onUsableAgain(usable -> Finding.of(SmEvent.PREFIX_ROUTES_TAKEN))
                .storedAs("last-prefix-routes", MAX_BYTES, "prefix-routes.conf")
                .build());
    }

    /** Returns a new reader of the node name map. */
    public static ReloadedFile<NodeNames> nodeNames() {
        return nodeNames(NODE_NAMES);
    }

    static ReloadedFile<NodeNames> nodeNames(Path defaultPath) {
        FileFormat.Parser<NodeNames> parser = (name, text, options) -> {
            NodeNames.Parsed parsed = NodeNames.parse(name, text);
            return new ReloadedFile.Parsed<>(parsed.names(), parsed.findings());
        };
        return new ReloadedFile<>(FileFormat.of(Settings.NODE_NAME_MAP_NAME, defaultPath, NodeNames.NONE, parser)
                .onUnusable(active -> Finding.of(
                        SmEvent.NODE_NAMES_KEPT,
                        EventField.COUNT.of(active.names().size())))
                .onUsableAgain(usable -> Finding.of(SmEvent.NODE_NAMES_TAKEN))
                .storedAs("last-node-names", MAX_NAMES_BYTES, "the node name map")
                .build());
    }

    /** Returns a new reader of the site map. */
    public static ReloadedFile<SiteMap> sites() {
        return sites(SITES);
    }

    static ReloadedFile<SiteMap> sites(Path defaultPath) {
        FileFormat.Parser<SiteMap> parser = (name, text, options) -> {
            SiteMap.Parsed parsed = SiteMap.parse(name, text);
            return new ReloadedFile.Parsed<>(parsed.map(), parsed.findings());
        };
        return new ReloadedFile<>(FileFormat.of(Settings.SITE_MAP, defaultPath, SiteMap.NONE, parser)
                .onUnusable(active -> Finding.of(
                        SmEvent.SITE_MAP_KEPT, EventField.FILE.of(active.file().isEmpty() ? "no file" : active.file())))
                .onUsableAgain(usable -> Finding.of(SmEvent.SITE_MAP_TAKEN))
                .storedAs("last-site-map", MAX_NAMES_BYTES, "the site map")
                .build());
    }

    /**
     * Reads the node name map and the site map once.
     *
     * @throws ConfigurationException with file, line and remedy of each error
     */
    public static Names names(SmOptions options) throws ConfigurationException {
        ReloadedFile<NodeNames> names = nodeNames();
        names.check(options);
        ReloadedFile<SiteMap> sites = sites();
        sites.check(options);
        return new Names(names.readUnchecked(options), sites.readUnchecked(options));
    }
}
