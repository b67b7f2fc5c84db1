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
import io.torussm.state.StateFile;
import java.nio.file.Path;
import java.util.Optional;

/** The files that are read again at heavy sweeps. */
public final class ReloadedFiles {
    static final Path PARTITIONS = Path.of("/etc/torus-sm/partitions.conf");
    static final Path QOS_POLICY = Path.of("/etc/torus-sm/qos-policy.conf");
    static final Path PREFIX_ROUTES = Path.of("/etc/torus-sm/prefix-routes.conf");

    static final Path NODE_NAMES = Path.of("/etc/torus-sm/ib-node-name-map");
    static final Path SITES = Path.of("/etc/torus-sm/site-map");
    private static final long MAX_NAMES_BYTES = 16L << 20;
    private static final long MAX_BYTES = 4L << 20;

    private ReloadedFiles() {}

    /** Returns partitions.conf. */
    public static ReloadedFile<PartitionConf> partitions() {
        return partitions(PARTITIONS);
    }

    static ReloadedFile<PartitionConf> partitions(Path usual) {
        return new ReloadedFile<>(new ReloadedFile.FileFormat<>(
                Settings.PARTITION_CONFIG_FILE,
                usual,
                MAX_BYTES,
                options -> true,
                PartitionConf.NONE,
                (name, text, options) -> {
                    PartitionConf.Parsed parsed =
                            PartitionConf.parse(name, text, options.routing().qos());
                    return new ReloadedFile.Parsed<>(parsed.conf(), parsed.findings());
                },
                inForce -> SmEvent.PARTITIONS_KEPT.says(
                        inForce.equals(PartitionConf.NONE)
                                ? "there are none, and all ports are full members of the default partition"
                                : "those of " + inForce.file() + " as it was before"),
                inForce -> Optional.empty(),
                inForce -> Finding.of(SmEvent.PARTITIONS_TAKEN),
                new StateFile(
                        "last-partitions", 1, 2 * MAX_BYTES, false, true, "partitions.conf has to be free of errors"),
                true));
    }

    /** Returns qos-policy.conf, which is read if QoS is on. */
    public static ReloadedFile<QosPolicy> qosPolicy() {
        return qosPolicy(QOS_POLICY);
    }

    static ReloadedFile<QosPolicy> qosPolicy(Path usual) {
        return new ReloadedFile<>(new ReloadedFile.FileFormat<>(
                Settings.QOS_POLICY_FILE,
                usual,
                MAX_BYTES,
                options -> options.routing().qos(),
                QosPolicy.NONE,
                (name, text, options) -> {
                    QosPolicy.Parsed parsed = QosPolicy.parse(name, text);
                    return new ReloadedFile.Parsed<>(parsed.policy(), parsed.findings());
                },
                inForce -> SmEvent.QOS_POLICY_KEPT.says(
                        inForce.equals(QosPolicy.NONE)
                                ? "there is none, and paths have the SLs of their partitions"
                                : "that of " + inForce.file() + " as it was before"),
                inForce -> Optional.of(isInForce(inForce)),
                ReloadedFiles::isInForce,
                new StateFile(
                        "last-qos-policy", 1, 2 * MAX_BYTES, false, false, "qos-policy.conf has to be free of errors"),
                false));
    }

    private static Finding isInForce(QosPolicy policy) {
        return Finding.of(SmEvent.QOS_POLICY_IN_FORCE, EventField.FILE.of(policy.file()));
    }

    /** Returns prefix-routes.conf. */
    public static ReloadedFile<PrefixRoutes> prefixRoutes() {
        return prefixRoutes(PREFIX_ROUTES);
    }

    static ReloadedFile<PrefixRoutes> prefixRoutes(Path usual) {
        return new ReloadedFile<>(new ReloadedFile.FileFormat<>(
                Settings.PREFIX_ROUTES_FILE,
                usual,
                MAX_BYTES,
                options -> true,
                PrefixRoutes.NONE,
                (name, text, options) -> {
                    PrefixRoutes.Parsed parsed = PrefixRoutes.parse(name, text);
                    return new ReloadedFile.Parsed<>(parsed.routes(), parsed.findings());
                },
                inForce -> Finding.of(SmEvent.PREFIX_ROUTES_KEPT, EventField.COUNT.of(inForce.size())),
                inForce -> Optional.empty(),
                inForce -> Finding.of(SmEvent.PREFIX_ROUTES_TAKEN),
                new StateFile(
                        "last-prefix-routes",
                        1,
                        2 * MAX_BYTES,
                        false,
                        false,
                        "prefix-routes.conf has to be free of errors"),
                false));
    }

    /** Returns the node name map. */
    public static ReloadedFile<NodeNames> nodeNames() {
        return nodeNames(NODE_NAMES);
    }

    static ReloadedFile<NodeNames> nodeNames(Path usual) {
        return new ReloadedFile<>(new ReloadedFile.FileFormat<>(
                Settings.NODE_NAME_MAP_NAME,
                usual,
                MAX_NAMES_BYTES,
                options -> true,
                NodeNames.NONE,
                (name, text, options) -> {
                    NodeNames.Parsed parsed = NodeNames.parse(name, text);
                    return new ReloadedFile.Parsed<>(parsed.names(), parsed.findings());
                },
                inForce -> Finding.of(
                        SmEvent.NODE_NAMES_KEPT,
                        EventField.COUNT.of(inForce.names().size())),
                inForce -> Optional.empty(),
                inForce -> Finding.of(SmEvent.NODE_NAMES_TAKEN),
                new StateFile(
                        "last-node-names",
                        1,
                        2 * MAX_NAMES_BYTES,
                        false,
                        false,
                        "the node name map has to be free of errors"),
                false));
    }

    /** Returns the site map. */
    public static ReloadedFile<SiteMap> sites() {
        return sites(SITES);
    }

    /**
     * Reads node name map and site map once.
     *
     * @throws ConfigurationException with file, line and remedy of each error
     */
    public static Names names(SmOptions options) throws ConfigurationException {
        ReloadedFile<NodeNames> names = nodeNames();
        names.check(options);
        ReloadedFile<SiteMap> sites = sites();
        sites.check(options);
        return new Names(names.unjudged(options), sites.unjudged(options));
    }

    static ReloadedFile<SiteMap> sites(Path usual) {
        return new ReloadedFile<>(new ReloadedFile.FileFormat<>(
                Settings.SITE_MAP,
                usual,
                MAX_NAMES_BYTES,
                options -> true,
                SiteMap.NONE,
                (name, text, options) -> {
                    SiteMap.Parsed parsed = SiteMap.parse(name, text);
                    return new ReloadedFile.Parsed<>(parsed.map(), parsed.findings());
                },
                inForce -> Finding.of(
                        SmEvent.SITE_MAP_KEPT,
                        EventField.FILE.of(inForce.file().isEmpty() ? "no file" : inForce.file())),
                inForce -> Optional.empty(),
                inForce -> Finding.of(SmEvent.SITE_MAP_TAKEN),
                new StateFile(
                        "last-site-map", 1, 2 * MAX_NAMES_BYTES, false, false, "the site map has to be free of errors"),
                false));
    }
}
