package io.torussm.daemon.console.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.console.ConsoleCase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The completions of a partial command, from the words and names that a console with the fabric of {@link
 * Views#twoSwitches} returns.
 */
class CompletionTest extends ConsoleCase {
    @Test
    void commandsAndTheirWords() {
        assertThat(proposed("swe")).containsExactly("sweep");
        assertThat(proposed("sweep", "")).containsExactly("heavy", "light", "on", "off", "--wait", "--json");
        assertThat(proposed("export", "s")).containsExactly("slurm");
        assertThat(proposed("help", "pat")).containsExactly("path");
        assertThat(proposed("nosuch", "")).containsExactly("--json");
    }

    @Test
    void namesAndPlaces() {
        assertThat(proposed("path", "host-0", "")).contains("host-1", "0,0,0", "--json");
        assertThat(proposed("path", "ho")).contains("host-0", "host-1").noneMatch(each -> each.startsWith("sw"));
        assertThat(proposed("path", "host-0", "host-1", "")).containsExactly("both", "--json");
    }

    @Test
    void optionsStandAnywhere() {
        assertThat(proposed("sweep", "--wait", "li")).containsExactly("light");
        assertThat(proposed("sweep", "light", "-")).containsExactly("--wait", "--json");
        assertThat(proposed("events", "-")).containsExactly("--follow", "-n", "--json");
        assertThat(proposed("events", "-n", "")).isEmpty();
        assertThat(proposed("events", "-n", "7", "")).containsExactly("--follow", "--json");
    }

    @Test
    void aWatchedCommandKeepsItsOwnWords() {
        assertThat(proposed("watch", "tor")).containsExactly("torus");
        assertThat(proposed("watch", "-n", "5", "port", "host-")).contains("host-0");
        assertThat(proposed("watch", "torus", "--d")).containsExactly("--draw");
    }

    @Test
    void partitionsAndGroupsThatThereAre() {
        assertThat(proposed("partitions", "")).contains("preview", "apply", "Default");
        assertThat(proposed("mcast", "")).containsExactly("--json");
    }

    private List<String> proposed(String... words) {
        return new Completion(this::answer).candidates(List.of(words));
    }

    private List<String> answer(String request) {
        List<String> lines = new ArrayList<>();
        try {
            return ConsoleClient.ask(socket, request, SILENCE_MS, lines::add) ? lines : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
