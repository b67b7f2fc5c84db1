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
        assertThat(candidates("swe")).containsExactly("sweep");
        assertThat(candidates("sweep", "")).containsExactly("heavy", "light", "on", "off", "--wait", "--json");
        assertThat(candidates("export", "s")).containsExactly("slurm");
        assertThat(candidates("help", "pat")).containsExactly("path");
        assertThat(candidates("nosuch", "")).containsExactly("--json");
    }

    @Test
    void namesAndPlaces() {
        assertThat(candidates("path", "host-0", "")).contains("host-1", "0,0,0", "--json");
        assertThat(candidates("path", "ho")).contains("host-0", "host-1").noneMatch(each -> each.startsWith("sw"));
        assertThat(candidates("path", "host-0", "host-1", "")).containsExactly("both", "--json");
    }

    @Test
    void optionsStandAnywhere() {
        assertThat(candidates("sweep", "--wait", "li")).containsExactly("light");
        assertThat(candidates("sweep", "light", "-")).containsExactly("--wait", "--json");
        assertThat(candidates("events", "-")).containsExactly("--follow", "-n", "--json");
        assertThat(candidates("events", "-n", "")).isEmpty();
        assertThat(candidates("events", "-n", "7", "")).containsExactly("--follow", "--json");
    }

    @Test
    void aWatchedCommandKeepsItsOwnWords() {
        assertThat(candidates("watch", "tor")).containsExactly("torus");
        assertThat(candidates("watch", "-n", "5", "port", "host-")).contains("host-0");
        assertThat(candidates("watch", "torus", "--d")).containsExactly("--draw");
    }

    @Test
    void partitionsAndGroupsThatThereAre() {
        assertThat(candidates("partitions", "")).contains("preview", "apply", "Default");
        assertThat(candidates("mcast", "")).containsExactly("--json");
    }

    private List<String> candidates(String... words) {
        return new Completion(this::requestLines).candidates(List.of(words));
    }

    private List<String> requestLines(String request) {
        List<String> lines = new ArrayList<>();
        try {
            return ConsoleClient.execute(socket, request, SILENCE_MS, lines::add) ? lines : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
