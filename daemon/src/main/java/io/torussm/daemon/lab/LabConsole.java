package io.torussm.daemon.lab;

/** What can be said to a fabric while it runs. Called on the fabric's loop. */
public interface LabConsole {
    /** The word that ends the process; it never comes here. */
    String QUIT = "quit";

    /**
     * Does what a line says.
     *
     * @param line without its end, never empty
     * @return lines for people, without the last end of line; empty if there is nothing to say
     */
    String say(String line);
}
