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
 * data. An SM that starts, or that receives the subnet by a handover, may wait for such data ({@link #meet},
 * {@link #settle}) before it programs its own, older data.
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
    private static final long ASK_NS = TimeUnit.SECONDS.toNanos(2);

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

    private final HeldVersions versions;

    private final PeerKnowledge knowledge = new PeerKnowledge();
    private final PeerWait wait;

    /** Checksum of the content that this SM last published as master, by name of the file. */
    private final Map<String, Long> sums = new HashMap<>();

    /** Files that a standby SM still has to send to a new peer, with min versions by name. */
    private final Map<String, FileVersion> shown = new HashMap<>();

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
        versions = new HeldVersions(directory);
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
    public void meet(long limitNs, Runnable then) {
        wait.until(() -> knowledge.isWhole(channel.expected()), "looks for the subnet", limitNs, then);
    }

    /**
     * Delays an operation until no connected peer is master any more and this SM has the last data of each of the
     * peers. The parameters are those of {@link #meet}.
     */
    public void settle(long limitNs, Runnable then) {
        wait.until(knowledge::isSettled, "programs the subnet", limitNs, then);
    }

    /** Begins a mastership of this SM. */
    public void begin() {
        sm.check();
        isMaster = true;
        isPublishing = true;
        versions.beginMastership();
        knowledge.begin();
        terms.beginMastership(versions.newest());
        shown.clear();
        announceState(false);
        disk.execute(directory::passToReplica);
        progress.lastTaken().ifPresent(taken -> EVENTS.report(SmEvent.STATE_ADOPTED, EventField.TEXT.of(taken)));
    }

    /** Handles a pause of this process. If another SM was master meanwhile, its data are merged. */
    public void stoodStill() {
        sm.check();
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
        sm.check();
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
     * Returns whether the SM at a port is a peer, or was a peer since the start. A peer has the key of the
     * replication, so it may read the keys of the subnet. Thread-safe.
     */
    public boolean knowsPort(long guid) {
        return peerPorts.contains(guid);
    }

    // --- data written by this SM ---

    @Override
    public void changed(StateFile file, byte[] content) {
        sm.execute(() -> publish(file.name(), content));
    }

    private void publish(String name, byte[] content) {
        FileVersion version = isPublishing ? published(name, content) : shown.remove(name);
        if (version == null) {
            return;
        }
        if (content.length > ReplicaMessage.MAX_CONTENT) {
            refusals.report(
                    name, name + " is not replicated: it has more than " + ReplicaMessage.MAX_CONTENT + " bytes");
            return;
        }
        ReplicaMessage message = new ReplicaMessage(isMaster, false, subnetPrefix, name, version, content);
        channel.send(name, message::encode, () -> progress.sent(name + " " + version));
    }

    /** Returns the version of a published file: a new one if the content has changed or the term is new to the file. */
    private FileVersion published(String name, byte[] content) {
        CRC32C sum = new CRC32C();
        sum.update(content);
        Long previous = sums.put(name, sum.getValue());
        if (versions.held(name).term() != terms.term() || previous == null || previous != sum.getValue()) {
            versions.hold(name, terms.next());
        }
        return versions.held(name);
    }

    // --- messages of peers; the methods of the listener are called on any thread ---

    @Override
    public void joined(String peer) {
        EVENTS.report(SmEvent.PEER_JOINED, EventField.PEER.of(peer));
        sm.execute(() -> {
            knowledge.joined(peer);
            show();
            listen();
        });
    }

    private void show() {
        announceState(false);
        if (!isMaster) {
            // A master that lacks some of the files merges them.
            shown.putAll(versions.all());
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
            sm.schedule(ASK_NS, () -> {
                isListening = false;
                if (knowledge.isAnyUnheard()) {
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
            knowledge.left(peer);
            wait.look();
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
            sm.execute(() -> met(message.portGuid()));
            return;
        }
        if (inbox.put(new ReplicaInbox.Received(peer, message))) {
            disk.execute(this::examineNext);
        } else {
            refusals.report(peer, "more messages wait than can be looked at; those of " + peer + " are dropped");
        }
    }

    private void met(long guid) {
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
        } else if (message.version().isNewerThan(isMaster ? versions.begunWith(name) : versions.held(name))) {
            examine(next);
        }
    }

    /** Handles the versions of a peer. A peer with an older program reports only its newest version. */
    private void examineVersions(ReplicaInbox.Received next) {
        ReplicaMessage message = next.message();
        try {
            Map<String, FileVersion> theirs = message.content().length == 0
                    ? Map.of()
                    : VersionFile.FILE.parse(message.content(), new VersionFile.VersionLines());
            sm.execute(() -> heard(next.peer(), message, theirs));
        } catch (StateFile.Damage damage) {
            refusals.report(
                    next.peer(), "what " + next.peer() + " says it holds is not believed: " + damage.getMessage());
        }
    }

    private void examine(ReplicaInbox.Received next) {
        String name = next.message().name();
        try {
            StateDirectory.Adoption adoption =
                    directory.examine(name, next.message().content());
            sm.execute(() -> take(next, adoption));
        } catch (StateFile.Damage damage) {
            refusals.report(
                    next.peer() + " " + name,
                    "the file " + name + " of " + next.peer() + " is not taken: " + damage.getMessage());
        }
    }

    private void heard(String peer, ReplicaMessage message, Map<String, FileVersion> theirs) {
        terms.heard(message.version().term());
        if (message.isAsking()) {
            show();
        }
        if (isMaster && !message.isMaster()) {
            FileVersion newest = message.version();
            boolean isSameTerm = newest.term() == terms.term() && !knowledge.isMet(peer);
            if (isSameTerm || newest.isNewerThan(terms.last())) {
                terms.begin(newest.term());
            }
            disk.execute(directory::passToReplica);
        }
        Set<String> followed = directory.followed();
        knowledge.says(
                peer,
                message.isMaster(),
                theirs,
                (name, version, isMet) -> followed.contains(name)
                        && (isMaster
                                ? !message.isMaster() && isMissed(name, version, isMet)
                                : version.isNewerThan(versions.held(name))));
        wait.look();
    }

    /**
     * Returns whether a version was written by another master, while this SM was not master or at the same time.
     * {@code isOwnPerhaps} is true if the version may be a copy from this SM.
     */
    private boolean isMissed(String name, FileVersion version, boolean isOwnPerhaps) {
        return version.isNewerThan(versions.begunWith(name)) && !(isOwnPerhaps && terms.isOwn(version.term()));
    }

    private void take(ReplicaInbox.Received received, StateDirectory.Adoption adoption) {
        ReplicaMessage message = received.message();
        String peer = received.peer();
        String name = message.name();
        terms.heard(message.version().term());
        boolean isLastWord = knowledge.isMaster(peer) || knowledge.isAwaited(peer, name);
        if (isMaster && !message.isMaster() && isMissed(name, message.version(), !isLastWord)) {
            versions.merge(name, message.version());
            adoption.complete();
            EVENTS.report(SmEvent.COPY_MERGED, EventField.NAME.of(name), EventField.PEER.of(peer));
        } else if (!isPublishing && message.version().isNewerThan(versions.held(name))) {
            adoption.replace();
            versions.hold(name, message.version());
            progress.taken(name + " " + message.version() + " from " + peer);
            if (message.version().term() > loggedTerm) {
                loggedTerm = message.version().term();
                EVENTS.report(SmEvent.COPY_TAKEN, EventField.TERM.of(loggedTerm), EventField.PEER.of(peer));
            }
            LOG.debug("replication: {} {} taken from {}", name, message.version(), peer);
        }
        knowledge.has(name, isMaster ? versions.begunWith(name) : versions.held(name));
        wait.look();
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
        return progress.of(channel.peers(), wait.leftNs());
    }

    /** Ends the replication. May be called by any thread except those of the loops. */
    @Override
    public void close() {
        directory.replicateTo(Replica.NONE);
        channel.close();
    }
}
