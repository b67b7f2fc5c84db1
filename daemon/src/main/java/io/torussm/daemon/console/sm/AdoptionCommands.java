package io.torussm.daemon.console.sm;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.Adoption;
import io.torussm.daemon.control.SmControl;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The commands that take the subnet over from another SM, and release it. */
public final class AdoptionCommands {
    private static final String CHANGES = "changes";
    private static final String NOT_BEGUN = "the SM has not begun yet";
    private static final int MAX_TEXT = 400;

    /** Time-out of a preview, in seconds: a large fabric is read, and an SM runs on an embedded copy of it. */
    private static final long PREVIEW_TIMEOUT_S = 900;

    private final SmControl control;

    private record Takeover(Adoption.TakeOver takeover) implements Facts {
        @Override
        public List<String> lines() {
            return Printable.lines(takeover.lines(), MAX_TEXT);
        }
    }

    private record Release(Adoption.Release release) implements Facts {
        @Override
        public List<String> lines() {
            return Printable.lines(release.lines(), MAX_TEXT);
        }
    }

    public AdoptionCommands(SmControl control) {
        this.control = control;
    }

    public Command takeover() {
        return Command.withYes(
                "takeover [FILE] [changes] [yes]",
                "become master in place of the present master; without yes, show the changes in the fabric",
                this::takeover,
                "FILE is OpenSM's opensm-sa.dump on the host of this SM: groups keep their MLIDs, services and subscriptions are there.",
                "All attributes of all devices are read, and the takeover is tried on an embedded fabric with the same tables. If entries would",
                "change, changes yes is needed. The priority rises as far as that takes, until the configuration is read again. With --shadow",
                "the last reading is the preview, and the process continues as an SM: it stands by, and takes over then.");
    }

    public Command release() {
        return Command.withYes(
                "release [yes]",
                "give the subnet to the best standby SM, with files for OpenSM; without yes, show the SM and the directory",
                this::release,
                "The files are in opensm below state_dir: guid2lid, guid2mkey, neighbors, opensm-sa.dump, and an opensm.conf with the same settings.",
                "They hold keys. OpenSM reads them with OSM_CACHE_DIR and -F; see migration.");
    }

    private Answer takeover(List<String> arguments) {
        List<String> words = new ArrayList<>(arguments);
        boolean isSure = removeLast(words, Command.YES);
        boolean mayChange = removeLast(words, CHANGES);
        if (words.size() > 1 || (mayChange && !isSure)) {
            throw new UsageException();
        }
        Path dump = words.isEmpty() ? null : path(words.get(0));
        if (control.statistics() == null && !control.isShadow()) {
            return Answer.refusal(NOT_BEGUN);
        }
        CompletableFuture<Adoption.TakeOver> found = isSure
                ? control.adoption().takeOver(dump, mayChange)
                : control.adoption().previewTakeOver(dump);
        return deferred(
                found,
                report -> new Answer(
                        new Takeover(report), report.objection().isEmpty() && (isSure || report.changes() == 0)));
    }

    private static boolean removeLast(List<String> words, String word) {
        boolean isThere = !words.isEmpty() && words.get(words.size() - 1).equals(word);
        if (isThere) {
            words.remove(words.size() - 1);
        }
        return isThere;
    }

    private static @Nullable Path path(String word) {
        try {
            Path path = Path.of(word);
            if (!path.isAbsolute()) {
                throw new UsageException("FILE begins with /: the SM reads it");
            }
            return path;
        } catch (InvalidPathException e) {
            throw new UsageException("that is no name of a file");
        }
    }

    private Answer release(List<String> arguments) {
        boolean isSure = arguments.equals(List.of(Command.YES));
        if (!isSure && !arguments.isEmpty()) {
            throw new UsageException();
        }
        if (control.statistics() == null && !control.isShadow()) {
            return Answer.refusal(NOT_BEGUN);
        }
        CompletableFuture<Adoption.Release> found =
                isSure ? control.adoption().release() : control.adoption().previewRelease();
        return deferred(
                found,
                report -> new Answer(new Release(report), report.objection().isEmpty()));
    }

    private interface AnswerFunction<T> {
        Answer of(T said);
    }

    private static <T> Answer deferred(CompletableFuture<T> found, AnswerFunction<T> words) {
        return Answer.deferred(found.handle((said, bug) -> bug == null
                        ? words.of(said)
                        : Answer.refusal("that failed by a defect of this program; the log has it"))
                .completeOnTimeout(
                        Answer.refusal("that takes too long; see the log"), PREVIEW_TIMEOUT_S, TimeUnit.SECONDS));
    }
}
