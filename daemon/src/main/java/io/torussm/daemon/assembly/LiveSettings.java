package io.torussm.daemon.assembly;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Reconfiguration;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.files.EngineFiles;
import io.torussm.daemon.config.files.GeneratedKeys;
import io.torussm.daemon.config.files.KeyFindings;
import io.torussm.daemon.config.files.QosWarnings;
import io.torussm.daemon.config.files.ReloadedFile;
import io.torussm.daemon.config.files.ReloadedFiles;
import io.torussm.daemon.config.files.RoutingFactory;
import io.torussm.daemon.control.PartitionPreview;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mastership.MastershipSettings;
import io.torussm.names.Names;
import io.torussm.names.NodeNames;
import io.torussm.names.SiteMap;
import io.torussm.partition.PartitionChange;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.RunTimePartitionStore;
import io.torussm.partition.RunTimePartitions;
import io.torussm.paths.PrefixRoutes;
import io.torussm.qos.VlArbitrationPlan;
import io.torussm.qos.policy.QosPolicy;
import io.torussm.routing.Plan;
import io.torussm.state.StateDirectory;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The effective options of an SM and the contents of the files that they name. A part of the SM reads its settings
 * again at the begin of each operation, so a reload takes effect with the next operation. Options may be read by any
 * thread, files only on the {@code sm} loop.
 */
public final class LiveSettings implements SmSettings {
    private static final EventLog EVENTS = EventLog.of(LiveSettings.class);

    private final ReloadedFile<PartitionConf> partitions = ReloadedFiles.partitions();
    private final ReloadedFile<QosPolicy> qosPolicy = ReloadedFiles.qosPolicy();
    private final ReloadedFile<PrefixRoutes> prefixRoutes = ReloadedFiles.prefixRoutes();
    private final ReloadedFile<NodeNames> nodeNames = ReloadedFiles.nodeNames();
    private final ReloadedFile<SiteMap> sites = ReloadedFiles.sites();
    private final EngineFiles engineFiles = new EngineFiles();
    private final QosWarnings qosWarnings = new QosWarnings();
    private final KeyFindings keyFindings = new KeyFindings();

    /** The options of the operator, without the generated keys. */
    private volatile SmOptions configured;

    private volatile GeneratedKeys keys = GeneratedKeys.NONE;
    private volatile SmOptions options;

    /** Time in seconds since 1970 at which the schedule of {@code keys} next changes the effective options. */
    private volatile long nextChangeS = Long.MAX_VALUE;

    /** Newest published view, against which a new partitions.conf is evaluated; null until the first subnet is up. */
    private volatile @Nullable PublishedView published;

    /** Supplier of the members that were added to partitions at run time. */
    private Supplier<RunTimePartitions> addedMembers = () -> RunTimePartitions.NONE;

    /** Content of partitions.conf that may change more than max_partition_change; null if none is approved. */
    private volatile @Nullable PartitionConf approvedPartitions;

    /**
     * Creates settings without generated keys. No file is read yet.
     *
     * @param options options of the operator
     */
    public LiveSettings(SmOptions options) {
        this.configured = options;
        this.options = options;
    }

    /**
     * Keeps the contents of the files in the state directory from now on. While a file cannot be used, its kept
     * content is used.
     *
     * @throws ConfigurationException if neither a file nor its kept content can be used, so that the SM must not start
     */
    public void keepFilesIn(StateDirectory state) throws ConfigurationException {
        partitions.keepFileIn(state, options);
        qosPolicy.keepFileIn(state, options);
        prefixRoutes.keepFileIn(state, options);
        nodeNames.keepFileIn(state, options);
        sites.keepFileIn(state, options);
        engineFiles.keepFilesIn(state, options);
    }

    /** Adds the members that were added to partitions at run time; called before the first sweep. */
    public void setAddedMembers(RunTimePartitionStore members) {
        addedMembers = members::current;
    }

    /** Returns the effective options. */
    @Override
    public SmOptions options() {
        return options;
    }

    /** Returns the effective options without the generated keys. */
    public SmOptions configured() {
        return configured;
    }

    /** Returns the generated keys; {@link GeneratedKeys#NONE} if there are none. */
    public GeneratedKeys keys() {
        return keys;
    }

    /** Uses generated keys for each key that the configuration does not set; called on the {@code sm} loop. */
    public void useGeneratedKeys(GeneratedKeys newKeys) {
        keys = newKeys;
        refresh(configured);
    }

    private synchronized void refresh(SmOptions newConfigured) {
        long nowS = Instant.now().getEpochSecond();
        configured = newConfigured;
        options = keys.applyTo(newConfigured, nowS);
        nextChangeS = keys.nextChangeS(nowS);
    }

    /** Logs the weaknesses of the effective keys if the weaknesses have changed. */
    public synchronized void reportKeys() {
        keyFindings.report(options);
    }

    /** Replaces the options. A change that requires a restart is logged and not applied. */
    public void replace(SmOptions newOptions) {
        Reconfiguration change = Reconfiguration.of(configured, newOptions);
        refresh(change.active());
        change.applied().ifPresent(changed -> EVENTS.report(SmEvent.SETTINGS_CHANGED.finding(changed)));
        change.waiting().ifPresent(changed -> EVENTS.report(SmEvent.SETTINGS_WAITING.finding(changed)));
    }

    @Override
    public MastershipSettings mastership() {
        if (Instant.now().getEpochSecond() >= nextChangeS) {
            refresh(configured);
            reportKeys();
        }
        return options.mastership();
    }

    /** Reads the files of the routing engines again and returns the engines; called on the {@code sm} loop. */
    @Override
    public RoutingChain routing() {
        return RoutingFactory.chain(
                options, engineFiles.read(options), Runtime.getRuntime().availableProcessors());
    }

    @Override
    public VlArbitrationPlan vlArbitration(Plan plan) {
        return VlArbitrationPlan.forRouting(plan, options.qos());
    }

    /**
     * Reads partitions.conf again. A content that would change more than max_partition_change is not used before
     * {@link #approvePartitions}.
     */
    @Override
    public PartitionSettings partitions() {
        PublishedView view = published;
        return withAddedMembers(
                view == null
                        ? partitions.readUnlessChanged(options)
                        : partitions.read(options, conf -> objections(view, conf)));
    }

    private PartitionSettings withAddedMembers(PartitionConf file) {
        SmOptions current = options;
        return current.partitions()
                .with(file)
                .with(addedMembers.get(), current.routing().qos());
    }

    /**
     * Returns the used content of partitions.conf, with the members that were added at run time. The file is not read.
     */
    public PartitionConf effectivePartitions() {
        return withAddedMembers(partitions.active()).conf();
    }

    private List<Finding> objections(PublishedView view, PartitionConf conf) {
        if (conf.equals(partitions.active()) || conf.equals(approvedPartitions)) {
            return List.of();
        }
        PartitionChange change = change(view, conf);
        int max = options.partitions().maxChange();
        return change.exceeds(max)
                ? List.of(SmEvent.PARTITIONS_HELD.finding(conf.file() + ": " + change.summary()
                        + ", more than max_partition_change = " + max + " (percent); look at torus-smctl partitions"
                        + " preview, and if that is meant, torus-smctl partitions apply"))
                : List.of();
    }

    private PartitionChange change(PublishedView view, PartitionConf conf) {
        return PartitionChange.of(view.subnet().fabric(), view.partitions(), withAddedMembers(conf));
    }

    /**
     * Stores a newly published view. Returns true if partitions.conf has a new content that the next heavy sweep has to
     * evaluate against the view.
     */
    @Override
    public boolean published(PublishedView view) {
        boolean isFirst = published == null;
        published = view;
        PartitionConf current = isFirst ? partitions.peek(options).value() : null;
        return current != null && !Objects.equals(current, partitions.active()); // mostly identical
    }

    /** Reads partitions.conf and returns the changes to a view that the file would make. */
    public PartitionPreview partitionPreview(PublishedView view) {
        ReloadedFile.Peek<PartitionConf> current = partitions.peek(options);
        PartitionConf conf = current.value();
        return conf == null
                ? new PartitionPreview("", current.problems(), null)
                : new PartitionPreview(conf.file(), List.of(), change(view, conf));
    }

    /** Approves the current content of partitions.conf, however much it changes. */
    public void approvePartitions() {
        approvedPartitions = partitions.peek(options).value();
    }

    /** Returns the routing engines with the current contents of their files, also if a content cannot be used. */
    public RoutingChain routingPreview() {
        return RoutingFactory.chain(options);
    }

    /** Reads the QoS policy without an evaluation, because no subnet is published yet. */
    @Override
    public QosPolicy uncheckedQosPolicy() {
        return qosPolicy.readUnchecked(options);
    }

    /**
     * Reads the QoS policy again and evaluates it against a view. A policy with errors does not replace the used one.
     */
    @Override
    public QosPolicy qosPolicy(PublishedView view) {
        return qosPolicy.read(options, policy -> policy.check(view));
    }

    /** Returns the used QoS policy. The file is not read. */
    public QosPolicy effectiveQosPolicy() {
        return qosPolicy.active();
    }

    /** Reads the file of prefix routes again. */
    @Override
    public PrefixRoutes prefixRoutes() {
        return prefixRoutes.read(options);
    }

    /** Reads the node name map and the site map again. */
    @Override
    public Names names() {
        return new Names(nodeNames.read(options), sites.read(options));
    }

    /** Logs contradictions between the QoS options and the active routes. */
    @Override
    public void warnOfQos(Plan plan) {
        qosWarnings.report(options.qos(), plan.hasOwnSl2Vl());
    }
}
