package io.torussm.daemon.replica;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.state.StateSuccessor;
import io.torussm.testing.Conversation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * SMs that replicate, in virtual time, by the commands of a script such as {@code replica/replication.txt}. Each has a
 * state directory with one file, notes of a line each, and a connection to all others that the script can cut. The
 * output of a command is the messages that arrive, and their effects on the notes.
 */
final class ReplicaScript implements Conversation.Subject {
    static final long PREFIX = 0xfe80_0000_0000_0000L;
    private static final StateFile NOTES = StateFile.of("notes", 1, 1 << 16, "nothing is noted");

    /** Max time that SMs wait for each other. */
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(5);

    private final Path dir;
    private final VirtualLoop loop = new VirtualLoop();
    private final Map<String, Sm> sms = new LinkedHashMap<>();
    private final List<Sm> connected = new ArrayList<>();
    private final List<String> effects = new ArrayList<>();

    ReplicaScript(Path dir) {
        this.dir = dir;
    }

    /**
     * Runs a command, and returns its effects. Each but {@code wait} names an SM.
     *
     * <ul>
     *   <li>{@code start A}, {@code start A in another subnet}: A starts with the files of its directory
     *   <li>{@code connect A}, {@code disconnect A}: A is connected to all other connected SMs, or to none
     *   <li>{@code mute A}, {@code unmute A}: the messages of A are lost from now on, or not any more
     *   <li>{@code write A one, two}: A writes these notes
     *   <li>{@code begin A}, {@code end A}: A becomes master, or is not master any more
     *   <li>{@code write-and-end A one}: A writes, and ends before its message leaves
     *   <li>{@code write-and-hand-over A B one}: A writes, B becomes master without the message, and A ends then
     *   <li>{@code stood-still A}: A detects that its process stood still
     *   <li>{@code meet A}: A waits for the newest files of its peers; "A goes on" is printed when it continues
     *   <li>{@code settle A}: A waits until its peers have its last writes, likewise
     *   <li>{@code disk A}, {@code status A}: prints the notes in the file of A, or its status of replication
     *   <li>{@code wait}: the longest time passes that SMs wait for each other
     * </ul>
     */
    @Override
    public List<String> on(String command) throws IOException {
        effects.clear();
        String[] words = command.split(" ", 3);
        String rest = words.length < 3 ? "" : words[2];
        if (words[0].equals("wait")) {
            loop.runFor(LIMIT_NS);
        } else if (words[0].equals("start")) {
            sms.put(words[1], new Sm(words[1], rest.isEmpty() ? PREFIX : PREFIX + 1));
        } else {
            run(words[0], sm(words[1]), rest);
        }
        settle();
        return List.copyOf(effects);
    }

    private void run(String verb, Sm sm, String rest) throws IOException {
        Runnable continuation = () -> effects.add(sm.name + " goes on");
        switch (verb) {
            case "connect" -> sm.connect();
            case "disconnect" -> sm.disconnect();
            case "mute" -> sm.isMute = true;
            case "unmute" -> sm.isMute = false;
            case "write" -> sm.write(notes(rest));
            case "begin" -> sm.replication.begin();
            case "end" -> sm.replication.end();
            case "stood-still" -> sm.replication.handleStandstill();
            case "write-and-end" -> {
                sm.write(notes(rest));
                sm.replication.end();
            }
            case "write-and-hand-over" -> {
                String[] nextAndNotes = rest.split(" ", 2);
                sm.write(notes(nextAndNotes[1]));
                sm(nextAndNotes[0]).replication.begin();
                sm.replication.end();
            }
            case "meet" -> sm.replication.awaitNewestFiles(LIMIT_NS, continuation);
            case "settle" -> sm.replication.awaitLastCopies(LIMIT_NS, continuation);
            case "disk" -> effects.addAll(sm.disk());
            case "status" -> effects.addAll(status(sm.replication.progress()));
            default -> throw new IllegalArgumentException(verb);
        }
    }

    private static List<String> notes(String list) {
        return List.of(list.split(", ", -1));
    }

    private static List<String> status(Replication.Progress progress) {
        return List.of(
                "peers: " + (progress.peers().isEmpty() ? "none" : String.join(", ", progress.peers())),
                "sent: " + text(progress.sent()),
                "taken: " + text(progress.taken()));
    }

    private static String text(Replication.@Nullable Transfer transfer) {
        return transfer == null ? "none" : transfer.what();
    }

    /** Runs several commands. */
    void runAll(String... commands) throws IOException {
        for (String command : commands) {
            on(command);
        }
    }

    Sm sm(String name) {
        return Objects.requireNonNull(sms.get(name), name);
    }

    /** Runs the loop until all messages have arrived. */
    void settle() {
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(10));
    }

    /** An SM: its notes and its replication, the connections to its peers, and the receiver of the notes of others. */
    final class Sm implements PeerChannel, StateSuccessor<List<String>> {
        final String name;
        final Replication replication;
        List<String> notes;
        private boolean isMute;
        private final StateDirectory directory;
        private PeerChannel.@Nullable Listener listener;

        Sm(String name, long prefix) throws IOException {
            this.name = name;
            directory = StateDirectory.open(dir.resolve(name), loop);
            notes = directory.read(NOTES, new Lines()).orElse(List.of());
            directory.register(NOTES, Lines::new, this);
            replication = new Replication(directory, loop, loop, this, prefix, name.hashCode());
            replication.start();
        }

        void write(List<String> lines) {
            notes = lines;
            directory.write(NOTES, lines::stream);
        }

        void connect() {
            for (Sm other : connected) {
                other.connectedListener().joined(name);
                connectedListener().joined(other.name);
            }
            connected.add(this);
        }

        void disconnect() {
            connected.remove(this);
            connected.forEach(other -> other.connectedListener().left(name));
        }

        PeerChannel.Listener connectedListener() {
            return Objects.requireNonNull(listener);
        }

        String file() throws IOException {
            return Files.readString(dir.resolve(name).resolve("notes"));
        }

        List<String> disk() throws IOException {
            return file().lines().filter(line -> !line.startsWith("#")).toList();
        }

        @Override
        public void replace(List<String> adopted) {
            notes = adopted;
            effects.add(name + " has " + notes);
        }

        @Override
        public void complete(List<String> adopted) {
            effects.add(name + " adds " + adopted + " to " + notes);
        }

        @Override
        public void start(PeerChannel.Listener newListener) {
            listener = newListener;
        }

        @Override
        public void send(String slot, Supplier<byte[]> message, Runnable sent) {
            if (peers().isEmpty()) {
                return;
            }
            connected.stream()
                    .filter(other -> other != this && !isMute)
                    .forEach(other -> loop.execute(() -> {
                        byte[] bytes = message.get();
                        if (!slot.equals(ReplicaMessage.PORT)) { // repeated with each announcement
                            effects.add(name + " -> " + other.name + ": " + shown(bytes));
                        }
                        other.connectedListener().received(name, bytes);
                    }));
            sent.run();
        }

        private String shown(byte[] message) {
            try {
                ReplicaMessage decoded = ReplicaMessage.decode(message);
                String content = String.join(
                        ", ",
                        new String(decoded.content(), UTF_8)
                                .lines()
                                .filter(line -> !line.startsWith("#"))
                                .toList());
                return decoded + (content.isEmpty() ? "" : " [" + content + "]");
            } catch (ReplicaMessage.Malformed e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public List<String> peers() {
            return connected.contains(this)
                    ? connected.stream()
                            .filter(other -> other != this)
                            .map(other -> other.name)
                            .toList()
                    : List.of();
        }

        @Override
        public int configuredPeerCount() {
            return 1;
        }

        @Override
        public void close() {
            connected.remove(this);
        }
    }

    private static final class Lines implements StateFile.Parser<List<String>> {
        private final List<String> lines = new ArrayList<>();

        @Override
        public String parseLine(String line) {
            lines.add(line);
            return line.startsWith("!") ? "no note" : "";
        }

        @Override
        public List<String> value() {
            return List.copyOf(lines);
        }
    }
}
