package io.torussm.daemon.console;

import java.util.List;
import java.util.function.Supplier;

/**
 * A command of the console.
 *
 * @param usage its name and its arguments: words in capitals stand for something, {@code a|b} for one of these words,
 *     brackets for what may be left out. Help, completion and the manual are made of it
 * @param meaning one line
 * @param effect whether it changes something, or writes a file
 * @param details further lines for its own help
 * @param action what it does
 */
record Command(String usage, String meaning, Effect effect, List<String> details, Action action) {
    /** The word that puts a file in force. */
    static final String APPLY = "apply";

    /** The last word of those who have seen what would be done. */
    static final String YES = "yes";

    /** What a command does besides answering. */
    enum Effect {
        NONE,
        /** Without arguments it only reports. */
        WITH_ARGUMENTS,
        /** It changes something if its first argument is {@code apply}. */
        TO_APPLY,
        /** Unless its last argument is {@code yes}, it only shows what it would do. */
        WITH_YES,
        ALWAYS
    }

    /** What a command does. */
    interface Action {
        /**
         * Runs on a thread of the console that may wait for a while, from several at once.
         *
         * @param arguments the words behind the name, without {@code --json}
         * @throws UsageException if they make no sense
         */
        Answer run(List<String> arguments);
    }

    /** A command that only reports. */
    static Command asks(String usage, String meaning, Action action, String... details) {
        return new Command(usage, meaning, Effect.NONE, List.of(details), action);
    }

    /** A command that changes something if it has arguments, and reports the present value without. */
    static Command sets(String usage, String meaning, Action action, String... details) {
        return new Command(usage, meaning, Effect.WITH_ARGUMENTS, List.of(details), action);
    }

    /** A command that changes something if its first argument is {@code apply}, and only reports without. */
    static Command applies(String usage, String meaning, Action action, String... details) {
        return new Command(usage, meaning, Effect.TO_APPLY, List.of(details), action);
    }

    /** A command that shows what it would do, and does it if its last argument is {@code yes}. */
    static Command confirms(String usage, String meaning, Action action, String... details) {
        return new Command(usage, meaning, Effect.WITH_YES, List.of(details), action);
    }

    /** A command that changes something. */
    static Command changes(String usage, String meaning, Action action, String... details) {
        return new Command(usage, meaning, Effect.ALWAYS, List.of(details), action);
    }

    /** What a command without arguments does. */
    static Action plain(Supplier<Answer> answer) {
        return arguments -> {
            if (!arguments.isEmpty()) {
                throw new UsageException(Printable.text(String.join(" ", arguments), 40) + " is too much");
            }
            return answer.get();
        };
    }

    /** Whether it changes anything when it is given some words. */
    boolean isChange(List<String> arguments) {
        return switch (effect) {
            case NONE -> false;
            case WITH_ARGUMENTS -> !arguments.isEmpty();
            case TO_APPLY -> !arguments.isEmpty() && arguments.get(0).equals(APPLY);
            case WITH_YES ->
                !arguments.isEmpty() && arguments.get(arguments.size() - 1).equals(YES);
            case ALWAYS -> true;
        };
    }

    /** The first word. */
    String name() {
        return usage.split(" ", 2)[0];
    }
}
