package io.torussm.daemon.console.sm;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.health.Check;
import io.torussm.daemon.health.Check.Verdict;
import io.torussm.daemon.health.HealthPage;
import io.torussm.daemon.health.HealthReport;
import io.torussm.view.PlacedSubnet;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The command that shows all health checks of the subnet as one report. */
public final class HealthCommand {
    private static final String HTML = "html";

    private final SmControl control;

    private record Health(Instant at, Verdict verdict, List<Check> checks) implements Facts {
        @Override
        public List<String> lines() {
            return Printable.lines(new HealthReport(at, verdict, checks).lines(), Integer.MAX_VALUE);
        }
    }

    private record Page(List<String> page) implements Facts {
        @Override
        public List<String> lines() {
            return page;
        }
    }

    public HealthCommand(SmControl control) {
        this.control = control;
    }

    public Command command() {
        return Command.query(
                "health [html]",
                "all checks of the subnet, the worst first, as text or as a page for browsers",
                this::health,
                "The exit code is 1 if a check is bad. No request goes to devices: the last known state is used.");
    }

    private Answer health(List<String> arguments) {
        boolean isPage = arguments.equals(List.of(HTML));
        if (!isPage && !arguments.isEmpty()) {
            throw new UsageException();
        }
        return Answer.ofDiscoveredSubnet(control.state(), found -> health(found, isPage));
    }

    private Answer health(PlacedSubnet found, boolean isPage) {
        HealthReport report = HealthReport.of(control, found, Instant.now().truncatedTo(ChronoUnit.SECONDS));
        Facts facts = isPage
                ? new Page(HealthPage.of(report, control.version()))
                : new Health(report.at(), report.verdict(), report.checks());
        return new Answer(facts, report.verdict() != Verdict.BAD);
    }
}
