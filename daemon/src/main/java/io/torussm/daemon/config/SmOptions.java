package io.torussm.daemon.config;

import io.torussm.congestion.CongestionOptions;
import io.torussm.daemon.access.AccessFiles;
import io.torussm.daemon.access.UnusableFileException;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.deadlock.chain.OnCreditLoop;
import io.torussm.firmware.FirmwareSettings;
import io.torussm.mastership.MastershipSettings;
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
 * All checked decisions of the operator, as the records of their users. {@link SettingValues#toRecord} fills each
 * component by its name. Immutable.
 *
 * @param values all values by setting
 * @param port the port of the SM
 * @param routing engines and their options
 * @param qos settings of VL arbitration
 * @param sweep values to program in ports and switches
 * @param partitions access between hosts
 * @param sa responses to hosts
 * @param sweeps times of sweeps
 * @param isolation cables to take out of use
 * @param drift rate at which contents of devices are read back
 * @param mads limit of outstanding SMPs, and their time-outs
 * @param mastership priority among subnet managers, and trust in others
 * @param shadow operation beside another master SM
 * @param reports delivery of events to subscribers
 * @param files files on disk
 * @param history size of the history
 * @param console access of operators to the daemon
 * @param replication copies of the state at other SMs
 * @param http read access over HTTP
 * @param https read and write access over HTTPS
 * @param log level and file of the log
 * @param alerts receivers of events
 * @param perf reading of port counters
 * @param congestion congestion control
 * @param firmware reading of firmware versions
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
        MastershipSettings mastership,
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
        PerfSettings perf,
        CongestionOptions congestion,
        FirmwareSettings firmware) {

    /** Returns the options with these values. */
    public static SmOptions of(SettingValues values) {
        return values.toRecord(SmOptions.class);
    }

    /** Returns a copy with which tables with credit loops are accepted, to examine their effect. */
    public SmOptions withLoopsAccepted() {
        return of(values.with(Settings.ON_CREDIT_LOOP, "warn").with(Settings.ON_SWITCH_PORT_LOOP, "warn"));
    }

    /** Returns a copy with other engines, separated by commas. */
    public SmOptions withEngines(String engines) {
        return of(values.with(Settings.ROUTING_ENGINE, engines));
    }

    /** Returns a copy with another priority among subnet managers, 0 to 15. */
    public SmOptions withPriority(int priority) {
        return of(values.with(Settings.SM_PRIORITY, Integer.toString(priority)));
    }

    /** Returns a copy in which this SM is no shadow. */
    public SmOptions withoutShadow() {
        return of(values.with(Settings.SHADOW, "false"));
    }

    /** Returns all values without keys. */
    @Override
    public String toString() {
        return "SmOptions" + values;
    }

    /**
     * The port of the SM.
     *
     * @param ca name of the channel adapter; empty for any
     * @param number port number; 0 for any
     * @param guid PortGUID; 0 for any
     * @param simulate the embedded fabric, as a specification or the name of a topology file; empty for a real port
     * @param simHost node of the SM in the embedded fabric; empty for its first host
     * @param isSimLimited whether the embedded fabric accepts no more SMPs than switches and Linux do
     * @param simulateDevices file with the faults of the embedded devices; null for devices without faults
     * @param isRmppOfKernel whether the kernel splits SA messages into segments; ignored for an embedded fabric
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
        /** Checks whether the fabric is the embedded one. */
        public boolean isSimulated() {
            return !simulate.isEmpty();
        }
    }

    /**
     * Engines and their options.
     *
     * @param engines names separated by commas, see {@link io.torussm.deadlock.chain.RoutingChain#parse}; not blank
     * @param onCreditLoop the action on tables with a credit loop
     * @param onSwitchPortLoop the action on a credit loop that only packets of switch ports 0 close
     * @param engineSettings settings of engines that differ from their defaults, by name such as {@code
     *     torus-2QoS.torus_config}
     * @param qos whether QoS tables are programmed
     * @param smSl requested SL of traffic with the SM
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
     * Access between hosts.
     *
     * @param enforcement directions in which switches check P_Keys at ports to hosts
     * @param keepsIndexes whether a P_Key keeps its index as long as the port needs the P_Key
     * @param allowsBoth whether a port may have the full and the limited P_Key of a partition
     * @param maxChange max percentage of end ports whose P_Keys a new file may change without confirmation
     */
    public record Partitions(
            PartitionSettings.Enforcement enforcement, boolean keepsIndexes, boolean allowsBoth, int maxChange) {
        /** Returns the settings of partitions for a sweep. */
        public PartitionSettings with(PartitionConf conf) {
            return new PartitionSettings(conf, enforcement, keepsIndexes, allowsBoth);
        }
    }

    /**
     * Responses to hosts.
     *
     * @param sharesMlids whether groups of IPv6 solicited-node addresses share MLIDs
     * @param assignedGuidGroup bits 39 to 32 of alias GUIDs that the SA assigns, 0 to 255
     * @param keptMembershipMin minutes that absent ports stay members of their groups
     */
    public record Sa(boolean sharesMlids, int assignedGuidGroup, int keptMembershipMin) {
        /** Returns the time that absent ports stay members, in nanoseconds. */
        public long keptMembershipNs() {
            return TimeUnit.MINUTES.toNanos(keptMembershipMin);
        }
    }

    /**
     * Times of sweeps.
     *
     * @param intervalS seconds between light sweeps; 0: no light sweeps
     * @param failurePrechecks number of losses of cables whose routes are precomputed for each routing; 0: none
     * @param readyPlansMib max memory in MiB for plans that are kept for single failures; 0: no plans are kept
     * @param virtEnabled action on virtual ports: 0 ignore, 1 disable, 2 enable
     */
    public record Sweeps(int intervalS, int failurePrechecks, int readyPlansMib, int virtEnabled) {
        /** Returns the memory for plans, in bytes. */
        public long readyPlansBytes() {
            return (long) readyPlansMib << 20;
        }
    }

    /**
     * The operation beside another master SM.
     *
     * @param isShadow whether the process only observes the fabric
     * @param shadowSmpsPerSecond max number of MADs per second
     * @param shadowIntervalS seconds between readings of the fabric
     * @param shadowLookS seconds between checks of all switches; 0: no checks
     * @param shadowPaths number of path records that each reading requests from the SA of the master
     */
    public record Shadow(
            boolean isShadow, int shadowSmpsPerSecond, int shadowIntervalS, int shadowLookS, int shadowPaths) {}

    /**
     * The conditions under which cables between switches are isolated automatically.
     *
     * @param isolateFlappingLinks number of losses of a cable within the window from which it is isolated; 0: never
     * @param isolateWindowS seconds in which losses are counted
     * @param isolateErrorRate errors per minute on a cable from which it is isolated; 0: never
     * @param isolateMaxLinks max number of isolated cables
     * @param isolateQuietTimeS seconds without a change of state after which a cable is used again, the first time
     */
    public record Isolation(
            int isolateFlappingLinks,
            int isolateWindowS,
            int isolateErrorRate,
            int isolateMaxLinks,
            int isolateQuietTimeS) {
        private static final Duration MAX_QUIET = Duration.ofDays(1);
        private static final int MAX_DOUBLINGS = 16;

        /** Checks whether any isolation is configured. */
        public boolean isOn() {
            return isolateFlappingLinks > 0 || isolateErrorRate > 0;
        }

        /** Returns the time in which losses are counted. */
        public Duration window() {
            return Duration.ofSeconds(isolateWindowS);
        }

        /**
         * Returns the time without a change of state after which a cable is used again. It doubles with each
         * isolation, up to a day, or up to the setting if that is longer.
         *
         * @param times number of recent isolations of the cable, the present one included
         */
        public Duration quiet(int times) {
            Duration first = Duration.ofSeconds(isolateQuietTimeS);
            Duration wanted = first.multipliedBy(1L << Math.min(MAX_DOUBLINGS, Math.max(0, times - 1)));
            Duration limit = first.compareTo(MAX_QUIET) > 0 ? first : MAX_QUIET;
            return wanted.compareTo(limit) > 0 ? limit : wanted;
        }
    }

    /**
     * Files on disk.
     *
     * @param stateDir directory of the state files; null to keep no state
     * @param restoresGroups whether registrations of hosts with the SA in the last process are restored at the start
     * @param mKeyLookup whether M_Keys of earlier devices at the same place are tried at new devices
     * @param dumpDir directory of tables for other tools; null for no tables
     * @param capture pcap file of all MADs; null for no capture
     */
    public record Files(
            @Nullable Path stateDir,
            boolean restoresGroups,
            boolean mKeyLookup,
            @Nullable Path dumpDir,
            @Nullable Path capture) {}

    /**
     * The sizes of the history, of which the newest part is kept.
     *
     * @param historyChanges max number of changes of the subnet; 0: none are kept
     * @param historyMib max MiB of changes, in memory and as many in the state directory
     * @param eventLogMib max MiB of events in the state directory; 0: none are kept
     * @param recorderMib max MiB of the flight recorder in memory; 0: no flight recorder
     * @param recorderFiles max number of recordings in the state directory; 0: none are kept
     */
    public record History(int historyChanges, int historyMib, int eventLogMib, int recorderMib, int recorderFiles) {}

    /**
     * Access of operators to the daemon.
     *
     * @param controlSocket path of the socket of the console; null for no socket
     * @param controlSocketGroup group that may use the socket; empty for the group of the daemon
     * @param consoleListen loopback address for read access; empty for no address
     */
    public record Console(
            @Nullable Path controlSocket, String controlSocketGroup, List<InetSocketAddress> consoleListen) {
        public Console {
            consoleListen = List.copyOf(consoleListen);
        }

        /** Returns the loopback address for read access; null if there is none. */
        public @Nullable InetSocketAddress listen() {
            return consoleListen.isEmpty() ? null : consoleListen.get(0);
        }
    }

    /**
     * Copies of the state at other SMs.
     *
     * @param replicationListen address of this SM for its peers; empty for no replication
     * @param peers addresses of the other SMs; empty for no replication
     * @param keyFile file of the shared key; not null with replication
     * @param waitS max seconds to wait for the state of peers before this SM programs its own
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

        /** Returns the address of this SM; null without replication. */
        public @Nullable InetSocketAddress listen() {
            return replicationListen.isEmpty() ? null : replicationListen.get(0);
        }

        /** Returns the max time to wait for peers, in nanoseconds. */
        public long waitNs() {
            return TimeUnit.SECONDS.toNanos(waitS);
        }

        /**
         * Reads the key.
         *
         * @return key; null without replication
         * @throws ConfigurationException if the file does not exist, is no key, or is readable for other users
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
     * Read access over HTTP.
     *
     * @param httpListen address of the server; null for no server
     * @param httpNames host names by which requests may name the server besides addresses, in lower case
     */
    public record Http(@Nullable InetSocketAddress httpListen, Set<String> httpNames) {
        public Http {
            httpNames = Set.copyOf(httpNames);
        }
    }

    /**
     * Read and write access over HTTPS.
     *
     * @param httpsListen address of the server; null for no server
     * @param files files of certificate, key and users
     */
    public record Https(@Nullable InetSocketAddress httpsListen, AccessFiles.AccessPaths files) {
        /**
         * Checks the files.
         *
         * @throws ConfigurationException with file, line and remedy of each error
         */
        public void check() throws ConfigurationException {
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
     * Level and file of the log.
     *
     * @param logFile log file; null for standard output
     * @param logLevel level: error, warn, info, debug or trace
     */
    public record Log(@Nullable Path logFile, String logLevel) {
        /** The levels, the least verbose first. */
        public static final List<String> LEVELS = List.of("error", "warn", "info", "debug", "trace");

        private static final int FLAG_INFO = 0x02;
        private static final int FLAG_VERBOSE = 0x04;
        private static final int FLAG_DEBUG = 0x08;
        private static final int FLAG_FRAMES = 0x30;

        /** Returns the level nearest to OpenSM's numeric log flags. */
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
     * @param alertProgram program that is started for each alert; null for no program
     * @param alertUrl address to which each alert is posted; null for no address
     * @param alertLevel the least severe level of events that are alerts, one of {@link #LEVELS}
     * @param alertCodes codes of events that are alerts at any level; with a minus, codes of events that never are
     */
    public record Alerts(
            @Nullable Path alertProgram, @Nullable URI alertUrl, String alertLevel, Set<String> alertCodes) {
        /** The levels, the most severe first. */
        public static final List<String> LEVELS = List.of("error", "warn", "info");

        /** Returns the settings without the address, which may be a secret. */
        @Override
        public String toString() {
            return "Alerts[" + alertProgram + ", " + alertLevel + "]";
        }
    }
}
