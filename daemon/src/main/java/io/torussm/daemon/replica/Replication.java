package io.torussm.daemon.replica;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.event.log.LogRateLimiter;
import io.torussm.state.Replica;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.transport.Loop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the state directories of SMs of one subnet alike: a master sends each state file that it writes, the others take
 * it. Of each file the newest {@link FileVersion} wins.
 *
 * <p>A master takes nothing, with one exception: an SM that was started and became master before it heard of its peers
 * adds what it does not know itself from the first copy of each file, if that is newer than what it began with and its
 * holder is not master as well.
 *
 * <p>Owner thread: the loop of the SM, unless a method says otherwise.
 */
public final class Replication implements Replica, PeerChannel.Listener, AutoCloseable {
    /** Versions of the files beside it, so that after a restart of all SMs it is known whose are newer. */
    public static final StateFile VERSIONS = new StateFile(
            "replica-versions",
            1,
            1 << 16,
            false,
            false,
            "the state of the next master counts as the newest, whether it is or not");

    /** Messages that may wait to be examined: more than there are kinds of files, for a few peers. */
    private static final int MAX_WAITING = 64;

    /** Bytes that they may have together. */
    private static final long MAX_WAITING_BYTES = 2L * ReplicaMessage.MAX_CONTENT;

    /** A peer whose term is further ahead has invented it: a new master in each second of half a year. */
    private static final long MAX_AHEAD = 1L << 24;

    private static final Logger LOG = LoggerFactory.getLogger(Replication.class);
    private static final EventLog EVENTS = EventLog.of(Replication.class);

    private final StateDirectory directory;
    private final Loop sm;
    private final Loop disk;
    private final PeerChannel channel;
    private final long subnetPrefix;

    /** Written on the loop of the SM only; read from anywhere. */
    private final Map<String, FileVersion> held = new ConcurrentHashMap<>();

    /** Files of which no peer's copy was seen in this life; written on the loop of the SM only. */
    private final Set<String> unmet = ConcurrentHashMap.newKeySet();

    /** Copies that are to be sent to a peer that joined, with the versions that they have at least. */
    private final Map<String, FileVersion> shown = new HashMap<>();

    /** The newest of each file and peer; guarded by itself. */
    private final Map<String, Received> inbox = new LinkedHashMap<>();

    /** The last line about each peer and file, so that a peer of another version costs one line; guarded by itself. */
    private final Map<Object, String> complaints = new HashMap<>();

    /** Guarded by {@link #complaints}; names no more subjects than it keeps apart, so that they are as few. */
    private final LogRateLimiter lines;

    private boolean isMaster;

    /** Whether another SM said in this mastership that it is master, too. */
    private boolean hasRival;

    /** Still so for what was written in a mastership that has just ended. */
    private boolean isPublishing;

    private long term;
    private long number;

    /** What the mastership began with. */
    private Map<String, FileVersion> begunWith = Map.of();

    private long heardTerm;
    private long loggedTerm;
    private volatile @Nullable Copied lastSent;
    private volatile @Nullable Copied lastTaken;

    private record Received(String peer, ReplicaMessage message) {}

    /** A copy that was sent or taken, and when. */
    private record Copied(String what, long atNs) {}

    /**
     * Creates a replication that begins with {@link #start}.
     *
     * @param directory whose stores are all there already
     * @param sm the loop of the SM
     * @param disk the loop of the directory
     * @param channel closed with this
     */
    public Replication(StateDirectory directory, Loop sm, Loop disk, PeerChannel channel, long subnetPrefix) {
        this.directory = directory;
        this.sm = sm;
        this.disk = disk;
        this.channel = channel;
        this.subnetPrefix = subnetPrefix;
        lines = new LogRateLimiter(sm::nowNs);
        unmet.addAll(directory.followed());
        directory.read(VERSIONS, new Lines()).ifPresent(held::putAll);
    }

    /** Begins to look for peers; from any thread. */
    public void start() {
        directory.replicateTo(this);
        channel.start(this);
    }

    /** This SM is master from now on. */
    public void begin() {
        sm.check();
        isMaster = true;
        isPublishing = true;
        begunWith = Map.copyOf(held);
        term = Math.min(Math.max(newest().term(), heardTerm) + 1, FileVersion.MAX);
        number = 0;
        hasRival = false;
        shown.clear();
        disk.execute(directory::passToReplica);
        Copied taken = lastTaken;
        if (taken != null) {
            EVENTS.report(SmEvent.STATE_ADOPTED, EventField.TEXT.of(taken.what()));
        }
    }

    /** This process stood still: another SM may have been master meanwhile, and this one adds what it does not know, as at its start. */
    public void stoodStill() {
        sm.check();
        if (isMaster) {
            unmet.addAll(directory.followed());
            begunWith = Map.copyOf(held);
            announceState();
        }
    }

    /** It is not any more; what it has handed to the state directory up to now is still sent. */
    public void end() {
        sm.check();
        isMaster = false;
        disk.execute(() -> sm.execute(() -> {
            if (!isMaster) {
                isPublishing = false;
                announceState();
                if (hasRival) {
                    offerState();
                }
            }
        }));
    }

    /** The newest version of any file. */
    private FileVersion newest() {
        return held.values().stream().max(FileVersion::compareTo).orElse(FileVersion.NONE);
    }

    private void announceState() {
        ReplicaMessage message = new ReplicaMessage(isMaster, subnetPrefix, "", newest(), new byte[0]);
        channel.send("", message::encode, () -> {});
    }

    // --- what this SM wrote ---

    @Override
    public void changed(StateFile file, byte[] content) {
        sm.execute(() -> publish(file.name(), content));
    }

    private void publish(String name, byte[] content) {
        FileVersion version = isPublishing ? new FileVersion(term, ++number) : shown.remove(name);
        if (version == null) {
            return;
        }
        if (isPublishing) {
            held.put(name, version);
            saveVersions();
        }
        if (content.length > ReplicaMessage.MAX_CONTENT) {
            complain(name, name + " is not replicated: it has more than " + ReplicaMessage.MAX_CONTENT + " bytes");
            return;
        }
        ReplicaMessage message = new ReplicaMessage(isMaster, subnetPrefix, name, version, content);
        channel.send(name, message::encode, () -> lastSent = new Copied(name + " " + version, sm.nowNs()));
    }

    private void saveVersions() {
        Map<String, FileVersion> now = new TreeMap<>(held);
        directory.write(VERSIONS, () -> now.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue().term() + " "
                        + entry.getValue().number()));
    }

    // --- what peers say; these three on any thread ---

    @Override
    public void joined(String peer) {
        EVENTS.report(SmEvent.PEER_JOINED, EventField.PEER.of(peer));
        sm.execute(() -> {
            announceState();
            if (!isMaster) {
                offerState();
            }
        });
    }

    /** Sends what this SM holds to masters that do not know it; they take what is newer than what they began with. */
    private void offerState() {
        shown.putAll(held);
        disk.execute(directory::passToReplica);
    }

    @Override
    public void left(String peer) {
        EVENTS.report(SmEvent.PEER_LEFT, EventField.PEER.of(peer));
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
        synchronized (inbox) {
            String slot = peer + " " + message.name();
            if (!hasRoom(slot, message)) {
                complain(peer, "more messages wait than can be looked at; those of " + peer + " are dropped");
                return;
            }
            inbox.put(slot, new Received(peer, message));
        }
        disk.execute(this::examineNext);
    }

    private boolean hasRoom(String slot, ReplicaMessage message) {
        Received replaced = inbox.get(slot);
        long bytes = message.content().length;
        for (Received waiting : inbox.values()) {
            bytes += waiting.message().content().length;
        }
        return (replaced != null || inbox.size() < MAX_WAITING) && bytes <= MAX_WAITING_BYTES;
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
        Received next;
        synchronized (inbox) {
            if (inbox.isEmpty()) {
                return;
            }
            next = inbox.remove(inbox.keySet().iterator().next());
        }
        ReplicaMessage message = next.message();
        String name = message.name();
        if (message.version().term() - newest().term() > MAX_AHEAD) {
            complain(
                    next.peer(),
                    "peer " + next.peer() + " says that it has term "
                            + message.version().term() + ", which cannot be: nothing of it is taken");
        } else if (name.isEmpty()) {
            sm.execute(() -> heard(message));
        } else if (message.version().isNewerThan(held(name)) || unmet.contains(name)) {
            examine(next);
        }
    }

    private FileVersion held(String name) {
        return held.getOrDefault(name, FileVersion.NONE);
    }

    private void examine(Received next) {
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

    private void heard(ReplicaMessage message) {
        heardTerm = Math.max(heardTerm, message.version().term());
        hasRival |= isMaster && message.isMaster();
        if (isMaster && !message.isMaster()) {
            if (message.version().isNewerThan(new FileVersion(term, number))) {
                term = Math.min(message.version().term() + 1, FileVersion.MAX);
                number = 0;
            }
            disk.execute(directory::passToReplica);
        }
    }

    private void take(Received received, StateDirectory.Adoption adoption) {
        ReplicaMessage message = received.message();
        String name = message.name();
        heardTerm = Math.max(heardTerm, message.version().term());
        boolean isFirst = unmet.remove(name);
        FileVersion before = held(name);
        boolean isMissed = isFirst
                && !message.isMaster()
                && message.version().isNewerThan(begunWith.getOrDefault(name, FileVersion.NONE));
        if (isMaster && isMissed) {
            adoption.complete();
            EVENTS.report(SmEvent.COPY_MERGED, EventField.NAME.of(name), EventField.PEER.of(received.peer()));
        } else if (!isMaster && message.version().isNewerThan(before)) {
            adoption.replace();
            held.put(name, message.version());
            saveVersions();
            lastTaken = new Copied(name + " " + message.version() + " from " + received.peer(), sm.nowNs());
            if (message.version().term() > loggedTerm) {
                loggedTerm = message.version().term();
                EVENTS.report(SmEvent.COPY_TAKEN, EventField.TERM.of(loggedTerm), EventField.PEER.of(received.peer()));
            }
            LOG.debug("replication: {} {} taken from {}", name, message.version(), received.peer());
        }
    }

    /**
     * How far the copies have come.
     *
     * @param peers that are connected, by address
     * @param sent the last copy that was sent; null if none was
     * @param taken the last copy that was taken; null if none was
     */
    public record Progress(
            List<String> peers,
            @Nullable Transfer sent,
            @Nullable Transfer taken) {
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
        return new Progress(channel.peers(), transfer(lastSent), transfer(lastTaken));
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

    /** Reads the versions. */
    private static final class Lines implements StateFile.Parser<Map<String, FileVersion>> {
        private static final int MAX_FILES = 64;

        private final Map<String, FileVersion> versions = new LinkedHashMap<>();

        @Override
        public String take(String line) {
            List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
            if (words.size() != 3 || versions.size() == MAX_FILES) {
                return "expected the name of a file, a term and a number";
            }
            try {
                FileVersion version = new FileVersion(Long.parseLong(words.get(1)), Long.parseLong(words.get(2)));
                @Nullable FileVersion other = versions.put(words.get(0), version);
                return other == null ? "" : "the file appears twice";
            } catch (IllegalArgumentException e) {
                return "not a version: " + e.getMessage();
            }
        }

        @Override
        public Map<String, FileVersion> value() {
            return versions;
        }
    }
}
