package io.torussm.daemon.console.sm;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.shadow.ShadowPage;
import java.util.List;

/** The command that shows the report on a fabric with another master SM. */
public final class ShadowCommand {
    private static final String HTML = "html";

    private final SmControl control;

    private record Shadow(ShadowReport shadow) implements Facts {
        @Override
        public List<String> lines() {
            return Printable.lines(shadow.lines(), Integer.MAX_VALUE);
        }
    }

    private record Page(List<String> page) implements Facts {
        @Override
        public List<String> lines() {
            return page;
        }
    }

    public ShadowCommand(SmControl control) {
        this.control = control;
    }

    public Command command() {
        return Command.query(
                "shadow [html]",
                "with --shadow: the proof of the master's tables, the changes of a takeover, and faults",
                this::shadow,
                "The exit code is 1 if tables have a credit loop, pairs are unreachable, or a takeover would change something.");
    }

    private Answer shadow(List<String> arguments) {
        boolean isPage = arguments.equals(List.of(HTML));
        if (!isPage && !arguments.isEmpty()) {
            throw new UsageException();
        }
        ShadowReport report = control.shadow();
        if (report == null) {
            return Answer.refusal(
                    control.isShadow()
                            ? "the fabric is being read for the first time; see events"
                            : "this SM rules, or stands by; only torus-sm --shadow looks at what others do");
        }
        return isPage
                ? Answer.of(new Page(ShadowPage.of(report, control.version())))
                : new Answer(new Shadow(report), report.isGood());
    }
}
