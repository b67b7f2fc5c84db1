package io.torussm.daemon.replica;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.state.Replica;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.transport.Loop;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replication of the state directories of the SMs of one subnet. The master sends each state file that it writes,
 * and the other SMs store the file if its {@link FileVersion} is newer than that of their own copy.
 *
 * <p>A master does not store files of other SMs, with one exception: data that another master wrote and that this SM
 * did not have when it became master. When the other SM is not master any more, this SM merges the data into its own
 * data. An SM that starts, or that receives the subnet by a handover, may wait for such data ({@link
 * #awaitNewestFiles}, {@link #awaitLastCopies}) before it programs its own, older data.
 *
 * <p>Owner thread: {@code sm}, unless a method states otherwise.
 */
public final class Replication implements Replica, PeerChannel.Listener, AutoCloseable {
    /**
     * Max difference of terms. A higher term is an error: the limit allows a new master each second for half a year.
     */
    private static final long MAX_AHEAD = 1L << 24;

    /**
     * Time without the report of a connected peer after which the report is requested; much shorter than
     * {@code replication_wait}.
     */
    private static final long REPORT_REQUEST_DELAY_NS = TimeUnit.SECONDS.toNanos(2);

    /** Max number of stored ports of peers, above the number of SMs of a subnet. */
    private static final int MAX_PORTS = 64;

    private static final Logger LOG = LoggerFactory.getLogger(Replication.class);
    private static final EventLog EVENTS = EventLog.of(Replication.class);

    private final StateDirectory directory;
    private final Loop sm;
    private final Loop disk;
    private final PeerChannel channel;
    private final long subnetPrefix;
    private final long portGuid;

    /** Port GUIDs of the SMs that were peers since the start; written by the owner thread, read by any thread. */
    private final Set<Long> peerPorts = ConcurrentHashMap.newKeySet();

    private final FileVersions versions;

    private final PeerStates peerStates = new PeerStates();
    private final PeerWait wait;

    /** Checksum of the content that this SM last published as master, by name of the file. */
    private final Map<String, Long> checksums = new HashMap<>();

    /** Files that a standby SM still has to send to a new peer, with min versions by name. */
    private final Map<String, FileVersion> filesToSend = new HashMap<>();

    private final ReplicaInbox inbox = new ReplicaInbox();

    private final ReplicaRefusals refusals;

    /** True if this SM is master; written by the owner thread only. */
    private volatile boolean isMaster;

    /** True during a mastership, and until the files that were written in it are sent. */
    private boolean isPublishing;

    private final OwnTerms terms = new OwnTerms();
    private boolean isListening; // true while a timer for the request of missing reports is active
    private long loggedTerm; // term of the last received copy that was logged
    private final ReplicationProgress progress;

    /**
     * Creates a replication, which {@link #start} starts.
     *
     * @param directory state directory, after all its stores were created
     * @param sm loop of the owner thread
     * @param disk loop of the state directory
     * @param channel channel to the peers, closed by {@link #close}
     * @param subnetPrefix prefix of the subnet of this SM
     * @param portGuid PortGUID of the port of this SM, by which peers recognize the SM in the fabric
     */
    public Replication(
            StateDirectory directory, Loop sm, Loop disk, PeerChannel channel, long subnetPrefix, long portGuid) {
        this.directory = directory;
        this.sm = sm;
        this.disk = disk;
        this.channel = channel;
        this.subnetPrefix = subnetPrefix;
        this.portGuid = portGuid;
        refusals = new ReplicaRefusals(sm);
        progress = new ReplicationProgress(sm);
        wait = new PeerWait(sm, () -> channel.peers().isEmpty() ? "none" : String.join(", ", channel.peers()));
        versions = new FileVersions(directory);
    }

    /** Starts the replication and the connections to peers. Thread-safe. */
    public void start() {
        directory.replicateTo(this);
        channel.start(this);
    }

    /**
     * Delays an operation until this SM has the newest files: the files of the master, or the newest files of all peers
     * if no peer is master.
     *
     * @param limitNs time-out; 0 to run the operation immediately
     * @param then the operation; runs once, or never if another delayed operation replaces it
     */
    public void awaitNewestFiles(long limitNs, Runnable then) {
        wait.until(
                () -> peerStates.hasNewestFiles(channel.configuredPeerCount()), "looks for the subnet", limitNs, then);
    }

    /**
     * Delays an operation until no connected peer is master any more and this SM has the last data of each of the
     * peers. The parameters are those of {@link #awaitNewestFiles}.
     */
    public void awaitLastCopies(long limitNs, Runnable then) {
        wait.until(peerStates::isSettled, "programs the subnet", limitNs, then);
    }

    /** Begins a mastership of this SM. */
    public void begin() {
        sm.requireInLoop();
        isMaster = true;
        isPublishing = true;
        versions.beginMastership();
        peerStates.begin();
        terms.beginMastership(versions.newest().term());
        filesToSend.clear();
        announceState(false);
        disk.execute(directory::passToReplica);
        progress.lastReceived().ifPresent(taken -> EVENTS.report(SmEvent.STATE_ADOPTED, EventField.TEXT.of(taken)));
    }

    /** Handles a pause of this process. If another SM was master meanwhile, its data are merged. */
    public void handleStandstill() {
        sm.requireInLoop();
        if (isMaster) {
            versions.beginMastership();
            announceState(false);
        }
    }

    /**
     * Ends the mastership. The files that are already in the state directory are still sent, then all files again,
     * because the new master may have dropped files that arrived while it regarded this SM as master.
     */
    public void end() {
        sm.requireInLoop();
        isMaster = false;
        disk.execute(() -> {
            directory.passToReplica();
            sm.execute(() -> {
                if (!isMaster) {
                    isPublishing = false;
                    announceState(false);
                }
            });
        });
    }

    /** Sends the role, the versions and the port of this SM to all peers, and requests their reports if isAsking. */
    private void announceState(boolean isAsking) {
        ReplicaMessage message =
                new ReplicaMessage(isMaster, isAsking, subnetPrefix, "", versions.newest(), versions.content());
        channel.send("", message::encode, () -> {});
        channel.send(ReplicaMessage.PORT, ReplicaMessage.port(subnetPrefix, portGuid)::encode, () -> {});
    }

    /**
     * Checks whether the SM at a port is a peer, or was a peer since the start. A peer has the key of the
     * replication, so it may read the keys of the subnet. Thread-safe.
     */
    public boolean knowsPort(long guid) {
        return peerPorts.contains(guid);
    }

    // --- data written by this SM ---

    @Override
    public void onChange(StateFile file, byte[] content) {
        sm.execute(() -> publish(file.name(), content));
    }

    private void publish(String name, byte[] content) {
        FileVersion version = isPublishing ? published(name, content) : filesToSend.remove(name);
        if (version == null) {
            return;
        }
        if (content.length > ReplicaMessage.MAX_CONTENT_BYTES) {
            refusals.report(
                    name, name + " is not replicated: it has more than " + ReplicaMessage.MAX_CONTENT_BYTES + " bytes");
            return;
        }
        ReplicaMessage message = new ReplicaMessage(isMaster, false, subnetPrefix, name, version, content);
        channel.send(name, message::encode, () -> progress.recordSent(name + " " + version));
    }

    /** Returns the version of a published file: a new one if the content has changed or the term is new to the file. */
    private FileVersion published(String name, byte[] content) {
        CRC32C sum = new CRC32C();
        sum.update(content);
        Long previous = checksums.put(name, sum.getValue());
        if (versions.version(name).term() != terms.term() || previous == null || previous != sum.getValue()) {
            versions.store(name, terms.assignVersion());
        }
        return versions.version(name);
    }

    // --- messages of peers; the methods of the listener are called on any thread ---

    @Override
    public void joined(String peer) {
        EVENTS.report(SmEvent.PEER_JOINED, EventField.PEER.of(peer));
        sm.execute(() -> {
            peerStates.joined(peer);
            sendState();
            listen();
        });
    }

    private void sendState() {
        announceState(false);
        if (!isMaster) {
            // A master that lacks some of the files merges them.
            filesToSend.putAll(versions.all());
            disk.execute(directory::passToReplica);
        }
    }

    /**
     * Requests reports until all peers have sent one. A report can be lost, because JGroups drops messages of members
     * that the receiver does not have in its list yet, and each member receives the new list of members at another
     * time.
     */
    private void listen() {
        if (!isListening) {
            isListening = true;
            sm.schedule(REPORT_REQUEST_DELAY_NS, () -> {
                isListening = false;
                if (peerStates.isAnyReportMissing()) {
                    announceState(true);
                    listen();
                }
            });
        }
    }

    @Override
    public void left(String peer) {
        EVENTS.report(SmEvent.PEER_LEFT, EventField.PEER.of(peer));
        sm.execute(() -> {
            peerStates.left(peer);
            wait.check();
        });
    }

    @Override
    public void received(String peer, byte[] bytes) {
        ReplicaMessage message;
        try {
            message = ReplicaMessage.decode(bytes);
        } catch (ReplicaMessage.Malformed e) {
            refusals.report(peer, "a message of " + peer + " is not taken: " + e.getMessage());
            return;
        }
        if (message.subnetPrefix() != subnetPrefix) {
            refusals.report(
                    peer,
                    String.format(
                            "peer %s manages a subnet with prefix 0x%016x, this SM one with 0x%016x: nothing of it is"
                                    + " taken; see subnet_prefix and replication_peers",
                            peer, message.subnetPrefix(), subnetPrefix));
            return;
        }
        if (message.isPort()) {
            sm.execute(() -> addPeerPort(message.portGuid()));
            return;
        }
        if (inbox.put(new ReplicaInbox.Received(peer, message))) {
            disk.execute(this::examineNext);
        } else {
            refusals.report(peer, "more messages wait than can be looked at; those of " + peer + " are dropped");
        }
    }

    private void addPeerPort(long guid) {
        if (peerPorts.size() < MAX_PORTS) {
            peerPorts.add(guid);
        }
    }

    // --- handling of a message: first on the loop of the directory ---

    private void examineNext() {
        ReplicaInbox.Received next = inbox.take();
        if (next == null) {
            return;
        }
        ReplicaMessage message = next.message();
        String name = message.name();
        if (message.version().term() - versions.newest().term() > MAX_AHEAD) {
            refusals.report(
                    next.peer(),
                    "peer " + next.peer() + " says that it has term "
                            + message.version().term() + ", which cannot be: nothing of it is taken");
        } else if (name.isEmpty()) {
            examineVersions(next);
        } else if (message.version().isNewerThan(isMaster ? versions.baseVersion(name) : versions.version(name))) {
            examine(next);
        }
    }

    /** Handles the versions of a peer. A peer with an older program reports only its newest version. */
    private void examineVersions(ReplicaInbox.Received next) {
        ReplicaMessage message = next.message();
        try {
            Map<String, FileVersion> versionsOfPeer = message.content().length == 0
                    ? Map.of()
                    : VersionFile.FILE.parse(message.content(), new VersionFile.VersionLines());
            sm.execute(() -> handleReport(next.peer(), message, versionsOfPeer));
        } catch (StateFile.DamagedFileException damage) {
            refusals.report(
                    next.peer(), "what " + next.peer() + " says it holds is not believed: " + damage.getMessage());
        }
    }

    private void examine(ReplicaInbox.Received next) {
        String name = next.message().name();
        try {
            StateDirectory.Adoption adoption =
                    directory.examine(name, next.message().content());
            sm.execute(() -> store(next, adoption));
        } catch (StateFile.DamagedFileException damage) {
            refusals.report(
                    next.peer() + " " + name,
                    "the file " + name + " of " + next.peer() + " is not taken: " + damage.getMessage());
        }
    }

    private void handleReport(String peer, ReplicaMessage message, Map<String, FileVersion> versionsOfPeer) {
        terms.recordPeerTerm(message.version().term());
        if (message.isReportRequested()) {
            sendState();
        }
        if (isMaster && !message.isMaster()) {
            FileVersion newest = message.version();
            boolean isSameTerm = newest.term() == terms.term() && !peerStates.hasReportedAsStandby(peer);
            if (isSameTerm || newest.isNewerThan(terms.lastVersion())) {
                terms.beginTerm(newest.term());
            }
            disk.execute(directory::passToReplica);
        }
        Set<String> followed = directory.registeredFiles();
        peerStates.storeReport(
                peer,
                message.isMaster(),
                versionsOfPeer,
                (name, version, isMet) -> followed.contains(name)
                        && (isMaster
                                ? !message.isMaster() && isMissed(name, version, isMet)
                                : version.isNewerThan(versions.version(name))));
        wait.check();
    }

    /**
     * Checks whether a version was written by another master, while this SM was not master or at the same time.
     * {@code isOwnPerhaps} is true if the version may be a copy from this SM.
     */
    private boolean isMissed(String name, FileVersion version, boolean isOwnPerhaps) {
        return version.isNewerThan(versions.baseVersion(name)) && !(isOwnPerhaps && terms.isOwn(version.term()));
    }

    private void store(ReplicaInbox.Received received, StateDirectory.Adoption adoption) {
        ReplicaMessage message = received.message();
        String peer = received.peer();
        String name = message.name();
        terms.recordPeerTerm(message.version().term());
        boolean isLastWord = peerStates.isMaster(peer) || peerStates.isExpected(peer, name);
        if (isMaster && !message.isMaster() && isMissed(name, message.version(), !isLastWord)) {
            versions.merge(name, message.version());
            adoption.complete();
            EVENTS.report(SmEvent.COPY_MERGED, EventField.NAME.of(name), EventField.PEER.of(peer));
        } else if (!isPublishing && message.version().isNewerThan(versions.version(name))) {
            adoption.replace();
            versions.store(name, message.version());
            progress.recordReceived(name + " " + message.version() + " from " + peer);
            if (message.version().term() > loggedTerm) {
                loggedTerm = message.version().term();
                EVENTS.report(SmEvent.COPY_TAKEN, EventField.TERM.of(loggedTerm), EventField.PEER.of(peer));
            }
            LOG.debug("replication: {} {} taken from {}", name, message.version(), peer);
        }
        peerStates.markStored(name, isMaster ? versions.baseVersion(name) : versions.version(name));
        wait.check();
    }

    /**
     * The progress of the replication.
     *
     * @param peers addresses of the connected peers
     * @param sent last copy that was sent; null for none
     * @param taken last copy that was received and stored; null for none
     * @param waitNs time in ns until the time-out of a wait for peers; 0 if this SM does not wait
     */
    public record Progress(
            List<String> peers,
            @Nullable Transfer sent,
            @Nullable Transfer taken,
            long waitNs) {
        public Progress {
            peers = List.copyOf(peers);
        }
    }

    /**
     * A copy of a state file that was sent or received.
     *
     * @param what name and version of the file; with the sender if the copy was received
     * @param ageNs time in ns since the transfer
     */
    public record Transfer(String what, long ageNs) {}

    /** Returns the progress of the replication. Thread-safe. */
    public Progress progress() {
        return progress.of(channel.peers(), wait.remainingNs());
    }

    /** Ends the replication. May be called by any thread except those of the loops. */
    @Override
    public void close() {
        directory.replicateTo(Replica.NONE);
        channel.close();
    }
}
