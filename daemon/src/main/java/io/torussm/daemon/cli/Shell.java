package io.torussm.daemon.cli;

import io.torussm.daemon.console.client.Completion;
import io.torussm.daemon.console.client.ConsoleClient;
import io.torussm.daemon.system.InputLines;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/** Commands that are typed, or read from a file. */
final class Shell {
    private static final String PROMPT = "torus-sm> ";
    private static final String HISTORY = ".torus-smctl_history";
    private static final int HISTORY_LINES = 1000;
    private static final int COMPLETION_MS = 2000;

    private Shell() {}

    /**
     * Reads commands, one a line. A line that is too long ends it.
     *
     * @return 0 if all were done, 1 if the daemon would not do one, 2 if one made no sense
     */
    static int onStream(ConsoleClient client, InputStream in, PrintStream out, PrintStream err) throws IOException {
        InputLines lines = new InputLines(in);
        int code = 0;
        try {
            for (String line = lines.next(); line != null && !isEnd(line); line = lines.next()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    code = Math.max(code, execute(client, line, out, err));
                }
            }
        } catch (InputLines.TooLongException e) {
            err.println("torus-smctl: standard input: " + e.getMessage());
            code = SmctlMain.USAGE;
        }
        out.flush();
        return code;
    }

    /** Prints an endless response as it arrives. */
    private static int execute(ConsoleClient client, String line, PrintStream out, PrintStream err) throws IOException {
        if (SmctlMain.isFollowing(line)) {
            return exitCode(client, client.execute(line, 0, out::println));
        }
        List<String> answer = new ArrayList<>();
        boolean isGood = client.execute(line, SmctlMain.RESPONSE_TIMEOUT_MS, answer::add);
        answer.forEach(isGood ? out::println : err::println);
        return exitCode(client, isGood);
    }

    private static int exitCode(ConsoleClient client, boolean isGood) {
        return isGood ? 0 : client.wasMisused() ? SmctlMain.USAGE : SmctlMain.REFUSED;
    }

    /** Reads commands from the terminal of this process, with history and completion. */
    static int onTerminal(SocketAddress address) throws IOException {
        try (Terminal terminal = TerminalBuilder.builder().system(true).build();
                TypedCommands commands = new TypedCommands(address, terminal)) {
            LineReader reader = LineReaderBuilder.builder()
                    .terminal(terminal)
                    .appName("torus-smctl")
                    .parser(parser())
                    .completer(new JLineCompleter(completion(address)))
                    .variable(LineReader.HISTORY_SIZE, HISTORY_LINES)
                    .variable(LineReader.HISTORY_FILE_SIZE, HISTORY_LINES)
                    .build();
            Path history = history(Path.of(System.getProperty("user.home")));
            if (history != null) {
                reader.setVariable(LineReader.HISTORY_FILE, history);
            }
            runCommands(commands, reader);
            return 0;
        }
    }

    private static void runCommands(TypedCommands commands, LineReader reader) throws IOException {
        while (true) {
            String line;
            try {
                line = reader.readLine(PROMPT).strip();
            } catch (UserInterruptException e) {
                continue;
            } catch (EndOfFileException e) {
                return;
            }
            if (isEnd(line)) {
                return;
            }
            if (!line.isEmpty()) {
                commands.run(line);
            }
        }
    }

    private static boolean isEnd(String line) {
        return line.strip().equals("quit") || line.strip().equals("exit");
    }

    /** Returns the parser of lines. It splits words as the daemon does: double quotes enclose words with blanks. */
    static Parser parser() {
        return new DefaultParser().quoteChars(new char[] {'"'}).escapeChars(null);
    }

    /**
     * Returns the completion. It uses separate connections, because a late answer must not be taken for that to another
     * request.
     */
    static Completion completion(SocketAddress address) {
        return new Completion(request -> execute(address, request));
    }

    /** Requests an answer on a separate connection; returns no lines after a time-out. */
    static List<String> execute(SocketAddress address, String request) {
        List<String> lines = new ArrayList<>();
        try (ConsoleClient client = ConsoleClient.connect(address)) {
            return client.execute(request, COMPLETION_MS, lines::add) ? lines : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Returns the file of the command history, which only its owner may read; null if there can be none. */
    static @Nullable Path history(Path home) {
        Path file = home.resolve(HISTORY);
        try {
            if (!Files.exists(file)) {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            return file;
        } catch (IOException | UnsupportedOperationException e) {
            return null;
        }
    }

    /** Completions in the form of JLine. */
    static final class JLineCompleter implements Completer {
        private final Completion completion;

        JLineCompleter(Completion completion) {
            this.completion = completion;
        }

        @Override
        public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
            List<String> words = new ArrayList<>(line.words().subList(0, line.wordIndex()));
            words.add(line.word().substring(0, line.wordCursor()));
            completion.candidates(words).forEach(each -> candidates.add(new Candidate(each)));
        }
    }
}
