package io.torussm.daemon.replica;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.event.log.LogRateLimiter;
import io.torussm.state.Replica;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.transport.Loop;
import java.util.HashMap;
import java.util.LinkedHashSet;
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
 * Keeps the state directories of SMs of one subnet alike: a master sends each state file that it writes, the others take
 * it. Of each file the newest {@link FileVersion} wins.
 *
 * <p>A master takes nothing, with one exception: what another SM wrote as master that this one did not have when it became master.
 * It adds that to what it knows itself, once the other one is not master any more, whenever it hears of it. An SM that starts, or that
 * is handed the subnet, may wait for that ({@link #meet}, {@link #settle}) before it programs what it knows itself, which is older.
 *
 * <p>Owner thread: the loop of the SM, unless a method says otherwise.
 */
public final class Replication implements Replica, PeerChannel.Listener, AutoCloseable {
    /** A peer whose term is further ahead has invented it: a new master in each second of half a year. */
    private static final long MAX_AHEAD = 1L << 24;

    /** How long a peer that is there may say nothing before it is asked; well within {@code replication_wait}. */
    private static final long ASK_NS = TimeUnit.SECONDS.toNanos(2);

    /** More SMs than a subnet has. */
    private static final int MAX_PORTS = 64;

    /** Terms of one mastership that are remembered. */
    private static final int MAX_TERMS = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(Replication.class);
    private static final EventLog EVENTS = EventLog.of(Replication.class);

    private final StateDirectory directory;
    private final Loop sm;
    private final Loop disk;
    private final PeerChannel channel;
    private final long subnetPrefix;
    private final long portGuid;

    /** Port GUIDs of SMs that were peers since the start; written on the loop of the SM only, read from anywhere. */
    private final Set<Long> peerPorts = ConcurrentHashMap.newKeySet();

    /** Written on the loop of the SM only; read from anywhere. */
    private final Map<String, FileVersion> held = new ConcurrentHashMap<>();

    /** What the mastership began with, or has added since; written on the loop of the SM only. */
    private final Map<String, FileVersion> begunWith = new ConcurrentHashMap<>();

    private final PeerKnowledge knowledge = new PeerKnowledge();
    private final PeerWait wait;

    /** Checksums of what this SM published last as master. */
    private final Map<String, Long> sums = new HashMap<>();

    /** Copies that are to be sent to a peer that joined, with the versions that they have at least. */
    private final Map<String, FileVersion> shown = new HashMap<>();

    private final ReplicaInbox inbox = new ReplicaInbox();

    /** The last line about each peer and file, so that a peer of another version costs one line; guarded by itself. */
    private final Map<Object, String> complaints = new HashMap<>();

    /** Guarded by {@link #complaints}; names no more subjects than it keeps apart, so that they are as few. */
    private final LogRateLimiter lines;

    /** Written on the loop of the SM only. */
    private volatile boolean isMaster;

    /** Still so for what was written in a mastership that has just ended. */
    private boolean isPublishing;

    private long term;
    private long number;

    /** The terms of this mastership, of which there is another one for each peer that turned out to be as far. */
    private final Set<Long> terms = new LinkedHashSet<>();

    private boolean isListening;
    private long heardTerm;
    private long loggedTerm;
    private volatile @Nullable Copied lastSent;
    private volatile @Nullable Copied lastTaken;

    /** A copy that was sent or taken, and when. */
    private record Copied(String what, long atNs) {}

    /**
     * Creates a replication that begins with {@link #start}.
     *
     * @param directory whose stores are all there already
     * @param sm the loop of the SM
     * @param disk the loop of the directory
     * @param channel closed with this
     * @param portGuid of the port of this SM, by which peers recognize it in the fabric
     */
    public Replication(
            StateDirectory directory, Loop sm, Loop disk, PeerChannel channel, long subnetPrefix, long portGuid) {
        this.directory = directory;
        this.sm = sm;
        this.disk = disk;
        this.channel = channel;
        this.subnetPrefix = subnetPrefix;
        this.portGuid = portGuid;
        lines = new LogRateLimiter(sm::nowNs);
        wait = new PeerWait(sm, () -> channel.peers().isEmpty() ? "none" : String.join(", ", channel.peers()));
        directory.read(VersionFile.FILE, new VersionFile.Lines()).ifPresent(held::putAll);
    }

    /** Begins to look for peers; from any thread. */
    public void start() {
        directory.replicateTo(this);
        channel.start(this);
    }

    /**
     * Puts something off until this SM knows what its peers know: the one that is master, or all of them. On the loop.
     *
     * @param limitNs for how long at most; 0 to wait for nothing
     * @param then what is put off; runs once, perhaps at once
     */
    public void meet(long limitNs, Runnable then) {
        wait.until(() -> knowledge.isWhole(channel.expected()), "looks for the subnet", limitNs, then);
    }

    /** The same, until no peer that is connected rules any more, and this SM knows what each of them wrote last. */
    public void settle(long limitNs, Runnable then) {
        wait.until(knowledge::isSettled, "programs the subnet", limitNs, then);
    }

    /** This SM is master from now on. */
    public void begin() {
        sm.check();
        isMaster = true;
        isPublishing = true;
        remember();
        knowledge.begin();
        terms.clear();
        beginTerm(Math.max(newest().term(), heardTerm));
        shown.clear();
        announceState(false);
        disk.execute(directory::passToReplica);
        Copied taken = lastTaken;
        if (taken != null) {
            EVENTS.report(SmEvent.STATE_ADOPTED, EventField.TEXT.of(taken.what()));
        }
    }

    private void beginTerm(long after) {
        term = Math.min(after + 1, FileVersion.MAX);
        number = 0;
        terms.add(term);
        if (terms.size() > MAX_TERMS) {
            terms.remove(terms.iterator().next());
        }
    }

    private void remember() {
        begunWith.clear();
        begunWith.putAll(held);
    }

    /** This process stood still: another SM may have been master meanwhile, and this one adds what it does not know. */
    public void stoodStill() {
        sm.check();
        if (isMaster) {
            remember();
            announceState(false);
        }
    }

    /**
     * It is not any more. What it has handed to the state directory up to now is still sent, and all the rest once more: whoever is
     * master by now has dropped what came before it knew that this one is not.
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

    /** The newest version of any file. */
    private FileVersion newest() {
        return held.values().stream().max(FileVersion::compareTo).orElse(FileVersion.NONE);
    }

    /** Whether this SM is master, and what it holds; the same of a peer that was not heard yet is asked for. */
    private void announceState(boolean isAsking) {
        byte[] versions = VersionFile.FILE.content(VersionFile.lines(held));
        ReplicaMessage message = new ReplicaMessage(isMaster, isAsking, subnetPrefix, "", newest(), versions);
        channel.send("", message::encode, () -> {});
        channel.send(ReplicaMessage.PORT, ReplicaMessage.port(subnetPrefix, portGuid)::encode, () -> {});
    }

    /**
     * Checks whether the SM at a port is, or was since the start, a peer: it has the key of the replication, so it may see those of the
     * subnet. From any thread.
     */
    public boolean knowsPort(long guid) {
        return peerPorts.contains(guid);
    }

    // --- what this SM wrote ---

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
            complain(name, name + " is not replicated: it has more than " + ReplicaMessage.MAX_CONTENT + " bytes");
            return;
        }
        ReplicaMessage message = new ReplicaMessage(isMaster, false, subnetPrefix, name, version, content);
        channel.send(name, message::encode, () -> lastSent = new Copied(name + " " + version, sm.nowNs()));
    }

    /** What did not change in this term keeps its version, however often it is sent. */
    private FileVersion published(String name, byte[] content) {
        CRC32C sum = new CRC32C();
        sum.update(content);
        Long before = sums.put(name, sum.getValue());
        if (held(name).term() != term || before == null || before != sum.getValue()) {
            held.put(name, new FileVersion(term, ++number));
            saveVersions();
        }
        return held(name);
    }

    private void saveVersions() {
        Map<String, FileVersion> now = Map.copyOf(held);
        directory.write(VersionFile.FILE, () -> VersionFile.lines(now));
    }

    // --- what peers say; these three on any thread ---

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
            // to masters that do not know it
            shown.putAll(held);
            disk.execute(directory::passToReplica);
        }
    }

    /** A group drops what comes from one whom a member does not know yet, and each learns of a new one at another moment. */
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
            complain(peer, "a message of " + peer + " is not taken: " + e.getMessage());
            return;
        }
        if (message.subnetPrefix() != subnetPrefix) {
            complain(
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
            complain(peer, "more messages wait than can be looked at; those of " + peer + " are dropped");
        }
    }

    private void met(long guid) {
        if (peerPorts.size() < MAX_PORTS) {
            peerPorts.add(guid);
        }
    }

    /** Once for each cause, until it is another, which is not looked for more often than once a minute. */
    private void complain(String about, String text) {
        synchronized (complaints) {
            if (text.equals(complaints.get(about))) {
                return;
            }
            LogRateLimiter.Line line = lines.happened(about);
            if (line.isDue()) {
                complaints.put(line.source(), text);
                EVENTS.report(SmEvent.REPLICATION_REFUSED.says(text));
            }
        }
    }

    // --- what becomes of it: first on the loop of the directory ---

    private void examineNext() {
        ReplicaInbox.Received next = inbox.take();
        if (next == null) {
            return;
        }
        ReplicaMessage message = next.message();
        String name = message.name();
        if (message.version().term() - newest().term() > MAX_AHEAD) {
            complain(
                    next.peer(),
                    "peer " + next.peer() + " says that it has term "
                            + message.version().term() + ", which cannot be: nothing of it is taken");
        } else if (name.isEmpty()) {
            examineVersions(next);
        } else if (message.version().isNewerThan(isMaster ? begunWith(name) : held(name))) {
            examine(next);
        }
    }

    private FileVersion held(String name) {
        return held.getOrDefault(name, FileVersion.NONE);
    }

    private FileVersion begunWith(String name) {
        return begunWith.getOrDefault(name, FileVersion.NONE);
    }

    /** A program that is older says only what the newest version is that it holds. */
    private void examineVersions(ReplicaInbox.Received next) {
        ReplicaMessage message = next.message();
        try {
            Map<String, FileVersion> versions = message.content().length == 0
                    ? Map.of()
                    : VersionFile.FILE.parse(message.content(), new VersionFile.Lines());
            sm.execute(() -> heard(next.peer(), message, versions));
        } catch (StateFile.Damage damage) {
            complain(next.peer(), "what " + next.peer() + " says it holds is not believed: " + damage.getMessage());
        }
    }

    private void examine(ReplicaInbox.Received next) {
        String name = next.message().name();
        try {
            StateDirectory.Adoption adoption =
                    directory.examine(name, next.message().content());
            sm.execute(() -> take(next, adoption));
        } catch (StateFile.Damage damage) {
            complain(
                    next.peer() + " " + name,
                    "the file " + name + " of " + next.peer() + " is not taken: " + damage.getMessage());
        }
    }

    private void heard(String peer, ReplicaMessage message, Map<String, FileVersion> versions) {
        heardTerm = Math.max(heardTerm, message.version().term());
        if (message.isAsking()) {
            show();
        }
        if (isMaster && !message.isMaster()) {
            FileVersion theirs = message.version();
            boolean isSameTerm = theirs.term() == term && !knowledge.isMet(peer);
            if (isSameTerm || theirs.isNewerThan(new FileVersion(term, number))) {
                beginTerm(theirs.term());
            }
            disk.execute(directory::passToReplica);
        }
        Set<String> followed = directory.followed();
        knowledge.says(
                peer,
                message.isMaster(),
                versions,
                (name, version, isMet) -> followed.contains(name)
                        && (isMaster
                                ? !message.isMaster() && isMissed(name, version, isMet)
                                : version.isNewerThan(held(name))));
        wait.look();
    }

    /** Whether a version was written by another master while this SM was none, or at the same time. */
    private boolean isMissed(String name, FileVersion version, boolean isOwnPerhaps) {
        return version.isNewerThan(begunWith(name)) && !(isOwnPerhaps && terms.contains(version.term()));
    }

    private void take(ReplicaInbox.Received received, StateDirectory.Adoption adoption) {
        ReplicaMessage message = received.message();
        String peer = received.peer();
        String name = message.name();
        heardTerm = Math.max(heardTerm, message.version().term());
        boolean isLastWord = knowledge.isMaster(peer) || knowledge.isAwaited(peer, name);
        if (isMaster && !message.isMaster() && isMissed(name, message.version(), !isLastWord)) {
            begunWith.put(name, message.version());
            adoption.complete();
            EVENTS.report(SmEvent.COPY_MERGED, EventField.NAME.of(name), EventField.PEER.of(peer));
        } else if (!isPublishing && message.version().isNewerThan(held(name))) {
            adoption.replace();
            held.put(name, message.version());
            saveVersions();
            lastTaken = new Copied(name + " " + message.version() + " from " + peer, sm.nowNs());
            if (message.version().term() > loggedTerm) {
                loggedTerm = message.version().term();
                EVENTS.report(SmEvent.COPY_TAKEN, EventField.TERM.of(loggedTerm), EventField.PEER.of(peer));
            }
            LOG.debug("replication: {} {} taken from {}", name, message.version(), peer);
        }
        knowledge.has(name, isMaster ? begunWith(name) : held(name));
        wait.look();
    }

    /**
     * How far the copies have come.
     *
     * @param peers that are connected, by address
     * @param sent the last copy that was sent; null if none was
     * @param taken the last copy that was taken; null if none was
     * @param waitNs nanoseconds for which this SM still waits for what peers know, at most; 0 if it does not
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
     * A copy of a state file.
     *
     * @param what its name and version, and whom it came from if it was taken
     * @param ageNs nanoseconds since then
     */
    public record Transfer(String what, long ageNs) {}

    /** How far the copies have come; from any thread. */
    public Progress progress() {
        return new Progress(channel.peers(), transfer(lastSent), transfer(lastTaken), wait.leftNs());
    }

    private @Nullable Transfer transfer(@Nullable Copied last) {
        return last == null ? null : new Transfer(last.what(), sm.nowNs() - last.atNs());
    }

    /** Ends; from any thread but those of the loops. */
    @Override
    public void close() {
        directory.replicateTo(Replica.NONE);
        channel.close();
    }
}
