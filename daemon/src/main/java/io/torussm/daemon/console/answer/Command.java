package io.torussm.daemon.console.answer;

import java.util.List;
import java.util.function.Supplier;

/**
 * A command of the console.
 *
 * @param usage name and arguments. Words in capitals are placeholders, {@code a|b} is one of two words, and brackets
 *     contain optional words. Help, completion and the manual are derived from the usage
 * @param meaning description in one line
 * @param effect cases in which the command changes something or writes files
 * @param details further lines for the help on the command
 * @param action implementation
 */
public record Command(String usage, String meaning, Effect effect, List<String> details, Action action) {
    /** The word that makes a file effective. */
    public static final String APPLY = "apply";

    /** The last word of a request to execute a previewed action. */
    public static final String YES = "yes";

    /** The effects of a command besides its response. */
    public enum Effect {
        NONE,
        /** The command changes something if it has arguments. */
        WITH_ARGUMENTS,
        /** The command changes something if its first argument is {@code apply}. */
        TO_APPLY,
        /** The command changes something if its last argument is {@code yes}. Else it only previews its effects. */
        WITH_YES,
        ALWAYS
    }

    /** The implementation of a command. */
    public interface Action {
        /**
         * Executes the command. Runs on a worker thread of the console, which may wait for some seconds. Several
         * threads may call it simultaneously.
         *
         * @param arguments words after the name, without {@code --json}
         * @throws UsageException if the arguments are invalid
         */
        Answer run(List<String> arguments);
    }

    /** Returns a command that only reports. */
    public static Command query(String usage, String meaning, Action action, String... details) {
        return new Command(usage, meaning, Effect.NONE, List.of(details), action);
    }

    /** Returns a command that changes something if it has arguments, and reports the present value if it has none. */
    public static Command setting(String usage, String meaning, Action action, String... details) {
        return new Command(usage, meaning, Effect.WITH_ARGUMENTS, List.of(details), action);
    }

    /** Returns a command that changes something if its first argument is {@code apply}, and else only reports. */
    public static Command withApply(String usage, String meaning, Action action, String... details) {
        return new Command(usage, meaning, Effect.TO_APPLY, List.of(details), action);
    }

    /** Returns a command that previews its effects, and executes them if its last argument is {@code yes}. */
    public static Command withYes(String usage, String meaning, Action action, String... details) {
        return new Command(usage, meaning, Effect.WITH_YES, List.of(details), action);
    }

    /** Returns a command that changes something. */
    public static Command change(String usage, String meaning, Action action, String... details) {
        return new Command(usage, meaning, Effect.ALWAYS, List.of(details), action);
    }

    /** Returns an action for a command without arguments. */
    public static Action withoutArguments(Supplier<Answer> answer) {
        return arguments -> {
            if (!arguments.isEmpty()) {
                throw new UsageException(Printable.text(String.join(" ", arguments), 40) + " is too much");
            }
            return answer.get();
        };
    }

    /** Checks whether the command changes anything with these arguments. */
    public boolean isChange(List<String> arguments) {
        return switch (effect) {
            case NONE -> false;
            case WITH_ARGUMENTS -> !arguments.isEmpty();
            case TO_APPLY -> !arguments.isEmpty() && arguments.get(0).equals(APPLY);
            case WITH_YES ->
                !arguments.isEmpty() && arguments.get(arguments.size() - 1).equals(YES);
            case ALWAYS -> true;
        };
    }

    /** Returns the first word of the usage. */
    public String name() {
        return usage.split(" ", 2)[0];
    }
}
