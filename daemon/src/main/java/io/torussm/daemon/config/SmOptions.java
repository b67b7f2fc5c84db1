package io.torussm.daemon.config;

import io.torussm.daemon.replica.KeyFile;
import io.torussm.partition.PartitionSettings;
import io.torussm.qos.QosOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that the operator decided, checked. Immutable; made by {@link Configuration}.
 *
 * @param port where the SM sits
 * @param routing how routes are found
 * @param qos VL arbitration, as far as it was set
 * @param addresses what end ports are called
 * @param partitions who may talk with whom
 * @param sa how hosts are answered
 * @param sweeps when the fabric is looked at
 * @param events what is told to others
 * @param mads how many SMPs are in flight, and for how long
 * @param mastership rank among subnet managers
 * @param keys what protects ports and the SM
 * @param links what ports are set to
 * @param files what is kept on disk, and where
 * @param console how operators talk to the daemon
 * @param replication who else keeps the state
 * @param http who may look over HTTP
 * @param log what is told, and where
 */
public record SmOptions(
        Port port,
        Routing routing,
        QosOptions qos,
        Addresses addresses,
        Partitions partitions,
        Sa sa,
        Sweeps sweeps,
        Events events,
        Mads mads,
        Mastership mastership,
        Keys keys,
        Links links,
        Files files,
        Console console,
        Replication replication,
        Http http,
        Log log) {

    /** The same with another priority among subnet managers. */
    public SmOptions withPriority(int priority) {
        return new SmOptions(
                port,
                routing,
                qos,
                addresses,
                partitions,
                sa,
                sweeps,
                events,
                mads,
                mastership.withPriority(priority),
                keys,
                links,
                files,
                console,
                replication,
                http,
                log);
    }

    /**
     * Where the SM sits.
     *
     * @param ca name of the channel adapter, empty for any
     * @param number port number, 0 for any
     * @param guid port GUID, 0 for any
     * @param simulate what the embedded fabric looks like, as text or the name of a topology file; empty for a real port
     * @param simHost node of the embedded fabric that the SM sits on; empty for its first host
     * @param isRmppOfKernel whether the kernel cuts SA messages into segments; not for an embedded fabric
     */
    public record Port(String ca, int number, long guid, String simulate, String simHost, boolean isRmppOfKernel) {
        /** Whether the fabric is the embedded one. */
        public boolean isSimulated() {
            return !simulate.isEmpty();
        }
    }

    /**
     * How routes are found.
     *
     * @param engines names separated by commas, as {@link io.torussm.deadlock.RoutingChain#parse} reads them; not blank
     * @param torusConfig torus-2QoS.conf; null if none was named
     * @param acceptsUnplaced whether torus-2QoS routes without switches whose place is in doubt
     * @param qos whether QoS tables are programmed
     * @param smSl SL wanted for traffic with the SM
     */
    public record Routing(String engines, @Nullable Path torusConfig, boolean acceptsUnplaced, boolean qos, int smSl) {}

    /**
     * What end ports are called.
     *
     * @param subnetPrefix upper half of every GID
     * @param lmc LMC of host ports, 0 to 7
     * @param lmcEsp0 whether enhanced port 0 of switches has this LMC, too
     * @param reassignLids whether the first sweep forgets the LIDs that ports have
     * @param assignedGuidGroup bits 39 to 32 of alias GUIDs that the SA makes up, 0 to 255
     */
    public record Addresses(long subnetPrefix, int lmc, boolean lmcEsp0, boolean reassignLids, int assignedGuidGroup) {}

    /**
     * Who may talk with whom.
     *
     * @param file partitions.conf; null if none was named
     * @param enforcement what switches check at ports to hosts
     * @param keepsIndexes whether a P_Key stays at its index as long as it is wanted
     * @param allowsBoth whether a port may hold the full and the limited P_Key of a partition
     */
    public record Partitions(
            @Nullable Path file, PartitionSettings.Enforcement enforcement, boolean keepsIndexes, boolean allowsBoth) {}

    /**
     * How hosts are answered.
     *
     * @param qosPolicy qos-policy.conf; null if none was named
     * @param prefixRoutes prefix-routes.conf; null if none was named
     * @param sharesMlids whether groups of IPv6 solicited-node addresses share MLIDs
     */
    public record Sa(@Nullable Path qosPolicy, @Nullable Path prefixRoutes, boolean sharesMlids) {}

    /**
     * When the fabric is looked at.
     *
     * @param intervalS seconds between light sweeps, 0 for none
     * @param rehearsals losses of cables that are played through for each routing, 0 for none
     * @param disablesBabblers whether ports that complain of their link without end are disabled
     */
    public record Sweeps(int intervalS, int rehearsals, boolean disablesBabblers) {}

    /**
     * What is told to others.
     *
     * @param dropsSubscriptions whether subscriptions end when their port goes
     */
    public record Events(boolean dropsSubscriptions) {}

    /**
     * SMPs on the wire.
     *
     * @param wireWindow in flight in all, 0 for as many as the transport carries
     * @param deviceWindow in flight to one device
     * @param timeoutMs wait for an answer, milliseconds
     * @param retries how often an SMP is sent again
     */
    public record Mads(int wireWindow, int deviceWindow, int timeoutMs, int retries) {}

    /**
     * Rank among subnet managers, and who of them counts. Its text shows no key.
     *
     * @param priority 0 to 15
     * @param isInactive whether to start in NOT-ACTIVE
     * @param pollMs milliseconds between polls of the master
     * @param pollRetries polls that may fail in a row
     * @param trustedKeys SM_Keys besides the own one; if there is any, an SM must show one
     * @param trustedGuids port GUIDs of SMs; empty for any
     */
    public record Mastership(
            int priority,
            boolean isInactive,
            int pollMs,
            int pollRetries,
            Set<Long> trustedKeys,
            Set<Long> trustedGuids) {
        public Mastership {
            trustedKeys = Set.copyOf(trustedKeys);
            trustedGuids = Set.copyOf(trustedGuids);
        }

        public Mastership withPriority(int other) {
            return new Mastership(other, isInactive, pollMs, pollRetries, trustedKeys, trustedGuids);
        }

        @Override
        public String toString() {
            return "Mastership[priority=" + priority + ", isInactive=" + isInactive + ", pollMs=" + pollMs
                    + ", pollRetries=" + pollRetries + "]";
        }
    }

    /**
     * What protects ports and the SM. Its text shows none of it.
     *
     * @param smKey SM_Key that other subnet managers must show
     * @param mKey M_Key of all ports, 0 for none
     * @param mKeyLeasePeriodS seconds, 0 for ever
     * @param mKeyProtectBits 0 to 3
     * @param mKeyLookup whether devices that were not seen yet are shown the key of who was there before
     */
    public record Keys(long smKey, long mKey, int mKeyLeasePeriodS, int mKeyProtectBits, boolean mKeyLookup) {
        /** Whether the protection of ports ends unless an SM shows them their key once in the lease period. */
        public boolean isLeased() {
            return mKey != 0 && mKeyProtectBits > 0 && mKeyLeasePeriodS > 0;
        }

        @Override
        public String toString() {
            return "Keys[hidden]";
        }
    }

    /**
     * What ports are set to. Lifetimes are time values: 4.096 us x 2^n (IBA 14.2.5.6).
     *
     * @param maxOpVls cap of OperationalVLs, a VL code 1 to 5
     * @param subnetTimeout PortInfo.SubnetTimeOut
     * @param packetLifeTime SwitchInfo.LifeTimeValue
     * @param hoqLife HOQLife between switches
     * @param leafHoqLife HOQLife towards hosts
     * @param vlStallCount VLStallCount between switches
     * @param leafVlStallCount VLStallCount towards hosts
     * @param localPhyErrors threshold, 0 to 15
     * @param overrunErrors threshold, 0 to 15
     */
    public record Links(
            int maxOpVls,
            int subnetTimeout,
            int packetLifeTime,
            int hoqLife,
            int leafHoqLife,
            int vlStallCount,
            int leafVlStallCount,
            int localPhyErrors,
            int overrunErrors) {}

    /**
     * What is kept on disk, and where.
     *
     * @param stateDir persistent stores
     * @param restoresGroups whether what hosts registered with the SA in the last run is there from the start
     * @param dumpDir tables for other tools; null for none
     * @param capture pcap file of all MADs; null for none
     */
    public record Files(
            Path stateDir,
            boolean restoresGroups,
            @Nullable Path dumpDir,
            @Nullable Path capture) {}

    /**
     * How operators talk to the daemon.
     *
     * @param socket null for none
     * @param group that may use the socket; empty for the daemon's own
     * @param listen a loopback address for those who only ask; null for none
     */
    public record Console(
            @Nullable Path socket, String group, @Nullable InetSocketAddress listen) {}

    /**
     * Who else keeps the state. All of it is set, or nothing.
     *
     * @param listen own address; null for no replication
     * @param peers addresses of the others
     * @param keyFile the key that all share
     */
    public record Replication(
            @Nullable InetSocketAddress listen,
            List<InetSocketAddress> peers,
            @Nullable Path keyFile) {
        public Replication {
            peers = List.copyOf(peers);
        }

        /**
         * Reads the key.
         *
         * @return null for no replication
         * @throws ConfigurationException if the file is not there, is no key, or is open to others
         */
        @Nullable
        public KeyFile key() throws ConfigurationException {
            if (listen == null || keyFile == null) {
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
     * @param listen null for nobody
     * @param names by which clients may call the server, in lower case, besides addresses
     */
    public record Http(@Nullable InetSocketAddress listen, Set<String> names) {
        public Http {
            names = Set.copyOf(names);
        }
    }

    /**
     * What is told, and where.
     *
     * @param file null for standard output
     * @param level error, warn, info, debug or trace
     */
    public record Log(@Nullable Path file, String level) {
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
}
