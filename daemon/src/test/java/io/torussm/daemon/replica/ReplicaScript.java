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
 * SMs with a state directory each, with one file of notes, on a management network that can be cut, in
 * virtual time and by commands of a script. The output is the messages that arrive, and their effects on the
 * notes.
 */
final class ReplicaScript implements Conversation.Subject {
    static final long PREFIX = 0xfe80_0000_0000_0000L;
    private static final StateFile NOTES = StateFile.of("notes", 1, 1 << 16, "nothing is noted");

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
     * Runs a command: {@code start A}, or {@code start A in another subnet}; {@code connect A};
     * {@code disconnect A}; {@code mute A}, whose messages are lost until {@code unmute A};
     * {@code write A one, two}; {@code begin A} and {@code end A} of a mastership; {@code stood-still A};
     * {@code write-and-end A one}, without a pause; {@code disk A}; {@code status A};
     * {@code write-and-hand-over A B one}: B becomes master before it can have A's last write, and A ends
     * then; {@code meet A} and {@code settle A}: A reports when it continues; {@code wait}, as long as SMs
     * wait for each other.
     */
    @Override
    public List<String> on(String command) throws IOException {
        effects.clear();
        String[] words = command.split(" ", -1);
        String rest = words.length < 3 ? "" : command.substring(words[0].length() + words[1].length() + 2);
        switch (words[0]) {
            case "start" -> sms.put(words[1], new Sm(words[1], rest.isEmpty() ? PREFIX : PREFIX + 1));
            case "connect" -> sm(words[1]).connect();
            case "disconnect" -> sm(words[1]).disconnect();
            case "mute" -> sm(words[1]).isMute = true;
            case "unmute" -> sm(words[1]).isMute = false;
            case "write" -> sm(words[1]).write(List.of(rest.split(", ", -1)));
            case "begin" -> sm(words[1]).replication.begin();
            case "end" -> sm(words[1]).replication.end();
            case "stood-still" -> sm(words[1]).replication.handleStandstill();
            case "write-and-end" -> {
                sm(words[1]).write(List.of(rest.split(", ", -1)));
                sm(words[1]).replication.end();
            }
            case "write-and-hand-over" -> {
                sm(words[1]).write(List.of(rest.substring(words[2].length() + 1).split(", ", -1)));
                sm(words[2]).replication.begin();
                sm(words[1]).replication.end();
            }
            case "meet" ->
                sm(words[1]).replication.awaitNewestFiles(LIMIT_NS, () -> effects.add(words[1] + " goes on"));
            case "settle" ->
                sm(words[1]).replication.awaitLastCopies(LIMIT_NS, () -> effects.add(words[1] + " goes on"));
            case "wait" -> loop.runFor(LIMIT_NS);
            case "disk" -> effects.addAll(sm(words[1]).disk());
            case "status" -> effects.addAll(status(sm(words[1]).replication.progress()));
            default -> throw new IllegalArgumentException(command);
        }
        settle();
        return List.copyOf(effects);
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

    /** Carries out several commands. */
    void runAll(String... commands) throws IOException {
        for (String command : commands) {
            on(command);
        }
    }

    Sm sm(String name) {
        return Objects.requireNonNull(sms.get(name), name);
    }

    void settle() {
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(10));
    }

    /** One SM. */
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
                        if (!slot.equals(ReplicaMessage.PORT)) { // comes with each announcement
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
