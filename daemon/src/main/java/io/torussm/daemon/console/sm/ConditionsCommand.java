package io.torussm.daemon.console.sm;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.control.Condition;
import io.torussm.daemon.control.SmControl;
import java.util.ArrayList;
import java.util.List;

/** The command that lists open conditions. */
public final class ConditionsCommand {
    private final SmControl control;

    private record Conditions(List<Condition> conditions) implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            for (Condition each : conditions) {
                lines.add((each.since() == null ? "?" : each.since()) + "  " + each.level() + " " + each.code() + "  "
                        + Printable.text(each.text(), Integer.MAX_VALUE));
                if (!each.cure().isEmpty()) {
                    lines.add("    " + each.cure());
                }
            }
            return lines.isEmpty() ? List.of("all is well") : lines;
        }
    }

    public ConditionsCommand(SmControl control) {
        this.control = control;
    }

    public Command command() {
        return Command.query(
                "conditions",
                "open conditions: since when, code, text, and remedy",
                Command.withoutArguments(() -> Answer.of(new Conditions(Condition.all(control)))),
                "Routing as a whole comes first, then errors. That conditions hold is logged once an hour.");
    }
}
