package io.torussm.daemon.assembly;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.EngineFiles;
import io.torussm.daemon.config.GeneratedKeys;
import io.torussm.daemon.config.KeyFindings;
import io.torussm.daemon.config.QosWarnings;
import io.torussm.daemon.config.Reconfiguration;
import io.torussm.daemon.config.ReloadedFile;
import io.torussm.daemon.config.ReloadedFiles;
import io.torussm.daemon.config.RoutingFactory;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.PartitionPreview;
import io.torussm.deadlock.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mastership.MastershipDriver;
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
 * The options in force and the files that they name, as the parts of an SM ask for them. A part asks anew whenever it begins
 * something, and so takes what a reload changed. Any thread, except that files are read on the {@code sm} loop.
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

    /** What the operator decided, without the generated keys. */
    private volatile SmOptions configured;

    private volatile GeneratedKeys keys = GeneratedKeys.NONE;
    private volatile SmOptions options;

    /** When the keys make other options of the same configuration, in seconds since 1970. */
    private volatile long nextChangeS = Long.MAX_VALUE;

    /** By which a new partitions.conf is judged; null until the first subnet is up. */
    private volatile @Nullable PublishedView published;

    /** What was added to partitions at run time. */
    private Supplier<RunTimePartitions> addedMembers = () -> RunTimePartitions.NONE;

    /** A partitions.conf that may change more than max_partition_change. */
    private volatile @Nullable PartitionConf approved;

    public LiveSettings(SmOptions options) {
        this.configured = options;
        this.options = options;
    }

    /**
     * From now on what the files say is kept, and what was kept is in force while they cannot be used.
     *
     * @throws ConfigurationException if the SM must not start, since neither can be used
     */
    public void keepIn(StateDirectory state) throws ConfigurationException {
        partitions.keepIn(state, options);
        qosPolicy.keepIn(state, options);
        prefixRoutes.keepIn(state, options);
        nodeNames.keepIn(state, options);
        sites.keepIn(state, options);
        engineFiles.keepIn(state, options);
    }

    /** From now on these are members of partitions, too; before there is a sweep. */
    public void add(RunTimePartitionStore members) {
        addedMembers = members::current;
    }

    /** The options in force. */
    @Override
    public SmOptions options() {
        return options;
    }

    /** The same without the generated keys. */
    public SmOptions configured() {
        return configured;
    }

    /** The keys that were generated, if any are in force. */
    public GeneratedKeys keys() {
        return keys;
    }

    /** Puts generated keys in force, where the configuration has none; on the {@code sm} loop. */
    public void use(GeneratedKeys newKeys) {
        keys = newKeys;
        refresh(configured);
    }

    private synchronized void refresh(SmOptions newConfigured) {
        long nowS = Instant.now().getEpochSecond();
        configured = newConfigured;
        options = keys.over(newConfigured, nowS);
        nextChangeS = keys.nextChangeS(nowS);
    }

    /** Logs what the keys in force do not protect, if that has changed. */
    public synchronized void reportKeys() {
        keyFindings.report(options);
    }

    /** Other options from now on, except for those that wait for a restart, which are named in the log. */
    public void replace(SmOptions newOptions) {
        Reconfiguration change = Reconfiguration.of(configured, newOptions);
        refresh(change.inForce());
        change.applied().ifPresent(changed -> EVENTS.report(SmEvent.SETTINGS_CHANGED.says(changed)));
        change.waiting().ifPresent(changed -> EVENTS.report(SmEvent.SETTINGS_WAITING.says(changed)));
    }

    @Override
    public MastershipDriver.Settings mastership() {
        if (Instant.now().getEpochSecond() >= nextChangeS) {
            refresh(configured);
            reportKeys();
        }
        return options.mastership();
    }

    /** The engines, their files read anew; on the {@code sm} loop. */
    @Override
    public RoutingChain routing() {
        return RoutingFactory.chain(
                options, engineFiles.read(options), Runtime.getRuntime().availableProcessors());
    }

    @Override
    public VlArbitrationPlan vlArbitration(Plan plan) {
        return VlArbitrationPlan.under(plan, options.qos());
    }

    /** Reads the file of partitions anew; one that would change too much waits for {@link #approvePartitions}. */
    @Override
    public PartitionSettings partitions() {
        PublishedView view = published;
        return withAdded(
                view == null
                        ? partitions.readUnlessChanged(options)
                        : partitions.read(options, conf -> objections(view, conf)));
    }

    private PartitionSettings withAdded(PartitionConf file) {
        SmOptions now = options;
        return now.partitions()
                .with(file)
                .with(addedMembers.get(), now.routing().qos());
    }

    /** What the file of partitions said last when it could be used, with what was added at run time. */
    public PartitionConf partitionsInForce() {
        return withAdded(partitions.inForce()).conf();
    }

    private List<Finding> objections(PublishedView view, PartitionConf conf) {
        if (conf.equals(partitions.inForce()) || conf.equals(approved)) {
            return List.of();
        }
        PartitionChange change = change(view, conf);
        int most = options.partitions().maxChange();
        return change.exceeds(most)
                ? List.of(SmEvent.PARTITIONS_HELD.says(conf.file() + ": " + change.summary()
                        + ", more than max_partition_change = " + most + " (percent); look at torus-smctl partitions"
                        + " preview, and if that is meant, torus-smctl partitions apply"))
                : List.of();
    }

    private PartitionChange change(PublishedView view, PartitionConf conf) {
        return PartitionChange.of(view.subnet().fabric(), view.partitions(), withAdded(conf));
    }

    /** A subnet is up: whether partitions.conf waits to be judged by it, with the next heavy sweep. */
    @Override
    public boolean published(PublishedView view) {
        boolean isFirst = published == null;
        published = view;
        PartitionConf now = isFirst ? partitions.peek(options).value() : null;
        return now != null && !Objects.equals(now, partitions.inForce()); // most often the very same
    }

    /** What partitions.conf would change if it were put in force as it is now. */
    public PartitionPreview partitionPreview(PublishedView view) {
        ReloadedFile.Peek<PartitionConf> now = partitions.peek(options);
        PartitionConf conf = now.value();
        return conf == null
                ? new PartitionPreview("", now.problems(), null)
                : new PartitionPreview(conf.file(), List.of(), change(view, conf));
    }

    /** Whatever partitions.conf changes, as it is now: it may be put in force. */
    public void approvePartitions() {
        approved = partitions.peek(options).value();
    }

    /** The engines with their files as they are now, whether these can be used or not. */
    public RoutingChain routingPreview() {
        return RoutingFactory.chain(options);
    }

    /** The QoS policy before there is a subnet to judge it by. */
    @Override
    public QosPolicy unjudgedQosPolicy() {
        return qosPolicy.unjudged(options);
    }

    /** Reads the QoS policy anew and judges it by a subnet. */
    @Override
    public QosPolicy qosPolicy(PublishedView view) {
        return qosPolicy.read(options, policy -> policy.judge(view));
    }

    public QosPolicy qosPolicyInForce() {
        return qosPolicy.inForce();
    }

    /** Reads the file of prefix routes anew. */
    @Override
    public PrefixRoutes prefixRoutes() {
        return prefixRoutes.read(options);
    }

    /** Reads the node name map and the site map anew. */
    @Override
    public Names names() {
        return new Names(nodeNames.read(options), sites.read(options));
    }

    /** Logs what the QoS options and the routes in force do not agree about. */
    @Override
    public void warnOfQos(Plan plan) {
        qosWarnings.report(options.qos(), plan.hasOwnSl2Vl());
    }
}
