package io.torussm.daemon.config;

import io.torussm.daemon.access.AccessFiles;
import io.torussm.daemon.access.UnusableFileException;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.deadlock.chain.OnCreditLoop;
import io.torussm.mastership.MastershipDriver;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionSettings;
import io.torussm.perf.PerfSettings;
import io.torussm.program.smp.SweepSettings;
import io.torussm.qos.QosOptions;
import io.torussm.report.EventReporter;
import io.torussm.sweep.idle.DriftWatch;
import io.torussm.transport.MadClient;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * All that the operator decided, checked: the records of those who use it, made by {@link SettingValues#as}, which fills
 * each component by its name. Immutable.
 *
 * @param values all of it, setting by setting
 * @param port where the SM sits
 * @param routing how routes are found
 * @param qos VL arbitration, as far as it was set
 * @param sweep what ports and switches are given
 * @param partitions who may talk with whom
 * @param sa how hosts are answered
 * @param sweeps when the fabric is looked at
 * @param isolation which cables are taken out of use
 * @param drift how fast what devices hold is read back
 * @param mads how many SMPs are in flight, and for how long
 * @param mastership rank among subnet managers, and which of them count
 * @param shadow how a fabric is looked at that another SM rules
 * @param reports how subscribers hear of events
 * @param files what is kept on disk, and where
 * @param history how much is kept of the past
 * @param console how operators talk to the daemon
 * @param replication who else keeps the state
 * @param http who may look over HTTP
 * @param https who may look and change something over HTTPS
 * @param log what is logged, and where
 * @param alerts who is told of events
 * @param perf how counters of ports are read
 */
public record SmOptions(
        SettingValues values,
        Port port,
        Routing routing,
        QosOptions qos,
        SweepSettings sweep,
        Partitions partitions,
        Sa sa,
        Sweeps sweeps,
        Isolation isolation,
        DriftWatch.Pace drift,
        MadClient.Settings mads,
        MastershipDriver.Settings mastership,
        Shadow shadow,
        EventReporter.Settings reports,
        Files files,
        History history,
        Console console,
        Replication replication,
        Http http,
        Https https,
        Log log,
        Alerts alerts,
        PerfSettings perf) {

    /** The options that come of values. */
    static SmOptions of(SettingValues values) {
        return values.as(SmOptions.class);
    }

    /** The same, but tables with credit loops are taken, too: to see what they would do. */
    public SmOptions takingLoops() {
        return of(values.with(Settings.ON_CREDIT_LOOP, "warn").with(Settings.ON_SWITCH_PORT_LOOP, "warn"));
    }

    /** The same with other engines, named with commas. */
    public SmOptions routedBy(String engines) {
        return of(values.with(Settings.ROUTING_ENGINE, engines));
    }

    /** The same with another priority among subnet managers, 0 to 15. */
    public SmOptions withPriority(int priority) {
        return of(values.with(Settings.SM_PRIORITY, Integer.toString(priority)));
    }

    /** The same of a subnet manager, where these are of a process that only looks. */
    public SmOptions withoutShadow() {
        return of(values.with(Settings.SHADOW, "false"));
    }

    /** Shows no key. */
    @Override
    public String toString() {
        return "SmOptions" + values;
    }

    /**
     * Where the SM sits.
     *
     * @param ca name of the channel adapter, empty for any
     * @param number port number, 0 for any
     * @param guid port GUID, 0 for any
     * @param simulate what the embedded fabric looks like, as text or the name of a topology file; empty for a real port
     * @param simHost node of the embedded fabric that the SM sits on; empty for its first host
     * @param isSimLimited whether the embedded fabric bears no more SMPs than switches and Linux do
     * @param simulateDevices how its devices depart from perfect ones; null if they do not
     * @param isRmppOfKernel whether the kernel cuts SA messages into segments; not for an embedded fabric
     */
    public record Port(
            String ca,
            int number,
            long guid,
            String simulate,
            String simHost,
            boolean isSimLimited,
            @Nullable Path simulateDevices,
            boolean isRmppOfKernel) {
        /** Whether the fabric is the embedded one. */
        public boolean isSimulated() {
            return !simulate.isEmpty();
        }
    }

    /**
     * How routes are found.
     *
     * @param engines names separated by commas, as {@link io.torussm.deadlock.chain.RoutingChain#parse} reads them; not blank
     * @param onCreditLoop what becomes of tables with a credit loop
     * @param onSwitchPortLoop the same if hosts and groups alone have none
     * @param engineSettings settings of single engines, by name such as {@code torus-2QoS.torus_config}, as far as given
     * @param qos whether QoS tables are programmed
     * @param smSl SL wanted for traffic with the SM
     */
    public record Routing(
            String engines,
            OnCreditLoop onCreditLoop,
            OnCreditLoop onSwitchPortLoop,
            Map<String, String> engineSettings,
            boolean qos,
            int smSl) {
        public Routing {
            engineSettings = Map.copyOf(engineSettings);
        }
    }

    /**
     * Who may talk with whom.
     *
     * @param enforcement what switches check at ports to hosts
     * @param keepsIndexes whether a P_Key stays at its index as long as it is wanted
     * @param allowsBoth whether a port may hold the full and the limited P_Key of a partition
     */
    public record Partitions(
            PartitionSettings.Enforcement enforcement, boolean keepsIndexes, boolean allowsBoth, int maxChange) {
        /** All that a sweep needs to know of partitions. */
        public PartitionSettings with(PartitionConf conf) {
            return new PartitionSettings(conf, enforcement, keepsIndexes, allowsBoth);
        }
    }

    /**
     * How hosts are answered.
     *
     * @param sharesMlids whether groups of IPv6 solicited-node addresses share MLIDs
     * @param assignedGuidGroup bits 39 to 32 of alias GUIDs that the SA makes up, 0 to 255
     * @param keptMembershipMin minutes that ports that are gone stay members of their groups
     */
    public record Sa(boolean sharesMlids, int assignedGuidGroup, int keptMembershipMin) {
        /** The same in nanoseconds. */
        public long keptMembershipNs() {
            return TimeUnit.MINUTES.toNanos(keptMembershipMin);
        }
    }

    /**
     * When the fabric is looked at.
     *
     * @param intervalS seconds between light sweeps, 0 for none
     * @param failurePrechecks losses of cables whose routes are computed beforehand, for each routing; 0 for none
     * @param readyPlansMib MiB for plans that are kept for single failures; 0 for none
     */
    public record Sweeps(int intervalS, int failurePrechecks, int readyPlansMib) {
        /** The same in bytes. */
        public long readyPlansBytes() {
            return (long) readyPlansMib << 20;
        }
    }

    /**
     * How a fabric is looked at that another SM rules.
     *
     * @param isShadow whether that is all that is done
     * @param shadowSmpsPerSecond MADs that are sent in a second at most
     * @param shadowIntervalS seconds from one reading of the fabric to the next
     * @param shadowLookS seconds between looks at all switches; 0 for none
     * @param shadowPaths paths that the ruling SA is asked for with each reading
     */
    public record Shadow(
            boolean isShadow, int shadowSmpsPerSecond, int shadowIntervalS, int shadowLookS, int shadowPaths) {}

    /**
     * Which cables between switches are taken out of use by themselves, and for how long.
     *
     * @param isolateFlappingLinks so many downs of a cable within the window isolate it; 0 for none
     * @param isolateWindowS seconds in which downs are counted
     * @param isolateErrorRate so many errors a minute on a cable isolate it; 0 for none
     * @param isolateMaxLinks no more are isolated at once
     * @param isolateQuietTimeS seconds without a change after which a cable is used again, the first time
     */
    public record Isolation(
            int isolateFlappingLinks,
            int isolateWindowS,
            int isolateErrorRate,
            int isolateMaxLinks,
            int isolateQuietTimeS) {
        private static final Duration MAX_QUIET = Duration.ofDays(1);
        private static final int MAX_DOUBLINGS = 16;

        /** Whether anything is isolated at all. */
        public boolean isOn() {
            return isolateFlappingLinks > 0 || isolateErrorRate > 0;
        }

        /** In which downs are counted. */
        public Duration window() {
            return Duration.ofSeconds(isolateWindowS);
        }

        /**
         * How long a cable has to be quiet before it is used again: twice as long each time, up to a day, or what is set if that is more.
         *
         * @param times that it was isolated lately, with this one
         */
        public Duration quiet(int times) {
            Duration first = Duration.ofSeconds(isolateQuietTimeS);
            Duration wanted = first.multipliedBy(1L << Math.min(MAX_DOUBLINGS, Math.max(0, times - 1)));
            Duration most = first.compareTo(MAX_QUIET) > 0 ? first : MAX_QUIET;
            return wanted.compareTo(most) > 0 ? most : wanted;
        }
    }

    /**
     * What is kept on disk, and where.
     *
     * @param stateDir persistent stores; null to keep nothing
     * @param restoresGroups whether what hosts registered with the SA in the last run is there from the start
     * @param mKeyLookup whether devices that were not seen yet are shown the M_Key of those that were there before
     * @param dumpDir tables for other tools; null for none
     * @param capture pcap file of all MADs; null for none
     */
    public record Files(
            @Nullable Path stateDir,
            boolean restoresGroups,
            boolean mKeyLookup,
            @Nullable Path dumpDir,
            @Nullable Path capture) {}

    /**
     * How much is kept of the past, the newest of it.
     *
     * @param historyChanges changes of the subnet; 0 for none
     * @param historyMib MiB of them, in memory and once more in the state directory
     * @param eventLogMib MiB of events in the state directory; 0 for none
     * @param recorderMib MiB of traffic in memory; 0 for none
     * @param recorderFiles recordings in the state directory; 0 for none
     */
    public record History(int historyChanges, int historyMib, int eventLogMib, int recorderMib, int recorderFiles) {}

    /**
     * How operators talk to the daemon.
     *
     * @param controlSocket null for none
     * @param controlSocketGroup that may use the socket; empty for the daemon's own
     * @param consoleListen a loopback address for those who only ask; empty for none
     */
    public record Console(
            @Nullable Path controlSocket, String controlSocketGroup, List<InetSocketAddress> consoleListen) {
        public Console {
            consoleListen = List.copyOf(consoleListen);
        }

        /** The loopback address for those who only ask; null for none. */
        public @Nullable InetSocketAddress listen() {
            return consoleListen.isEmpty() ? null : consoleListen.get(0);
        }
    }

    /**
     * Who else keeps the state. All of it is set, or nothing.
     *
     * @param replicationListen own address; empty for no replication
     * @param peers addresses of the others
     * @param keyFile the key that all share
     * @param waitS seconds that this SM waits for them before it programs what it knows itself
     */
    public record Replication(
            List<InetSocketAddress> replicationListen,
            List<InetSocketAddress> peers,
            @Nullable Path keyFile,
            int waitS) {
        public Replication {
            replicationListen = List.copyOf(replicationListen);
            peers = List.copyOf(peers);
        }

        /** The own address; null for no replication. */
        public @Nullable InetSocketAddress listen() {
            return replicationListen.isEmpty() ? null : replicationListen.get(0);
        }

        /** Nanoseconds that this SM waits for peers. */
        public long waitNs() {
            return TimeUnit.SECONDS.toNanos(waitS);
        }

        /**
         * Reads the key.
         *
         * @return null for no replication
         * @throws ConfigurationException if the file is not there, is no key, or is open to others
         */
        @Nullable
        public KeyFile key() throws ConfigurationException {
            if (replicationListen.isEmpty() || keyFile == null) {
                return null;
            }
            try {
                return KeyFile.read(keyFile);
            } catch (KeyFile.Unusable e) {
                throw new ConfigurationException(List.of("replication_key_file: " + e.getMessage()));
            }
        }
    }

    /**
     * Who may look over HTTP.
     *
     * @param httpListen null for nobody
     * @param httpNames by which clients may call the server, in lower case, besides addresses
     */
    public record Http(@Nullable InetSocketAddress httpListen, Set<String> httpNames) {
        public Http {
            httpNames = Set.copyOf(httpNames);
        }
    }

    /**
     * Who may look and change something over HTTPS.
     *
     * @param httpsListen null for nobody
     * @param files certificate, key and users
     */
    public record Https(@Nullable InetSocketAddress httpsListen, AccessFiles.Named files) {
        /**
         * Looks at the files.
         *
         * @throws ConfigurationException with file, line and remedy of what cannot be used
         */
        void check() throws ConfigurationException {
            try {
                if (httpsListen != null) {
                    files.read();
                }
            } catch (UnusableFileException e) {
                throw new ConfigurationException(e.problems());
            }
        }
    }

    /**
     * What is logged, and where.
     *
     * @param logFile null for standard output
     * @param logLevel error, warn, info, debug or trace
     */
    public record Log(@Nullable Path logFile, String logLevel) {
        /** Levels from quiet to loud. */
        public static final List<String> LEVELS = List.of("error", "warn", "info", "debug", "trace");

        private static final int FLAG_INFO = 0x02;
        private static final int FLAG_VERBOSE = 0x04;
        private static final int FLAG_DEBUG = 0x08;
        private static final int FLAG_FRAMES = 0x30;

        /** The level nearest to log flags as OpenSM numbers them. */
        public static String levelOfFlags(int flags) {
            if ((flags & FLAG_FRAMES) != 0) {
                return "trace";
            }
            if ((flags & (FLAG_DEBUG | FLAG_VERBOSE)) != 0) {
                return "debug";
            }
            return (flags & FLAG_INFO) != 0 ? "info" : "error";
        }
    }

    /**
     * The receivers of events.
     *
     * @param alertProgram started for each; null for none
     * @param alertUrl to which each is posted; null for none
     * @param alertLevel the least severe of {@link #LEVELS}
     * @param alertCodes codes of events that are alerts at any level; after a minus, that are none
     */
    public record Alerts(
            @Nullable Path alertProgram, @Nullable URI alertUrl, String alertLevel, Set<String> alertCodes) {
        /** Levels from grave to harmless. */
        public static final List<String> LEVELS = List.of("error", "warn", "info");

        /** Shows no address, which may be a secret. */
        @Override
        public String toString() {
            return "Alerts[" + alertProgram + ", " + alertLevel + "]";
        }
    }
}
