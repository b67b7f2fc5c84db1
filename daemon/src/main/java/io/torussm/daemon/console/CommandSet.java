package io.torussm.daemon.console;

/** What a request line is answered by. Any thread. */
interface CommandSet {
    /** Does what a line says; unknown and malformed lines are answered with what would be right. */
    Commands.Reply run(String line, Commands.Asker asker);
}
